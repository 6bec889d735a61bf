package regs_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"mime/quotedprintable"
	"strings"
	"testing"

	"veristream/backend/regs"
)

// Pages in the shapes of the sites that people save them from; all their words
// are invented.

// FINRA's article element is the book's navigation, the rule stands in an
// element of its own, and its history in a table at the end.
const finraPage = `<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title></head><body><header>Cookies</header>
<article><ul><li><a href="#">2900. Inventions</a></li><li><a href="#">2999. Invented Communications</a></li></ul></article>
<div id="the-rule"><h1><span>2999. Invented Communications</span></h1>
<ul class="nav"><li><a href="#">The Rule</a></li><li><a href="#">Notices</a></li></ul>
<div id="block-body"><div class="field--name-body">
<div class="indent_firstpara"><strong>(a) Definitions</strong></div>
<div class="indent_firstpara"><p>In this Rule:</p>
<div class="indent_secondpara">(1) A "Memo" is a <a href="#">letter</a>.<sup>1</sup></div>
<div class="indent_secondpara">(2) It costs $500<sup>2</sup> or more.</div></div>
<p>• • • Supplementary Material: --------------</p>
<div>.01 Filing of Memos. A memo is filed.<div>(a) First of all.</div></div>
<table class="footnote"><tr><td>1. A note.<br/>Amended by SR-FINRA-2999-001 eff. Jan. 1, 2999.<br/>Selected Notice: 99-06.</td></tr></table>
</div></div></div><footer>Contact</footer></body></html>`

// The eCFR wraps every marker in elements and nests a paragraph's children.
const ecfrPage = `<!DOCTYPE html><html><body><main id="main">
<div class="box"><p>Displaying title 16, up to date as of 8/01/2026. Title 16 was last amended 7/15/2026.</p></div>
<div class="section" id="255.9"><h4>§ 255.9 Invented things.</h4>
<div id="p-255.9(a)"><p class="indent-1" data-title="255.9(a)"><span class="paragraph-hierarchy"><span class="paren">(</span>a<span class="paren">)</span></span> <em class="paragraph-heading">General.</em> Words.</p></div>
<div id="p-255.9(b)"><p class="indent-1"><span class="paragraph-hierarchy"><span class="paren">(</span>b<span class="paren">)</span></span> <em class="paragraph-heading">Examples:</em></p>
<div><p class="indent-2"><span><span class="paren">(</span>1<span class="paren">)</span></span><span><span class="paren">(</span>i<span class="paren">)</span></span> <em>Example 1.</em> A firm writes.</p>
<div><p class="indent-3"><span><span class="paren">(</span>ii<span class="paren">)</span></span> It writes again.</p></div></div></div>
<p class="citation">[88 FR 1, July 26, 2023]</p></div></main></body></html>`

// Cornell heads a section with its whole citation, and says it twice.
const cornellPage = `<!DOCTYPE html><html><body><header>LII</header><main>
<ul><li><a href="#">LII</a></li><li>16 CFR § 255.9 - Invented things.</li></ul>
<h1 id="page_title"> 16 CFR § 255.9 - Invented things.</h1><p><a href="#">prev</a> | <a href="#">next</a></p>
<div class="psection-1">(a) <em>General.</em> Words.</div>
<div class="psection-1">(b) <em>Examples:</em><div class="psection-2">(1)<div class="psection-3">(i) <em>Example 1.</em> A firm writes.</div>
<div class="psection-3">(ii) It writes again.</div></div></div></main></body></html>`

// webArchive saves a page as a browser does in a single file.
func webArchive(page string) string {
	var body bytes.Buffer
	w := quotedprintable.NewWriter(&body)
	_, _ = w.Write([]byte(page)) // a buffer takes everything
	_ = w.Close()
	return "From: <Saved by a browser>\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"--b\"\r\n\r\n" +
		"----b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" + body.String() + "\r\n----b--\r\n"
}

func TestPagesOfTheOffices(t *testing.T) {
	section := "16 CFR 255.9\n16 CFR 255.9(a)\n16 CFR 255.9(b)\n16 CFR 255.9(b)(1)\n16 CFR 255.9(b)(1)(i)\n16 CFR 255.9(b)(1)(ii)"
	rule := "FINRA 2999\nFINRA 2999(a)\nFINRA 2999(a)(1)\nFINRA 2999(a)(2)\nFINRA 2999.01\nFINRA 2999.01(a)"
	base64Archive := "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		base64.StdEncoding.EncodeToString([]byte(finraPage)) + "\r\n--b--\r\n"
	for name, tt := range map[string]struct{ page, want, asOf string }{
		"FINRA":                    {finraPage, rule, ""},
		"the eCFR":                 {ecfrPage, section, "2026-08-01"},
		"Cornell":                  {cornellPage, section, ""},
		"FINRA in a web archive":   {webArchive(finraPage), rule, ""},
		"Cornell in a web archive": {webArchive(cornellPage), section, ""},
		"a web archive in base64":  {base64Archive, rule, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := parseText(t, tt.page)
			if got := citationsOf(p); got != tt.want {
				t.Fatalf("got\n%s", got)
			}
			if p.Text.AsOf != tt.asOf || len(p.Problems) > 0 {
				t.Errorf("as of %q, problems %v", p.Text.AsOf, p.Problems)
			}
			for _, r := range p.Rules {
				for _, other := range []string{"The Rule", "Notice", "Amended", "A note", "prev", "88 FR", "Contact"} {
					if strings.Contains(r.Text, other) {
						t.Errorf("%s holds what is none of the rule: %q", r.Citation, r.Text)
					}
				}
			}
		})
	}
	// A footnote's number does not change an amount.
	for _, r := range parseText(t, finraPage).Rules {
		if r.Citation.String() == "FINRA 2999(a)(2)" && r.Text != "(2) It costs $500² or more." {
			t.Errorf("got %q", r.Text)
		}
	}
}

