package regs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"veristream/backend/regs"
)

// amended are the parts of Regulation E that the prepaid accounts rule (81 FR
// 83934, Nov. 22, 2016, and its amendments to 2018) changed between the two
// files.
var amended = regexp.MustCompile(`^(?:12 CFR 1005\.(?:2|12|15|17|18|19)\b|Comment 1005\.(?:2|10|12|15|18|19)\b|12 CFR 1005 Appendix A-(?:7|10|11)\b)`)

// The XML of 2016 and the JSON of 2018 have the same paragraphs, but where the
// law changed between them.
func TestTwoYearsOfRegulationEAgree(t *testing.T) {
	old, now := parseReal(t, regEXML), parseReal(t, regEJSON)
	citations := func(p *regs.Parsed) (kept, changed []string) {
		for _, r := range p.Rules {
			if c := r.Citation.String(); amended.MatchString(c) {
				changed = append(changed, c)
			} else {
				kept = append(kept, c)
			}
		}
		return kept, changed
	}
	a, aChanged := citations(old)
	b, bChanged := citations(now)
	if !slices.Equal(a, b) {
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("outside of what was amended the trees differ at %s and %s", a[i], b[i])
			}
		}
		t.Fatalf("%d and %d paragraphs", len(a), len(b))
	}
	t.Logf("%d paragraphs agree; of what was amended there are %d and %d", len(a), len(aChanged), len(bChanged))
	if len(a) < 900 {
		t.Errorf("only %d paragraphs were compared", len(a))
	}
}

// Levels that are inferred from markers are those that the Bureau's labels
// give: its JSON is turned into XML that has no labels, and read again.
func TestInferredLevelsAreTheLabelledOnes(t *testing.T) {
	var root labelledNode
	if err := json.Unmarshal(sharedFile(t, regEJSON), &root); err != nil {
		t.Fatal(err)
	}
	var x ecfrWriter
	x.WriteString(`<DIV5 N="1005" TYPE="PART" NODE="12:8.0.2.1"><HEAD>PART 1005</HEAD>`)
	root.asECFR(&x)
	x.WriteString(`</DIV5>`)
	parts, err := regs.Parse(context.Background(), []byte(x.String()), regs.Options{Name: "reg-e.xml"})
	if err != nil {
		t.Fatal(err)
	}
	inferred := map[string]string{}
	for _, r := range parts[0].Rules {
		inferred[r.Citation.String()] = regs.WordsHash(r.Text)
	}
	right, wrong := 0, 0
	for _, r := range parseReal(t, regEJSON).Rules {
		if r.Citation.Appendix != "" {
			continue // forms: their lists begin anew within a form
		}
		hash, ok := inferred[r.Citation.String()]
		if !ok || hash != regs.WordsHash(r.Text) && len(r.Text) > 0 && !strings.Contains(r.Text, "\n\n") {
			wrong++
			t.Logf("%s: found %v: %.80q", r.Citation, ok, r.Text)
			continue
		}
		right++
	}
	t.Logf("%d paragraphs right, %d wrong; %d reported as ambiguous", right, wrong, parts[0].Count(regs.ProblemAmbiguous))
	// The file itself puts two dozen elsewhere than their markers say: the label
	// ends in 4 and the marker is 1, or a parent is missing.
	if right < 1700 || wrong > 24 {
		t.Errorf("%d of %d paragraphs are not where the labels put them", wrong, right+wrong)
	}
}

type labelledNode struct {
	Label    []string
	Type     string `json:"node_type"`
	Title    string
	Text     string
	Marker   string
	Children []labelledNode
}

var reGluedHead = regexp.MustCompile(`^((?:\([A-Za-z0-9]+\)\s*)+)([A-Z][^.:]{2,110}\.)([A-Z“"(\[])`)

// ecfrWriter writes headings of the commentary as the eCFR does: some of the
// file's have lost their numbers, and the label has them.
type ecfrWriter struct {
	strings.Builder
	section, target string
}

func (x *ecfrWriter) commentHead(label []string) {
	at := slices.Index(label, "Interp")
	if section := label[1]; section != x.section {
		x.section, x.target = section, ""
		if section < "A" {
			fmt.Fprintf(x, "<HD2>Section 1005.%s</HD2>\n", section)
		} else {
			fmt.Fprintf(x, "<HD1>Appendix %s—Forms</HD1>\n", section)
		}
	}
	if target := strings.Join(label[2:at], ")("); target != x.target {
		x.target = target
		fmt.Fprintf(x, "<HD3>Paragraph %s(%s)</HD3>\n", label[1], target)
	}
}

func (n labelledNode) asECFR(x *ecfrWriter) {
	p := func(s string) { fmt.Fprintf(x, "<P>%s</P>\n", s) }
	e := html.EscapeString
	interp := slices.Contains(n.Label, "Interp")
	switch {
	case n.Type == "appendix":
		return
	case n.Type == "interp" && len(n.Label) == 2 && n.Label[1] == "Interp":
		x.WriteString(`<DIV9 N="Supplement I to Part 1005" TYPE="APPENDIX"><HEAD>` + e(n.Title) + "</HEAD>\n")
		defer x.WriteString("</DIV9>\n")
	case interp && n.Label[len(n.Label)-1] == "Interp":
		if n.Text != "" {
			x.commentHead(n.Label)
			p(e(n.Text))
		}
	case interp:
		x.commentHead(n.Label)
		marker := n.Label[len(n.Label)-1] + "."
		if at := slices.Index(n.Label, "Interp"); len(n.Label)-at > 4 {
			marker = "<I>" + strings.TrimSuffix(marker, ".") + ".</I>"
		}
		title := ""
		if n.Title != "" {
			title = "<I>" + e(n.Title) + "</I> "
		}
		p(marker + " " + title + e(n.Text))
	case len(n.Label) == 2:
		fmt.Fprintf(x, "<DIV8 N=\"1005.%s\" TYPE=\"SECTION\"><HEAD>%s</HEAD>\n", n.Label[1], e(n.Title))
		defer x.WriteString("</DIV8>\n")
		if n.Text != "" {
			p(e(n.Text))
		}
	case n.Type == "regtext" && len(n.Label) > 2:
		if n.Title != "" { // the JSON keeps it beside the text
			n.Text = n.Marker + " " + n.Title + strings.TrimPrefix(n.Text, n.Marker)
		}
		text := e(n.Text)
		if m := reGluedHead.FindStringSubmatch(n.Text); m != nil {
			text = e(m[1]) + "<I>" + e(m[2]) + "</I> " + e(n.Text[len(m[1])+len(m[2]):])
		}
		if len(n.Label) > 6 { // the last levels have italic markers
			text = strings.Replace(text, "("+n.Label[len(n.Label)-1]+")", "(<I>"+n.Label[len(n.Label)-1]+"</I>)", 1)
		}
		p(text)
	}
	for _, c := range n.Children {
		c.asECFR(x)
	}
}
