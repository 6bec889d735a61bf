package llm

import "veristream/backend/audit"

// The context window is a cost: its memory is reserved whether it is filled or
// not, and a change of size makes the server load the model anew and forget
// its prefix cache. So it grows in steps, stays, and begins small.

const ctxStep = 4096

// mostTokens is an estimate from above of what a request's texts come to. Prose
// has more than four bytes a token, but citations nearly one token a digit.
func mostTokens(req audit.Request) int {
	return (len(req.System)+len(req.Prefix)+len(req.Prompt))/3 + 64
}

// fewestTokens is far below what a prompt of that length can come to. A server
// that counts fewer has dropped a part of it.
func fewestTokens(req audit.Request) int {
	return (len(req.System) + len(req.Prefix) + len(req.Prompt)) / 12
}

func (c *Client) budget(req audit.Request) int {
	if req.MaxTokens > 0 {
		return req.MaxTokens
	}
	return c.opts.MaxTokens
}

// size chooses the window for a request.
func (c *Client) size(req audit.Request) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if least := fewestTokens(req) + c.budget(req); c.window > 0 && least > c.window {
		return 0, audit.Wrap(ErrTooLong, audit.CodeModel,
			"The text is too long for the language model %s, which reads %d tokens at once", c.opts.Model.Name, c.window)
	}
	need := req.NumCtx
	if need == 0 {
		need = mostTokens(req) + c.budget(req)
		need = (need + ctxStep - 1) / ctxStep * ctxStep
	}
	c.numCtx = max(c.numCtx, need)
	if c.window > 0 {
		c.numCtx = min(c.numCtx, c.window)
	}
	return c.numCtx, nil
}

// grow widens the window after a request did not fit into one of size used; it
// reports whether there was room to.
func (c *Client) grow(used int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := used * 2
	if c.window > 0 {
		next = min(next, c.window)
	}
	if next <= used || next > 1<<20 {
		return false
	}
	c.numCtx = max(c.numCtx, next)
	return true
}

func (c *Client) current() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.numCtx
}
