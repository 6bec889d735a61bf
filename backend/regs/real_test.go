package regs_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/regs"
	cardfiles "veristream/regs"
)

// The real texts, which are not part of the project.
const (
	ftcFile    = "ftc/16cfr255_ecfr_2026-08-01.md"
	secText    = "sec/17cfr275.206(4)-1.txt"
	secMD      = "sec/17cfr275.206(4)-1.md"
	finraText  = "finra/finra_2210.txt"
	finraLines = "finra/finra_2210_pdf_lines.txt"
	finra2010  = "finra/finra_2010.txt"
	regZFile   = "reg_z/regZ_12cfr1026_ecfr_2026-08-06.xml"
	regEJSON   = "reg_e/regE_12cfr1005_eregs_2018-01305.json"
	regEXML    = "reg_e/regE_12cfr1005_regml_2016-24506.xml"
)

// sharedFile reads a real text. Where the folder is absent the test is skipped
// and says so.
func sharedFile(t testing.TB, name string) []byte {
	t.Helper()
	dir := os.Getenv("VERISTREAM_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "regs", filepath.FromSlash(name)))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("SKIPPED: the real text %s is not in %s (set VERISTREAM_SHARED)", name, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func catalogue(t testing.TB) regs.Catalogue {
	t.Helper()
	c, err := regs.LoadCatalogue(cardfiles.Files, "sources.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// parsedReal keeps what was read: Regulation Z takes seconds, and no test
// changes it.
var parsedReal sync.Map

func parseReal(t testing.TB, name string) *regs.Parsed {
	t.Helper()
	if p, ok := parsedReal.Load(name); ok {
		return p.(*regs.Parsed)
	}
	data := sharedFile(t, name)
	parts, err := regs.Parse(context.Background(), data, regs.Options{Name: filepath.Base(name), Known: catalogue(t).Sources})
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) != 1 {
		t.Fatalf("%s came apart into %d texts", name, len(parts))
	}
	parsedReal.Store(name, parts[0])
	return parts[0]
}

func TestRealTextsHaveTheirParagraphs(t *testing.T) {
	for _, tt := range []struct {
		file, id, format string
		sections         int
		least            int
		ambiguous        int
	}{
		{ftcFile, "ftc-255@2026-08-01", "Markdown", 7, 148, 0},
		{secText, "sec-206-4-1@", "text", 1, 116, 0},
		{secMD, "sec-206-4-1@", "Markdown", 1, 116, 0},
		{finraText, "finra-2210@", "text", 1, 165, 0},
		{finraLines, "finra-2210@", "text", 1, 165, 0},
		{finra2010, "finra-2010@", "text", 1, 1, 0},
		{regZFile, "reg-z@2026-08-06", "eCFR XML", 80, 8000, 20},
		{regEJSON, "reg-e@2018-12-31", "eRegs JSON", 30, 1700, 0},
		{regEXML, "reg-e@2016-11-14", "RegML", 30, 1300, 0},
	} {
		t.Run(tt.file, func(t *testing.T) {
			p := parseReal(t, tt.file)
			if p.Text.ID != tt.id || p.Text.Format != tt.format {
				t.Errorf("the text is %s, %s", p.Text.ID, p.Text.Format)
			}
			if len(p.Rules) < tt.least || p.Sections() < tt.sections {
				t.Errorf("%d paragraphs in %d sections; at least %d in %d are there", len(p.Rules), p.Sections(), tt.least, tt.sections)
			}
			if n := p.Count(regs.ProblemAmbiguous); n > tt.ambiguous {
				t.Errorf("%d ambiguous markers", n)
			}
			for _, r := range p.Rules {
				again, err := audit.ParseCitation(r.Citation.String())
				if err != nil || !again.Equal(r.Citation) {
					t.Errorf("the citation %q does not parse to itself: %q, %v", r.Citation, again, err)
				}
				if r.Text == "" && r.Title == "" {
					t.Errorf("%s has neither words nor a title", r.Citation)
				}
			}
		})
	}
}

// No paragraph is lost: the words of all pieces, in order, are the words of
// the file, which this test takes from it in ways of its own.
func TestNoWordOfARealTextIsLost(t *testing.T) {
	for _, tt := range []struct {
		file string
		read func(*testing.T, []byte) string
	}{
		{ftcFile, plainWords},
		{secText, plainWords},
		{secMD, plainWords},
		{finraText, plainWords},
		{finraLines, plainWords},
		{finra2010, plainWords},
		{regZFile, ecfrWords},
		{regEJSON, eregsWords},
		{regEXML, regmlWords},
	} {
		t.Run(tt.file, func(t *testing.T) {
			want := words(tt.read(t, sharedFile(t, tt.file)))
			p := parseReal(t, tt.file)
			var b strings.Builder
			for _, piece := range p.Pieces {
				if piece.Kind != regs.PieceImage {
					b.WriteString(piece.Text + "\n")
				}
			}
			got := words(b.String())
			for i := 0; i < min(len(got), len(want)); i++ {
				if got[i] != want[i] {
					t.Fatalf("word %d is %q, in the file %q; before it: %s", i, got[i], want[i], strings.Join(want[max(0, i-8):i], " "))
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%d words, in the file %d", len(got), len(want))
			}
			total := 0
			for _, r := range p.Rules {
				total += len(words(r.Text))
			}
			t.Logf("%d words, %d of them in %d paragraphs", len(got), total, len(p.Rules))
			byRule := make([]string, len(p.Rules))
			for _, piece := range p.Pieces {
				if piece.Rule >= 0 {
					byRule[piece.Rule] += piece.Text + " "
				}
			}
			for i, r := range p.Rules {
				if strings.Join(words(byRule[i]), " ") != strings.Join(words(r.Text), " ") {
					t.Fatalf("%s does not have the words of its pieces", r.Citation)
				}
			}
		})
	}
}

// words are runs of letters and digits: what a carrier does with quotation
// marks, dashes and table borders does not count.
var reWord = regexp.MustCompile(`[\p{L}\p{N}]+`)

func words(s string) []string {
	// Soft hyphens divide no word, and the eCFR spells one heading over two lines.
	return reWord.FindAllString(strings.ReplaceAll(s, "\u00ad", ""), -1)
}

func plainWords(_ *testing.T, data []byte) string { return string(data) }

// ecfrWords takes the character data of every element, with a space where one
// ends that is not within a line.
func ecfrWords(t *testing.T, data []byte) string {
	inline := map[string]bool{"I": true, "E": true, "SU": true, "FR": true, "strong": true}
	return xmlWords(t, data, func(path []string) bool { return true }, inline)
}

func regmlWords(t *testing.T, data []byte) string {
	inline := map[string]bool{"ref": true, "def": true, "em": true}
	skip := map[string]bool{"fdsys": true, "preamble": true, "tableOfContents": true, "analysis": true, "graphic": true}
	return xmlWords(t, data, func(path []string) bool {
		for _, p := range path {
			if skip[p] {
				return false
			}
		}
		return true
	}, inline)
}

func xmlWords(t *testing.T, data []byte, in func([]string) bool, inline map[string]bool) string {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(string(data)))
	var b strings.Builder
	var path []string
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			path = append(path, tok.Name.Local)
			if !inline[tok.Name.Local] {
				b.WriteByte('\n')
			}
			for _, a := range tok.Attr { // RegML keeps markers in attributes
				if a.Name.Local == "marker" && a.Value != "Interp" && in(path) {
					b.WriteString(a.Value + " ")
				}
			}
		case xml.EndElement:
			path = path[:len(path)-1]
			if !inline[tok.Name.Local] {
				b.WriteByte('\n')
			}
		case xml.CharData:
			if in(path) {
				b.Write(tok)
			}
		}
	}
}

