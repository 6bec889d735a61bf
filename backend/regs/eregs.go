package regs

import (
	"bytes"
	"context"
	"encoding/json"

	"veristream/backend/audit"
)

// eregsNode is a node of the Bureau's eRegs JSON.
type eregsNode struct {
	Label    []string    `json:"label"`
	NodeType string      `json:"node_type"`
	Title    string      `json:"title"`
	Text     string      `json:"text"`
	Marker   string      `json:"marker"`
	Children []eregsNode `json:"children"`
}

const maxJSONDepth = 64

// readERegs reads the Bureau's eRegs JSON.
func readERegs(ctx context.Context, data []byte, opts Options) (*Parsed, error) {
	if at := invalidUTF8(data); at >= 0 { // the decoder would put a sign of its own there
		return nil, audit.Errorf(audit.CodeInput, "Line %d of the JSON file is not valid UTF-8. Fetch it again.", 1+bytes.Count(data[:at], []byte("\n")))
	}
	if err := checkJSONDepth(data); err != nil {
		return nil, err
	}
	var root eregsNode
	if err := json.Unmarshal(data, &root); err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The JSON file is not well-formed.")
	}
	if len(root.Label) != 1 || len(root.Children) == 0 {
		return nil, audit.Errorf(audit.CodeInput, "The JSON file is no regulation: its root has no label with a part's number.")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	b := newBuilder(opts.Regulator)
	title := opts.CFRTitle
	if title == 0 {
		title = guessTitle(root.Label[0])
	}
	b.addLabelled(root.labelled(), title)
	return b.finish(), nil
}

func (n eregsNode) labelled() *labelled {
	out := &labelled{
		label: n.Label, kind: n.NodeType, title: cleanSource(n.Title), text: cleanSource(n.Text), marker: n.Marker,
		children: make([]*labelled, 0, len(n.Children)),
	}
	if out.marker == "Interp" {
		out.marker = ""
	}
	for _, c := range n.Children {
		if len(c.Label) == 0 {
			c.Label = n.Label
		}
		out.children = append(out.children, c.labelled())
	}
	return out
}

// checkJSONDepth refuses deep nesting before the decoder recurses into it.
func checkJSONDepth(data []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > 2*maxJSONDepth {
				return audit.Errorf(audit.CodeInput, "The JSON file nests more than %d levels; no regulation does.", 2*maxJSONDepth)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}