// The bulk data wraps all of a title's parts, and dates the volume.
func TestBulkData(t *testing.T) {
	parts, err := regs.Parse(context.Background(), []byte(`<?xml version="1.0" encoding="UTF-8" ?><DLPSTEXTCLASS><HEADER><FILEDESC><TITLESTMT><TITLE>Title 31</TITLE></TITLESTMT></FILEDESC></HEADER>
<TEXT><BODY><ECFRBRWS><AMDDATE>Sept. 3, 2026</AMDDATE><DIV1 N="3" NODE="31:3" TYPE="TITLE"><HEAD>Title 31</HEAD>
<DIV5 N="1020" NODE="31:3.1.6.1.2" TYPE="PART"><HEAD>PART 1020—INVENTED</HEAD><AUTH><HED>Authority:</HED><PSPACE>12 U.S.C. 1.</PSPACE></AUTH>
<DIV8 N="§ 1020.2" TYPE="SECTION"><HEAD>§ 1020.2   Things.</HEAD><P>(a) <I>Minimum</I>—(1) <I>In general.</I> Words.</P><P>(2) <I>Those:</I></P><P>(i) <I>Data</I>—(A) <I>All.</I> These:</P>
<P>(<I>1</I>) Name;</P><P>(<I>2</I>) Address:</P><P>(<I>i</I>) Street; or</P><P>(<I>ii</I>) Town.</P><P>(B) <I>None.</I></P><P>(ii) [Reserved]</P><P>(b)-(c) [Reserved]</P><P>(d) Last.</P><CITA TYPE="N">[75 FR 1]</CITA></DIV8>
<DIV8 N="§ 1020.3" TYPE="SECTION"><HEAD>§ 1020.3   [Reserved]</HEAD></DIV8></DIV5>
<DIV5 N="1021" TYPE="PART"><HEAD>PART 1021—OTHER</HEAD><DIV8 N="§ 1021.1" TYPE="SECTION"><HEAD>§ 1021.1   Else.</HEAD><P>Words cost 10<SU>3</SU>.</P></DIV8></DIV5></DIV1></ECFRBRWS></BODY></TEXT></DLPSTEXTCLASS>`), regs.Options{Name: "ECFR-title31.xml"})
	if err != nil || len(parts) != 2 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	want := "1020.2 (a) (a)(1) (a)(2) (a)(2)(i) (a)(2)(i)(A) (a)(2)(i)(A)(1) (a)(2)(i)(A)(2) (a)(2)(i)(A)(2)(i) (a)(2)(i)(A)(2)(ii) (a)(2)(i)(B) (a)(2)(ii) (b) (c) (d) 31 CFR 1020.3"
	got := strings.ReplaceAll(strings.ReplaceAll(citationsOf(parts[0]), "31 CFR 1020.2", ""), "\n", " ")
	if "1020.2"+got != want {
		t.Errorf("got %s", got)
	}
	if parts[0].Text.ID != "31-cfr-1020@2026-09-03" || len(parts[0].Problems) > 0 {
		t.Errorf("%s, %v", parts[0].Text.ID, parts[0].Problems)
	}
	if r := parts[1].Rules[0]; r.Citation.String() != "31 CFR 1021.1" || r.Text != "Words cost 10³." {
		t.Errorf("%s: %q", r.Citation, r.Text)
	}
}

// A name that gives the Federal Register's document tells the year.
func TestDatesInNames(t *testing.T) {
	for name, want := range map[string]string{
		"guide-2025-01-02.txt": "2025-01-02", "eregs_2018-01305.txt": "2018-12-31", "2018-013056.txt": "", "12018-01305.txt": "", "guide.txt": "",
	} {
		parts, err := regs.Parse(context.Background(), []byte(section("(a) Words.")), regs.Options{Name: name})
		if err != nil || parts[0].Text.AsOf != want {
			t.Errorf("%s: %q, %v", name, parts[0].Text.AsOf, err)
		}
		if (parts[0].Document != "") != (want == "2018-12-31") {
			t.Errorf("%s: the document is %q", name, parts[0].Document)
		}
	}
}
