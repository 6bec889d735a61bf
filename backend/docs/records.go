package docs

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// record is a row of a table or an object of a list.
type record struct{ names, values []string }

func (r record) get(name string) string {
	if i := slices.Index(r.names, name); i >= 0 {
		return r.values[i]
	}
	return ""
}

// readCSV reads a table with a head.
func (p *Parsed) readCSV(data []byte) error {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	if first, _, _ := bytes.Cut(data, []byte("\n")); bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		r.Comma = ';'
	} else if bytes.Count(first, []byte("\t")) > bytes.Count(first, []byte(",")) {
		r.Comma = '\t'
	}
	all, err := r.ReadAll()
	if err != nil {
		return audit.Wrap(err, audit.CodeInput, "The table cannot be read.")
	}
	p.Document.Type = "table"
	if len(all) < 2 {
		return audit.Errorf(audit.CodeInput, "The table has a head and no rows.")
	}
	odd := 0
	var rows []record
	for _, line := range all[1:] {
		if len(line) != len(all[0]) {
			odd++
		}
		rec := record{names: all[0][:min(len(line), len(all[0]))]}
		rec.values = line[:len(rec.names)]
		rows = append(rows, rec)
	}
	if odd > 0 {
		p.note("%d rows have more or fewer cells than the head.", odd)
	}
	p.records(rows)
	return nil
}

// records gives the rows of a list of flat objects.
func records(root *node) ([]record, bool) {
	list := root
	if !root.list {
		for _, k := range root.kids {
			if k.list && len(k.kids) > 3 {
				list = k
			}
		}
	}
	if !list.list || len(list.kids) < 2 {
		return nil, false
	}
	var out []record
	for _, k := range list.kids {
		var r record
		if k.list || len(k.kids) == 0 {
			return nil, false
		}
		for _, f := range k.kids {
			if len(f.kids) > 0 && !f.list {
				return nil, false
			}
			for _, x := range f.kids {
				if len(x.kids) > 0 {
					return nil, false
				}
			}
			r.names, r.values = append(r.names, f.name), append(r.values, f.all())
		}
		out = append(out, r)
	}
	return out, true
}

var (
	reIDName = regexp.MustCompile(`(?i)(?:^|[\s_-])(?:id|identifier|number|ref)$|^(?:id|control|key)$`)
	// Metadata that other papers give of a control.
	known = map[string]string{
		"asset type": audit.MetaAssetType, "asset_type": audit.MetaAssetType, "risk tier": audit.MetaRiskTier, "risk_tier": audit.MetaRiskTier,
		"sdlc phase": audit.MetaPhase, "sdlc_phase": audit.MetaPhase, "family": audit.MetaFamily, "status": "status",
	}
)

// records writes rows as sections: rows of controls one by one, with what
// stands the same for many of them as their headings; other rows as a table.
func (p *Parsed) records(rows []record) {
	if len(rows) == 0 {
		return
	}
	names := rows[0].names
	distinct := map[string]int{}
	words := 0
	for _, n := range names {
		seen := map[string]bool{}
		for _, r := range rows {
			v := r.get(n)
			seen[v] = true
			words += len(strings.Fields(v))
		}
		distinct[n] = len(seen)
	}
	id := ""
	for _, n := range names {
		if reIDName.MatchString(n) && distinct[n]*10 >= len(rows)*6 && (id == "" || distinct[n] > distinct[id]) {
			id = n
		}
	}
	if id == "" && words/len(rows) < 30 {
		g := &grid{}
		for _, n := range names {
			g.add(n, 1, true)
		}
		for _, r := range rows {
			g.row()
			for _, n := range names {
				g.add(r.get(n), 1, false)
			}
		}
		p.addTable(block{table: g}, &outline{}, "", "")
		return
	}
	if id != "" {
		p.Document.Type = "controls"
	}
	last := map[string]string{}
	for _, r := range rows {
		for i, n := range r.names { // a spreadsheet names a group once, above its rows
			if r.values[i] == "" && distinct[n]*3 < len(rows) && strings.HasSuffix(strings.ToLower(n), "id") {
				r.values[i] = last[n]
			} else {
				last[n] = r.values[i]
			}
		}
		p.record(r, id, distinct, len(rows))
	}
}

// longField is the number of words above which a field is a section of its own.
const longField = 70

func (p *Parsed) record(r record, id string, distinct map[string]int, rows int) {
	meta := map[string]string{}
	var path, lines []string
	var long [][2]string
	group := ""
	for i, n := range r.names {
		v := strings.TrimSpace(r.values[i])
		if v == "" {
			continue
		}
		if key, ok := known[strings.ToLower(n)]; ok {
			meta[key] = v
			continue
		}
		switch {
		case n == id:
		case distinct[n] == 1:
		case reIDName.MatchString(n):
			meta[strings.ToLower(strings.ReplaceAll(n, " ", "_"))] = v
		case strings.HasSuffix(strings.ToLower(n), "name") && distinct[n]*2 < rows:
			path = append(path, v)
		case distinct[n]*2 < rows && len(strings.Fields(v)) > 8:
			group = n + ": " + v // of the groups around a row the nearest is enough
		case len(strings.Fields(v)) > longField:
			long = append(long, [2]string{n, v})
		default:
			lines = append(lines, n+": "+strings.Join(strings.Fields(v), " "))
		}
	}
	if len(path) > 0 {
		meta[audit.MetaFamily] = path[len(path)-1]
	}
	s := audit.Section{Path: path, Kind: audit.SectionControl, ID: r.get(id), Meta: meta, Type: "control"}
	if s.ID == "" {
		s.Kind, s.Type = audit.SectionProse, ""
	}
	if group != "" {
		lines = append(lines, group)
	}
	s.Text = strings.Join(lines, "\n")
	p.Sections = append(p.Sections, s)
	for _, f := range long {
		s.Type, s.Text = strings.ToLower(strings.ReplaceAll(f[0], " ", "_")), f[0]+": "+strings.Join(strings.Fields(f[1]), " ")
		p.Sections = append(p.Sections, s)
	}
}

// generic writes nested data: what has an id and words is a control, the rest
// is told by its path.
func (p *Parsed) generic(n *node, path []string) {
	var lines []string
	id, title := n.value("id", "control-id", "control_id", "identifier", "uuid"), n.value("title", "name", "label")
	at := path
	if title != "" {
		at = append(path[:len(path):len(path)], title)
	} else if n.name != "" {
		at = append(path[:len(path):len(path)], n.name)
	}
	if len(at) > maxDepth {
		return
	}
	for _, k := range n.kids {
		simple := len(k.kids) == 0
		if k.list && !slices.ContainsFunc(k.kids, func(x *node) bool { return len(x.kids) > 0 }) {
			simple = true
		}
		switch {
		case simple && (k.name == "uuid" || k.name == "href"):
		case simple:
			if v := strings.Join(strings.Fields(k.all()), " "); v != "" {
				lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(k.name, "#text")+": "+v, ": "))
			}
		default:
			p.generic(k, at)
		}
	}
	text := strings.Join(lines, "\n")
	if len(strings.Fields(text)) < 3 {
		return
	}
	s := audit.Section{Path: at, Kind: audit.SectionProse, Text: text}
	if id != "" && id != n.value("uuid") {
		s.Kind, s.ID, s.Type = audit.SectionControl, strings.ToUpper(id), "control"
	}
	p.Sections = append(p.Sections, s)
}
