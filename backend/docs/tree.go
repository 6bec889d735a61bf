package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"veristream/backend/audit"
)

// node is a value of JSON, XML or YAML with its order kept. A list is a node
// whose kids have no name.
type node struct {
	name string
	text string
	kids []*node
	list bool
}

// Bounds on what a file may hold and unfold to.
const (
	maxNodes    = 2_000_000
	maxUnfolded = 100_000
)

// first gives the first kid of one of these names.
func (n *node) first(names ...string) *node {
	for _, name := range names {
		for _, k := range n.kids {
			if k.name == name {
				return k
			}
		}
	}
	return nil
}

// value gives the text of a kid; empty where there is none.
func (n *node) value(names ...string) string {
	if k := n.first(names...); k != nil {
		return strings.Join(strings.Fields(k.all()), " ")
	}
	return ""
}

// each gives the kids of these names; those of a list one by one.
func (n *node) each(names ...string) []*node {
	var out []*node
	for _, k := range n.kids {
		for _, name := range names {
			if k.name != name {
				continue
			}
			if k.list {
				out = append(out, k.kids...)
			} else {
				out = append(out, k)
			}
		}
	}
	return out
}

// all gives the words of a node and of what is below it.
func (n *node) all() string {
	parts := []string{}
	if n.text != "" {
		parts = append(parts, n.text)
	}
	for _, k := range n.kids {
		if t := k.all(); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, " ")
}

// readTree reads nested data: OSCAL, lists of records, anything else.
func (p *Parsed) readTree(ctx context.Context, data []byte) error {
	var root *node
	var err error
	switch p.Document.Format {
	case "json":
		root, err = readJSON(data)
	case "xml":
		root, err = readXML(ctx, data)
	default:
		root, err = readYAML(data)
	}
	if err != nil {
		return err
	}
	for _, name := range []string{"catalog", "profile", "system-security-plan", "component-definition"} {
		top := root.first(name)
		if root.name == name {
			top = root
		}
		if top == nil {
			continue
		}
		switch name {
		case "catalog":
			return p.catalog(top)
		case "profile":
			return p.profile(top)
		}
		if t := top.first("metadata"); t != nil && t.value("title") != "" {
			p.Document.Title = t.value("title")
		}
		root = top
		break
	}
	p.Document.Type = "data"
	if rows, ok := records(root); ok {
		p.records(rows)
		return nil
	}
	p.generic(root, nil)
	return nil
}

func readJSON(data []byte) (*node, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	count := 0
	var read func(name string, depth int) (*node, error)
	read = func(name string, depth int) (*node, error) {
		if count++; count > maxNodes || depth > maxDepth {
			return nil, audit.Errorf(audit.CodeInput, "The data nests too deep or holds more than %d values.", maxNodes)
		}
		tok, err := dec.Token()
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeInput, "The JSON cannot be read.")
		}
		n := &node{name: name}
		d, ok := tok.(json.Delim)
		if !ok {
			n.text = scalar(tok)
			return n, nil
		}
		n.list = d == '['
		for dec.More() {
			key := ""
			if !n.list {
				k, err := dec.Token()
				if err != nil {
					return nil, audit.Wrap(err, audit.CodeInput, "The JSON cannot be read.")
				}
				key, _ = k.(string)
			}
			kid, err := read(key, depth+1)
			if err != nil {
				return nil, err
			}
			n.kids = append(n.kids, kid)
		}
		_, err = dec.Token()
		return n, err
	}
	return read("", 0)
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// readXML reads elements; attributes become kids of their own. Runs of
// elements of one name stay as they are: each reads them as a list.
func readXML(ctx context.Context, data []byte) (*node, error) {
	root := &node{}
	stack := []*node{root}
	count := 0
	err := xmlEvents(ctx, data, func(tok xml.Token) error {
		switch t := tok.(type) {
		case xml.StartElement:
			if count++; count > maxNodes {
				return audit.Errorf(audit.CodeInput, "The XML holds more than %d elements.", maxNodes)
			}
			n := &node{name: t.Name.Local}
			for _, a := range t.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
					n.kids = append(n.kids, &node{name: a.Name.Local, text: a.Value})
				}
			}
			top := stack[len(stack)-1]
			top.kids = append(top.kids, n)
			stack = append(stack, n)
		case xml.EndElement:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if len(top.kids) == 1 && top.kids[0].name == "#text" {
				top.text, top.kids = top.kids[0].text, nil
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); text != "" {
				// Words between elements keep their place among them.
				top := stack[len(stack)-1]
				top.kids = append(top.kids, &node{name: "#text", text: strings.Join(strings.Fields(text), " ")})
			}
		}
		return nil
	})
	return root, err
}

func readYAML(data []byte) (*node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	root := &node{}
	count := 0
	// A file may refer to a part of itself, and that part to another, until a
	// page of text stands for more than fits into memory.
	unfolded, within := 0, 0
	var read func(name string, y *yaml.Node, depth int) (*node, error)
	read = func(name string, y *yaml.Node, depth int) (*node, error) {
		if count++; count > maxNodes || depth > maxDepth {
			return nil, audit.Errorf(audit.CodeInput, "The YAML nests too deep or holds more than %d values.", maxNodes)
		}
		if within > 0 {
			unfolded++
		}
		if unfolded > maxUnfolded {
			return nil, audit.Errorf(audit.CodeInput, "The YAML's references unfold to more than %d values; such files are not read.", maxUnfolded)
		}
		if y.Kind == yaml.AliasNode {
			y = y.Alias
			within++
			defer func() { within-- }()
		}
		n := &node{name: name, list: y.Kind == yaml.SequenceNode}
		switch y.Kind {
		case yaml.ScalarNode:
			n.text = y.Value
		case yaml.MappingNode:
			for i := 0; i+1 < len(y.Content); i += 2 {
				kid, err := read(y.Content[i].Value, y.Content[i+1], depth+1)
				if err != nil {
					return nil, err
				}
				n.kids = append(n.kids, kid)
			}
		default:
			for _, c := range y.Content {
				kid, err := read("", c, depth+1)
				if err != nil {
					return nil, err
				}
				if y.Kind == yaml.DocumentNode {
					return kid, nil
				}
				n.kids = append(n.kids, kid)
			}
		}
		return n, nil
	}
	for {
		var y yaml.Node
		err := dec.Decode(&y)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeInput, "The YAML is not well-formed.")
		}
		n, err := read("", &y, 0)
		if err != nil {
			return nil, err
		}
		if len(root.kids) == 0 && !root.list {
			root = n
		} else {
			root.kids = append(root.kids, n.kids...)
		}
	}
	return root, nil
}
