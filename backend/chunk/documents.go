package chunk

import (
	"maps"
	"strings"

	"veristream/backend/audit"
)

const (
	// maxDocParent is the most that a parent of a document takes: a risk factor
	// or a critical audit matter is read as a whole up to this.
	maxDocParent = 850
)

// Document makes passages of a document's sections. A section that fits is a
// standalone passage; a longer one becomes parents, which are read, and their
// children, which are searched. A table keeps its caption and its head in
// every part.
func Document(doc audit.Document, sections []audit.Section) []audit.Passage {
	w := &docWriter{doc: doc}
	for _, s := range mergeSmall(sections) {
		if strings.TrimSpace(s.Text) == "" {
			continue
		}
		switch s.Kind {
		case audit.SectionTable:
			w.table(s)
		default:
			w.prose(s)
		}
	}
	return w.out
}

// mergeSmall joins short runs of prose under one heading that follow each other.
func mergeSmall(sections []audit.Section) []audit.Section {
	var out []audit.Section
	for _, s := range sections {
		if n := len(out); n > 0 && s.Kind == audit.SectionProse && out[n-1].Kind == audit.SectionProse &&
			samePath(s.Path, out[n-1].Path) && s.Meta[audit.MetaReadFrom] == out[n-1].Meta[audit.MetaReadFrom] && Tokens(out[n-1].Text)+Tokens(s.Text) <= maxDocParent {
			out[n-1].Text += "\n" + s.Text
			out[n-1].Last = max(out[n-1].Last, s.Last)
			out[n-1].Meta = lessSure(out[n-1].Meta, s.Meta)
			continue
		}
		out = append(out, s)
	}
	return out
}

// lessSure gives the metadata of two sections that become one: of what was read
// from pictures the lesser confidence counts.
func lessSure(a, b map[string]string) map[string]string {
	// Both are written with two digits after the point.
	if x, y := a[audit.MetaConfidence], b[audit.MetaConfidence]; x != "" && y < x {
		a = maps.Clone(a)
		a[audit.MetaConfidence] = y
	}
	return a
}

func samePath(a, b []string) bool { return strings.Join(a, "\x00") == strings.Join(b, "\x00") }

// docWriter collects the passages of a document.
type docWriter struct {
	doc audit.Document
	out []audit.Passage
}

func (w *docWriter) prose(s audit.Section) {
	limit := maxTokens - Tokens(w.header(s)) - 4
	if Tokens(s.Text) <= limit {
		w.add(s, s.Text, "standalone", 0)
		return
	}
	for _, whole := range splitLines(s.Text, maxDocParent) {
		if Tokens(whole) <= limit {
			w.add(s, whole, "standalone", 0)
			continue
		}
		parent := w.add(s, whole, metaParent, 0)
		for _, part := range splitLines(whole, limit) {
			w.add(s, part, "child", parent)
		}
	}
}

const metaParent = "parent"

// splitLines cuts a text at its lines where they fit, else at sentences.
func splitLines(text string, limit int) []string {
	var out []string
	current := ""
	flush := func() {
		if t := strings.TrimSpace(current); t != "" {
			out = append(out, t)
		}
		current = ""
	}
	for line := range strings.Lines(text) {
		switch {
		case Tokens(current)+Tokens(line) <= limit:
			current += line
		case Tokens(line) <= limit:
			flush()
			current = line
		default:
			flush()
			parts := SplitSentences(line, limit)
			out = append(out, parts[:len(parts)-1]...)
			current = parts[len(parts)-1] + "\n"
		}
	}
	flush()
	return out
}

// table cuts a table between its rows; the caption above it goes with each part.
func (w *docWriter) table(s audit.Section) {
	caption, rows := "", s.Text
	if at := strings.Index(s.Text, "\n|"); at >= 0 && !strings.HasPrefix(s.Text, "|") {
		caption, rows = s.Text[:at+1], s.Text[at+1:]
	}
	limit := maxTokens - Tokens(w.header(s)) - Tokens(caption) - 4
	for _, part := range splitTable(rows, max(limit, 60)) {
		w.add(s, caption+part, "standalone", 0)
	}
}

func (w *docWriter) header(s audit.Section) string {
	path := strings.Join(tail(s.Path, 3), " > ")
	name := w.doc.Title
	if s.ID != "" {
		name += " " + s.ID
	}
	kind := s.Kind
	if s.Type != "" {
		kind = strings.ReplaceAll(s.Type, "_", " ")
	}
	return "[" + name + " - " + clipTo(path, 150) + " | Type: " + kind + "]"
}

func (w *docWriter) add(s audit.Section, body, role string, parent int64) int64 {
	meta := maps.Clone(w.doc.Meta)
	if meta == nil {
		meta = map[string]string{}
	}
	maps.Copy(meta, s.Meta)
	for k, v := range map[string]string{
		audit.MetaDocument: w.doc.ID, audit.MetaDocType: w.doc.Type, audit.MetaSection: strings.Join(s.Path, " > "),
		audit.MetaSectionType: s.Type, audit.MetaControlID: s.ID, audit.MetaChunkType: role, audit.MetaSourceURI: w.doc.Origin,
	} {
		if v != "" {
			meta[k] = v
		}
	}
	kind := audit.KindDocument
	if s.Kind == audit.SectionTable {
		kind = audit.KindTable
		meta[audit.MetaHasTable] = "yes"
	}
	if role == metaParent {
		meta[metaRole] = metaParent
	}
	p := audit.Passage{
		ID: int64(len(w.out) + 1), Corpus: audit.CorpusDocuments, Source: w.doc.ID, Kind: kind,
		Citation: w.citation(s), Title: strings.Join(s.Path, " > "), Header: w.header(s), Body: body,
		ParentID: parent, Order: len(w.out), FirstPage: s.First, LastPage: s.Last, Meta: meta,
	}
	p.Citations = []string{p.Citation}
	p.SHA256 = hashOf(p)
	w.out = append(w.out, p)
	return p.ID
}

// citation names where a passage stands: document and control, or document,
// the first two headings and the page.
func (w *docWriter) citation(s audit.Section) string {
	name := w.doc.Title
	if s.ID != "" {
		return name + " " + s.ID
	}
	for _, h := range s.Path[:min(2, len(s.Path))] {
		name += ", " + clipTo(h, 60)
	}
	return name
}
