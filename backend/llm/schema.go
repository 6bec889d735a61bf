package llm

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"veristream/backend/audit"
)

// schemas keeps compiled schemas: an audit asks with a few of them many times.
type schemas struct {
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// maxSchemas bounds what is kept; enums of citations differ from call to call.
const maxSchemas = 64

func (s *schemas) get(raw []byte) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.compiled[string(raw)]; ok {
		return c, nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	const url = "reply.json"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("add schema: %w", err)
	}
	c, err := compiler.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	if s.compiled == nil || len(s.compiled) >= maxSchemas {
		s.compiled = map[string]*jsonschema.Schema{}
	}
	s.compiled[string(raw)] = c
	return c, nil
}

// validate checks a reply, enums included: a server that does not enforce the
// schema, or a grammar with a gap, must not pass for an answer.
func validate(schema *jsonschema.Schema, reply string) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(reply)))
	if err != nil {
		return audit.Wrap(cause(ErrInvalid, err), audit.CodeReply, "The language model's reply is not JSON").WithDetails(reply)
	}
	if err := schema.Validate(doc); err != nil {
		return audit.Wrap(cause(ErrInvalid, err), audit.CodeReply, "The language model's reply is not in the form that was asked for").WithDetails(reply)
	}
	return nil
}
