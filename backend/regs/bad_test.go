package regs_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/regs"
)

func zipped(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each bad file gives one sentence that says what is wrong with it.
func TestBadFiles(t *testing.T) {
	div := `<DIV8 N="255.9" TYPE="SECTION"><HEAD>§ 255.9 Things.</HEAD>`
	bomb := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>`
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":                 {nil, "empty"},
		"spaces":                  {[]byte(" \n\t"), "empty"},
		"a zip named .xml":        {zipped(t, "x.xml", div), "ZIP archive"},
		"gzip":                    {gzipped(t, div), "gzip"},
		"binary":                  {[]byte("\x01\x02\x00\x03 text"), "binary"},
		"other JSON":              {[]byte(`{"name": "x"}`), "JSON, but no regulation"},
		"JSON without a root":     {[]byte(`{"node_type": "regtext", "label": []}`), "no label"},
		"JSON cut off":            {[]byte(`{"node_type": "regtext", "label": ["1005"], "children": [`), "not well-formed"},
		"JSON nested deeply":      {[]byte(`{"node_type":"x","label":["1005"],"children":` + strings.Repeat(`[{"children":`, 100_000)), "nests more than"},
		"other XML":               {[]byte(`<?xml version="1.0"?><invoice/>`), "neither the eCFR's nor the Bureau's"},
		"an entity bomb":          {[]byte(bomb + `<x>&c;</x>`), "entities"},
		"an entity bomb in DIV8":  {[]byte(bomb + div + `<P>(a) &c;</P></DIV8>`), "entities"},
		"100,000 elements deep":   {[]byte(div + strings.Repeat("<Q>", 100_000)), "nests more than"},
		"XML cut off":             {[]byte(div + `<P>(a) Words and no end`), "ends in the middle"},
		"XML closed crosswise":    {[]byte(div + "\n<P>(a) <I>Words.</P></I></DIV8>"), "line 2 that is not open"},
		"XML closed twice":        {[]byte(div + `</DIV8></DIV8></DIV8>`), "not open"},
		"bad UTF-8 in XML":        {[]byte(div + "<P>(a) W\xff\xfeords.</P></DIV8>"), "not well-formed"},
		"bad UTF-8 in JSON":       {[]byte(`{"label":["1005"],"node_type":"regtext",` + "\n" + `"text":"W` + "\xff\xfe" + `","children":[]}`), "Line 2"},
		"bad UTF-8 in a page":     {[]byte(`<!DOCTYPE html><meta charset="utf-8"><h4>§ 255.9 T.</h4>` + "\n<p>(a) W\xff</p>"), "Line 2"},
		"an empty web archive":    {[]byte("MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b--\r\n"), "no page"},
		"a cut web archive":       {[]byte("MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<h4>"), "damaged"},
		"an archive of Safari":    {[]byte("bplist00\x00\x01"), "Safari"},
		"bad UTF-8 in text":       {[]byte("§ 255.9 Things.\n\n(a) W\xff\xfeords.\n"), "Line 3"},
		"text without a rule":     {[]byte("Dear reader,\n\nthis is a letter.\n"), "No rule was found"},
		"a page without a rule":   {[]byte("<!DOCTYPE html><html><body><p>Hello</p></body></html>"), "No rule was found"},
		"RegML without a part":    {[]byte(`<?xml version="1.0"?><regulation xmlns="eregs"></regulation>`), "no part"},
		"a PDF that is none":      {[]byte("%PDF-1.4\nrubbish"), "PDF"},
		"eCFR XML without a rule": {[]byte(`<DIV5 N="255" TYPE="PART"><HEAD>PART 255</HEAD></DIV5>`), "no section"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := regs.Parse(context.Background(), tt.data, regs.Options{Name: "x"})
			if err == nil {
				t.Fatal("taken")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want %q in it", err, tt.want)
			}
			if code := audit.CodeOf(err); code != audit.CodeInput && code != audit.CodeMissing {
				t.Errorf("the code is %s", code)
			}
			if s := audit.SentenceOf(err); strings.Contains(s, "\n") || len(s) > 300 {
				t.Errorf("not one sentence: %q", s)
			}
		})
	}
}

// What unfolds without being refused is still bounded: markers without end, a
// page of tags, one line of megabytes.
func TestHugeFilesAreReadInBoundedMemory(t *testing.T) {
	for name, data := range map[string]string{
		"100,000 markers in a row": "§ 255.9 Things.\n\n" + strings.Repeat("(a)", 100_000),
		"100,000 open tags":        "<html><body>" + strings.Repeat("<div><b>", 100_000) + "<h4>§ 255.9 Things.</h4><p>(a) Words.",
		"one long line":            "§ 255.9 Things.\n\n(a) " + strings.Repeat("words and (b) more words ", 160_000),
		"40,000 paragraphs":        "§ 255.9 Things.\n\n" + strings.Repeat("(a) A.\n\n(1) One.\n\n", 20_000),
		"4 MB of brackets":         "§ 255.9 Things.\n\n(a) " + strings.Repeat("(", 4<<20),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			parts, err := regs.Parse(context.Background(), []byte(data), regs.Options{Name: "x"})
			runtime.ReadMemStats(&after)
			if err == nil && len(parts[0].Rules) == 0 {
				t.Error("neither an error nor a rule")
			}
			if mb := (after.HeapSys - before.HeapSys) >> 20; after.HeapSys > before.HeapSys && mb > 400 {
				t.Errorf("the heap grew by %d MB", mb)
			}
		})
	}
}

func TestParsingCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := regs.Parse(ctx, []byte(`<DIV8 N="255.9" TYPE="SECTION"><HEAD>§ 255.9 T.</HEAD><P>(a) W.</P></DIV8>`), regs.Options{Name: "x"})
	if audit.CodeOf(err) != audit.CodeCancelled {
		t.Errorf("got %v", err)
	}
}

// fuzz reads anything without a panic, and what it takes for rules has
// citations that parse to themselves.
func fuzz(f *testing.F, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 || bytes.HasPrefix(data, []byte("%PDF")) {
			t.Skip("long, or work for another program")
		}
		parts, err := regs.Parse(context.Background(), data, regs.Options{Name: "x"})
		if err != nil {
			return
		}
		for _, p := range parts {
			for _, r := range p.Rules {
				again, err := audit.ParseCitation(r.Citation.String())
				if err != nil || !again.Equal(r.Citation) {
					t.Fatalf("%q does not parse to itself: %q, %v", r.Citation, again, err)
				}
			}
			for _, piece := range p.Pieces {
				if piece.Rule >= len(p.Rules) {
					t.Fatalf("a piece of paragraph %d of %d", piece.Rule, len(p.Rules))
				}
			}
		}
	})
}

func FuzzText(f *testing.F) {
	fuzz(f, finraRule, section("(a) A:", "(1) One; and", "(i)-(iii) [Reserved]"), "# X\n\n## § 255.9 *T*.\n\n(a) _W_ | a | b |\n",
		"§ 230.1 Definitions.\n\n“A” means b.\n\n“C” means d.\n", "x\fPage 1\f§ 1.1 Y.\n(a) z\f")
}

func FuzzECFR(f *testing.F) {
	fuzz(f, `<DIV5 N="1026" TYPE="PART"><HEAD>PART 1026</HEAD><DIV8 N="1026.1" TYPE="SECTION"><HEAD>§ 1026.1 T.</HEAD><P>(a) <I>H.</I> W (<I>1</I>)</P><TABLE><TR><TD>1</TD></TR></TABLE></DIV8>`+
		`<DIV9 N="Appendix G to Part 1026" TYPE="APPENDIX"><HEAD>Appendix G to Part 1026—F</HEAD><HD1>G-1(A)—X</HEAD></HD1><FP>(a) W</FP></DIV9>`+
		`<DIV9 N="Supplement I to Part 1026" TYPE="APPENDIX"><HEAD>Supplement I to Part 1026—Official Interpretations</HEAD><HD2>Section 1026.1</HD2><P>1. <I>H.</I> i. W</P></DIV9></DIV5>`)
}

func FuzzRegML(f *testing.F) {
	fuzz(f, `<?xml version="1.0"?><regulation xmlns="eregs"><part label="1005"><content><section label="1005-2"><subject>§ 1005.2 T.</subject><paragraph label="1005-2-a" marker="(a)"><title>H.</title><content>W <ref>x</ref></content></paragraph></section>`+
		`<interpretations label="1005-Interp"><interpSection label="1005-2-Interp"><title>Section 1005.2</title><interpParagraph label="1005-2-Interp-1" marker="1."><content>W</content></interpParagraph></interpSection></interpretations></content></part></regulation>`,
		`<regulation xmlns="eregs"><part label="1005"><content><section label="1005-"><subject>§</subject></section></content></part></regulation>`)
}

func FuzzERegs(f *testing.F) {
	fuzz(f, `{"label":["1005"],"node_type":"regtext","title":"T","text":"","children":[{"label":["1005","2"],"node_type":"regtext","title":"§ 1005.2 T.","text":"W","children":[{"label":["1005","2","a"],"node_type":"regtext","marker":"(a)","text":"(a) H.W","children":[]}]},`+
		`{"label":["1005","2","Interp","1"],"node_type":"interp","title":"H.","marker":"1.","text":"W","children":[]},{"label":["1005","A","30a"],"node_type":"appendix","title":"A-30(a)—X","text":"","children":[]}]}`)
}

func FuzzHTML(f *testing.F) {
	fuzz(f, "<!DOCTYPE html><html><body><main><h4>§ 255.9 T.</h4><p>(a) <em>H.</em> W<br>(1) x</p><table><tr><td>1</table></main>",
		finraPage, webArchive(cornellPage))
}

// FuzzCards reads anything as a user's house rules: an error names the file and
// its line, and what is taken can be merged and cut into passages.
func FuzzCards(f *testing.F) {
	raw, err := os.ReadFile("testdata/cards/acme.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{string(raw), "source: {id: x}\ncards: [{citation: A 1}]", "cards: &a [*a]", "- \xff", "source: !!binary x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := regs.LoadCards(fstest.MapFS{"cards/x.yaml": {Data: data}}, "cards")
		if err != nil {
			if !strings.Contains(audit.SentenceOf(err), "x.yaml") {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		for _, p := range chunk.Cards(set.Cards) {
			if p.Citation == "" {
				t.Fatal("a card without a citation was taken")
			}
		}
	})
}