func eregsWords(t *testing.T, data []byte) string {
	t.Helper()
	type node struct {
		Label    []string
		Title    string
		Text     string
		Marker   string
		Type     string `json:"node_type"`
		Children []node
	}
	var root node
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(node)
	walk = func(n node) {
		// A paragraph is its marker, its heading and its text, in this order.
		if n.Marker != "Interp" {
			b.WriteString(n.Marker + " ")
			n.Text = strings.TrimPrefix(n.Text, n.Marker)
		}
		if !strings.HasPrefix(n.Text, "![") {
			// The JSON has lost the space between a heading and its text.
			b.WriteString(n.Title + "\n" + regexp.MustCompile(`([.:;])([A-Z“])`).ReplaceAllString(n.Text, "$1 $2") + "\n")
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(root)
	return b.String()
}

// Two readings of one rule, by different carriers, have the same tree.
func TestTwoReadingsAgree(t *testing.T) {
	for _, pair := range [][2]string{{secText, secMD}, {finraText, finraLines}} {
		a, b := parseReal(t, pair[0]), parseReal(t, pair[1])
		if len(a.Rules) != len(b.Rules) {
			t.Errorf("%s has %d paragraphs, %s has %d", pair[0], len(a.Rules), pair[1], len(b.Rules))
			continue
		}
		for i := range a.Rules {
			if !a.Rules[i].Citation.Equal(b.Rules[i].Citation) {
				t.Errorf("paragraph %d is %s and %s", i, a.Rules[i].Citation, b.Rules[i].Citation)
			}
			if x, y := regs.WordsHash(a.Rules[i].Text), regs.WordsHash(b.Rules[i].Text); x != y {
				t.Errorf("%s reads differently:\n%s\n%s", a.Rules[i].Citation, a.Rules[i].Text, b.Rules[i].Text)
			}
		}
	}
}

// A rule printed as a PDF of ten pages, with running titles, has the paragraphs
// and the words that it has as a text; what a page cuts has both its numbers.
func TestARuleAsPDF(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("SKIPPED: pdftotext is not installed (package poppler-utils)")
	}
	// The carrier has put bullets before the markers, and an empty line at each page.
	text := regexp.MustCompile(`(?m)^- `).ReplaceAllString(string(sharedFile(t, finraLines)), "")
	var pages [][]string
	printed := strings.Split(strings.Trim(text, "\n"), "\n\n")
	for i, page := range printed {
		lines := append([]string{"The Manual - The Rules", ""}, strings.Split(strings.Trim(page, "\n"), "\n")...)
		pages = append(pages, append(lines, "", fmt.Sprintf("www.example.org/2210    Page %d of %d", i+1, len(printed))))
	}
	parts, err := regs.Parse(context.Background(), pdfOf(pages...), regs.Options{Name: "2210.pdf", Known: catalogue(t).Sources})
	if err != nil {
		t.Fatal(err)
	}
	got, want := parts[0].Rules, parseReal(t, finraText).Rules
	if len(got) != len(want) || len(pages) != 10 {
		t.Fatalf("%d paragraphs, as a text %d; %d pages", len(got), len(want), len(pages))
	}
	crossing := 0
	for i := range want {
		if !got[i].Citation.Equal(want[i].Citation) || regs.WordsHash(got[i].Text) != regs.WordsHash(want[i].Text) {
			t.Errorf("%s is as a text %s:\n%s\n%s", got[i].Citation, want[i].Citation, got[i].Text, want[i].Text)
		}
		if got[i].LastPage == got[i].FirstPage+1 {
			crossing++
		}
	}
	if crossing == 0 {
		t.Error("no paragraph goes on over a page")
	}
	t.Logf("%d paragraphs go on over a page", crossing)
}
