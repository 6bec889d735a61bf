package docs

import (
	"fmt"
	"regexp"
	"strings"

	"veristream/backend/audit"
)

// catalog reads an OSCAL catalog: its controls with their statements, their
// parameters put into words, and their guidance
// (https://pages.nist.gov/OSCAL/, "Catalog model").
func (p *Parsed) catalog(top *node) error {
	p.Document.Type = "catalog"
	p.oscalTitle(top)
	p.group(top, nil)
	return nil
}

func (p *Parsed) oscalTitle(top *node) {
	m := top.first("metadata")
	if m == nil {
		return
	}
	if t := m.value("title"); t != "" {
		p.Document.Title = t
	}
	for _, k := range []string{"version", "last-modified", "oscal-version"} {
		if v := m.value(k); v != "" {
			p.Document.Meta[strings.ReplaceAll(k, "-", "_")] = v
		}
	}
}

func (p *Parsed) group(g *node, path []string) {
	for _, sub := range g.each("groups", "group") {
		name := sub.value("title")
		if id := sub.value("id"); id != "" {
			name = strings.TrimSpace(strings.ToUpper(id) + " " + name)
		}
		p.group(sub, append(path[:len(path):len(path)], name))
	}
	for _, c := range g.each("controls", "control") {
		p.control(c, path, nil)
	}
}

// control writes one control: statement and guidance apart, so that each can
// be found; its enhancements after it.
func (p *Parsed) control(c *node, path []string, params map[string]string) {
	params = p.params(c, params)
	id := controlLabel(c)
	title := c.value("title")
	family := ""
	if len(path) > 0 {
		family = path[len(path)-1]
	}
	at := append(path[:len(path):len(path)], strings.TrimSpace(id+" "+title))
	meta := map[string]string{audit.MetaFamily: family, "title": title}
	for _, pr := range c.each("props", "prop") {
		switch pr.value("name") {
		case "implementation-level":
			meta["implementation_level"] = pr.value("value")
		case "status":
			meta["status"] = pr.value("value")
		}
	}
	add := func(kind, text string) {
		if strings.TrimSpace(text) == "" {
			return
		}
		p.Sections = append(p.Sections, audit.Section{Path: at, Kind: audit.SectionControl, ID: id, Type: kind, Text: text, Meta: meta})
	}
	for _, part := range c.each("parts", "part") {
		lines := partLines(part, params, 0)
		switch name := part.value("name"); {
		case name == "statement":
			add("control", strings.Join(lines, "\n"))
		case name == "guidance" || name == "overview":
			add("guidance", strings.Join(lines, "\n"))
		case strings.HasPrefix(name, "assessment"):
			// How an assessor looks at it repeats the statement word for word.
		default:
			add(strings.ReplaceAll(name, "-", "_"), strings.Join(lines, "\n"))
		}
	}
	var related []string
	for _, l := range c.each("links", "link") {
		if l.value("rel") == "related" {
			related = append(related, strings.ToUpper(strings.TrimPrefix(l.value("href"), "#")))
		}
	}
	if len(related) > 0 {
		add("related", title+". Related controls: "+strings.Join(related, ", ")+".")
	}
	for _, k := range c.each("controls", "control") {
		p.control(k, path, params)
	}
}

// controlLabel gives the name by which people call a control: AC-2(1).
func controlLabel(c *node) string {
	for _, pr := range c.each("props", "prop") {
		if pr.value("name") == "label" && pr.value("class") == "" {
			return pr.value("value")
		}
	}
	return strings.ToUpper(c.value("id"))
}

// params gives what stands in the place of a parameter: its value, or what the
// organisation has to fill in.
func (p *Parsed) params(c *node, above map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range above {
		out[k] = v
	}
	for _, pm := range c.each("params", "param") {
		id := pm.value("id")
		var values []string
		for _, v := range pm.each("values", "value") {
			values = append(values, strings.Join(strings.Fields(v.all()), " "))
		}
		text := "[Assignment: " + pm.value("label") + "]"
		if sel := pm.first("select"); sel != nil {
			var choices []string
			for _, ch := range sel.each("choice") {
				choices = append(choices, strings.Join(strings.Fields(ch.all()), " "))
			}
			text = "[Selection: " + strings.Join(choices, "; ") + "]"
		}
		if len(values) > 0 {
			text = strings.Join(values, ", ")
		}
		out[id] = text
		for _, pr := range pm.each("props", "prop") {
			if pr.value("name") == "alt-identifier" {
				out[pr.value("value")] = text
			}
		}
	}
	for k, v := range out {
		out[k] = fill(v, out, 0)
	}
	return out
}

