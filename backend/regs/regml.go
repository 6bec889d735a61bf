package regs

import (
	"context"
	"encoding/xml"
	"strings"

	"veristream/backend/audit"
)

// regmlReader turns the Bureau's RegML into labelled nodes.
type regmlReader struct {
	title     string // of the CFR
	effective string
	root      *labelled
	open      []*labelled
	path      []string // open elements
	text      strings.Builder
	skip      int // depth within what is no rule text
	analysis  int // paragraphs of it
}

// Elements of RegML that hold no words of the regulation.
var regmlSkip = map[string]bool{
	"tableOfContents": true, "analysis": true, "url": true, "thumbUrl": true, "altText": true, "changeset": true,
	"notice": true,
}

// Elements within a paragraph.
var regmlInline = map[string]bool{
	"ref": true, "def": true, "em": true, "footnote": true, "sub": true, "sup": true, "callout": true, "line": true,
	"graphic": true, "text": true, "dash": true, "keyterm": true, "variable": true, "subscript": true,
}

func readRegML(ctx context.Context, data []byte, opts Options) (*Parsed, error) {
	r := &regmlReader{}
	if err := xmlEvents(ctx, data, r.visit); err != nil {
		return nil, err
	}
	if r.root == nil {
		return nil, audit.Errorf(audit.CodeInput, "The RegML file has no part with a label.")
	}
	b := newBuilder(opts.Regulator)
	title := opts.CFRTitle
	if title == 0 {
		if title = atoi(r.title); title == 0 {
			title = guessTitle(r.root.label[0])
		}
	}
	b.addLabelled(r.root, title)
	if r.analysis > 0 {
		b.problem(ProblemSkipped, "", "the section-by-section analysis of the Federal Register is not part of the regulation")
	}
	p := b.finish()
	p.Text.AsOf = r.effective
	return p, nil
}

func (r *regmlReader) visit(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		r.end(t.Name.Local)
	case xml.CharData:
		if r.skip == 0 {
			r.text.WriteString(cleanSource(string(t)))
		}
	}
	return nil
}

func (r *regmlReader) start(t xml.StartElement) {
	name := t.Name.Local
	r.path = append(r.path, name)
	if r.skip > 0 || regmlSkip[name] {
		r.skip++
		if name == "analysisParagraph" {
			r.analysis++
		}
		return
	}
	if regmlInline[name] {
		return
	}
	r.text.Reset()
	label := attr(t, "label")
	switch name {
	case "part", "subpart", "section", "paragraph", "appendix", "appendixSection", "interpretations", "interpSection", "interpParagraph":
		n := &labelled{label: strings.Split(label, "-"), kind: name, marker: attr(t, "marker")}
		if n.marker == "Interp" {
			n.marker = ""
		}
		if len(r.open) == 0 {
			if r.root != nil || label == "" {
				r.skip++ // a second part: not a regulation of the Bureau's shape
				return
			}
			r.root = n
		} else {
			above := r.open[len(r.open)-1]
			above.children = append(above.children, n)
		}
		r.open = append(r.open, n)
	}
}

func (r *regmlReader) end(name string) {
	if len(r.path) > 0 {
		r.path = r.path[:len(r.path)-1]
	}
	if r.skip > 0 {
		r.skip--
		return
	}
	if regmlInline[name] {
		return
	}
	text := strings.TrimSpace(plainText(r.text.String()))
	r.text.Reset()
	switch name {
	case "cfrTitleNum":
		r.title = text
		return
	case "effectiveDate":
		r.effective = text
		return
	}
	if len(r.open) == 0 {
		return
	}
	n := r.open[len(r.open)-1]
	switch name {
	case "title", "subject", "appendixTitle":
		n.title = joinWords(n.title, text)
	case "content":
		n.text = joinWords(n.text, text)
	case "reserved":
	case "part", "subpart", "section", "paragraph", "appendix", "appendixSection", "interpretations", "interpSection", "interpParagraph":
		n.text = joinWords(n.text, text)
		r.open = r.open[:len(r.open)-1]
	}
}