var reInsert = regexp.MustCompile(`\{\{\s*insert:\s*param,\s*([\w.\-]+)\s*\}\}`)

func fill(text string, params map[string]string, depth int) string {
	if depth > 4 {
		return text
	}
	return reInsert.ReplaceAllStringFunc(text, func(m string) string {
		id := reInsert.FindStringSubmatch(m)[1]
		if v, ok := params[id]; ok {
			return fill(v, params, depth+1)
		}
		return "[Assignment: " + id + "]"
	})
}

// partLines writes a part and those below it, each on a line with its mark.
func partLines(part *node, params map[string]string, depth int) []string {
	if depth > 12 {
		return nil
	}
	label := ""
	for _, pr := range part.each("props", "prop") {
		if pr.value("name") == "label" && (label == "" || pr.value("class") == "") {
			label = pr.value("value")
		}
	}
	var lines []string
	text := prose(part)
	if text = fill(text, params, 0); text != "" {
		lines = append(lines, strings.TrimSpace(label+" "+text))
	}
	for _, k := range part.each("parts", "part") {
		lines = append(lines, partLines(k, params, depth+1)...)
	}
	return lines
}

// prose gives a part's own words: "prose" in JSON and YAML, elements in XML.
func prose(part *node) string {
	if t := part.value("prose"); t != "" {
		return t
	}
	var parts []string
	for _, k := range part.kids {
		switch k.name {
		case "p", "ul", "ol", "li", "table", "#text":
			if t := inlineText(k); t != "" {
				parts = append(parts, t)
			}
		}
	}
	return strings.Join(parts, " ")
}

// inlineText gives the words of an element of XML; an insertion becomes the
// form that JSON has.
func inlineText(n *node) string {
	if n.name == "insert" {
		return "{{ insert: param, " + n.value("id-ref") + " }}"
	}
	if n.name == "#text" || len(n.kids) == 0 {
		return n.text
	}
	var parts []string
	for _, k := range n.kids {
		if t := inlineText(k); t != "" && k.name != "href" && k.name != "id-ref" && k.name != "type" {
			parts = append(parts, t)
		}
	}
	return regexp.MustCompile(` ([,.;:)])`).ReplaceAllString(strings.Join(parts, " "), "$1")
}

// profile reads which controls a baseline takes, and what it sets.
func (p *Parsed) profile(top *node) error {
	p.Document.Type = "profile"
	p.oscalTitle(top)
	const each = 40
	var ids []string
	for _, im := range top.each("imports", "import") {
		for _, in := range im.each("include-controls") {
			for _, id := range in.each("with-ids", "with-id") {
				if t := strings.TrimSpace(id.all()); t != "" {
					ids = append(ids, strings.ToUpper(t))
				}
			}
		}
		if im.first("include-all") != nil {
			ids = append(ids, "all controls of "+im.value("href"))
		}
	}
	for i := 0; i < len(ids); i += each {
		part := ids[i:min(i+each, len(ids))]
		p.Sections = append(p.Sections, audit.Section{
			Path: []string{"Controls of the baseline"}, Kind: audit.SectionProse, Type: "list",
			Text: fmt.Sprintf("%s takes %d controls; of them %d to %d: %s.", p.Document.Title, len(ids), i+1, i+len(part), strings.Join(part, ", ")),
		})
	}
	if m := top.first("modify"); m != nil {
		for _, s := range m.each("set-parameters", "set-parameter") {
			p.Sections = append(p.Sections, audit.Section{
				Path: []string{"Parameters"}, Kind: audit.SectionProse, Text: "Parameter " + s.value("param-id") + " is set: " + strings.Join(strings.Fields(s.all()), " "),
			})
		}
	}
	return nil
}
