package report_test

import (
	"bytes"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/report"
	"veristream/backend/report/sign"
)

// bench is what the attacks start from.
type bench struct {
	in    report.Input
	id    *sign.Identity // who signed
	other *sign.Identity // the attacker
	good  []byte
	trust report.Trust
}

func newBench(t *testing.T) *bench {
	b := &bench{in: withEvents(t, sample(t, 4)), id: identity(t, "Lena Brandt", when.Add(-time.Hour)), other: identity(t, "Lena Brandt", when.Add(-time.Hour))}
	b.good = signed(t, b.in, b.id)
	b.trust = report.Trust{Pinned: []*x509.Certificate{b.id.Certificate}, Now: when.Add(time.Hour), VideoSHA256: b.in.Result.Video.SHA256}
	return b
}

// with signs a changed copy of the audit with the attacker's identity, hashes
// and all.
func (b *bench) with(t *testing.T, change func(in *report.Input)) []byte {
	in := withEvents(t, sample(t, 4))
	change(&in)
	return signed(t, in, b.other)
}

type attack struct {
	name    string
	make    func(t *testing.T, b *bench) []byte
	verdict report.Verdict
	check   string // that names it
}

func flip(data []byte, at int) []byte {
	out := bytes.Clone(data)
	out[at] ^= 1
	return out
}

func after(t *testing.T, data []byte, s string, n int) int {
	t.Helper()
	at := bytes.Index(data, []byte(s))
	if at < 0 {
		t.Fatalf("%q is not in the file", s)
	}
	return at + len(s) + n
}

// rewritten lets a changed structure be signed anew by the attacker: what is
// caught then is caught by its shape alone.
func rewritten(change func(f *forger)) func(t *testing.T, b *bench) []byte {
	return func(t *testing.T, b *bench) []byte {
		f := take(t, b.good)
		change(f)
		return resign(t, f.file(), b.other)
	}
}

func attacks() []attack {
	return []attack{
		{"a byte of a page's text flipped", func(t *testing.T, b *bench) []byte {
			return flip(b.good, after(t, b.good, "/Filter /FlateDecode /Length ", 40))
		}, report.Changed, "signature"},
		{"a byte of a frame flipped", func(t *testing.T, b *bench) []byte { return flip(b.good, after(t, b.good, "/DCTDecode /Length ", 400)) }, report.Changed, "signature"},
		{"a byte of an attachment flipped", func(t *testing.T, b *bench) []byte { return flip(b.good, after(t, b.good, "/EmbeddedFile", 260)) }, report.Changed, "signature"},
		{"a byte of the signature flipped", func(_ *testing.T, b *bench) []byte {
			from, _ := hole(b.good)
			return flip(b.good, from+1200)
		}, report.Changed, "signature"},
		{"the signature's value zeroed", func(_ *testing.T, b *bench) []byte {
			out := bytes.Clone(b.good)
			from, to := hole(out)
			copy(out[from+11:to-1], bytes.Repeat([]byte("0"), to-from-12))
			return out
		}, report.Changed, "signature"},
		{"two attachments swapped by name", func(t *testing.T, b *bench) []byte {
			s := strings.NewReplacer("(transcript.txt)", "(transcript.srt)", "(transcript.srt)", "(transcript.txt)")
			return []byte(s.Replace(string(b.good)))
		}, report.Changed, "signature"},
		{"two attachments swapped, signed anew", rewritten(func(f *forger) {
			for i, o := range f.objects {
				if bytes.Contains(o, []byte("/Type /Filespec")) {
					f.objects[i] = []byte(strings.NewReplacer("(transcript.txt)", "(transcript.srt)", "(transcript.srt)", "(transcript.txt)").Replace(string(o)))
				}
			}
			n := f.find("/Type /Catalog")
			f.objects[n-1] = []byte(strings.NewReplacer("(transcript.txt)", "(transcript.srt)", "(transcript.srt)", "(transcript.txt)").Replace(string(f.objects[n-1])))
		}), report.Changed, "attachments"},
		{"an attachment removed, signed anew", rewritten(func(f *forger) { removeAttachment(f, "transcript.srt") }), report.Changed, "attachments"},
		{"an attachment added, signed anew", rewritten(func(f *forger) { addAttachment(f, "zz.txt", "new") }), report.Changed, "attachments"},
		{"a second attachment of one name, signed anew", rewritten(func(f *forger) { addAttachment(f, "transcript.txt", "other words") }), report.Changed, "attachments"},
		{"an attachment's content replaced, signed anew", rewritten(func(f *forger) {
			n := f.add("<< /Type /EmbeddedFile /Length 2 >>\nstream\n[]\nendstream")
			f.edit("/F (decisions.json)", "/F (decisions.json)")
			spec := f.find("/UF (decisions.json)")
			s := string(f.objects[spec-1])
			ef := s[strings.Index(s, "/EF << /F ")+len("/EF << /F "):]
			ref := ef[:strings.Index(ef, " R")+2]
			f.objects[spec-1] = []byte(strings.ReplaceAll(s, ref, fmt.Sprintf("%d 0 R", n)))
			drop(f, ref)
		}), report.Changed, "attachments"},
		{"a revision appended that changes a page", func(t *testing.T, b *bench) []byte {
			f := take(t, b.good)
			return revise(t, b.good, map[int]string{f.find("/Type /Outlines"): "<< /Type /Outlines /Count 0 >>"})
		}, report.Changed, "structure"},
		{"shadow: hidden content shown by a later revision", func(t *testing.T, b *bench) []byte {
			f := take(t, b.good)
			n := f.find("/StructParents 1")
			page := string(f.objects[n-1])
			page = page[strings.Index(page, "<<"):strings.LastIndex(page, "\nendobj")]
			over := fmt.Sprintf("<< /Length 44 >>\nstream\n%-44s\nendstream", "1 1 1 rg 0 0 595 842 re f")
			return revise(t, b.good, map[int]string{n: regexpReplace(page, `/Contents \d+ 0 R`, fmt.Sprintf("/Contents %d 0 R", len(f.objects)+1))}, over)
		}, report.Changed, "structure"},
		{"shadow: an object that nothing uses, placed before signing", rewritten(func(f *forger) { f.add("<< /Type /Page /Hidden true >>") }), report.Changed, "structure"},
		{"shadow: layers, placed before signing", rewritten(func(f *forger) {
			n := f.add("<< /Type /OCG /Name (x) >>")
			f.edit("/Type /Catalog", fmt.Sprintf("/Type /Catalog /OCProperties << /OCGs [%d 0 R] /D << >> >>", n))
		}), report.Changed, "coverage"},
		{"shadow: a text field over a page, placed before signing", rewritten(func(f *forger) {
			n := f.add("<< /Type /Annot /Subtype /Widget /FT /Tx /T (x) /Rect [0 0 500 500] >>")
			f.edit("/SigFlags 3", "/SigFlags 3 /DR << /X "+fmt.Sprintf("%d 0 R", n)+" >>")
		}), report.Changed, "coverage"},
		{"a second form field, signed anew", rewritten(func(f *forger) {
			n := f.add("<< /FT /Tx /T (amount) /V (1) >>")
			f.edit("/Fields [", fmt.Sprintf("/Fields [%d 0 R ", n))
		}), report.Changed, "coverage"},
		{"a script that runs when the file opens, signed anew", rewritten(func(f *forger) {
			f.edit("/Type /Catalog", "/Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>")
		}), report.Changed, "coverage"},
		{"a script on a link, signed anew", rewritten(func(f *forger) {
			f.edit("/Subtype /Link", "/Subtype /Link /A << /S /JavaScript /JS (x) >>")
		}), report.Changed, "coverage"},
		{"a script added by a revision", func(t *testing.T, b *bench) []byte {
			f := take(t, b.good)
			n := f.find("/Type /Catalog")
			body := string(f.objects[n-1])
			body = body[strings.Index(body, "<<"):strings.LastIndex(body, "\nendobj")]
			return revise(t, b.good, map[int]string{n: strings.Replace(body, "/Type /Catalog", "/Type /Catalog /OpenAction << /S /JavaScript /JS (x) >>", 1)})
		}, report.Changed, "structure"},
		{"a byte range that leaves out more, signed anew", func(t *testing.T, b *bench) []byte {
			out := bytes.Clone(b.good)
			from, to := hole(out)
			out = reRange.ReplaceAll(out, fmt.Appendf(nil, "/ByteRange [0 %010d %010d %010d]", from-30, to, len(out)-to))
			return out
		}, report.Changed, "coverage"},
		{"a byte range that ends before the file does", func(_ *testing.T, b *bench) []byte {
			from, to := hole(b.good)
			return reRange.ReplaceAll(bytes.Clone(b.good), fmt.Appendf(nil, "/ByteRange [0 %010d %010d %010d]", from, to, len(b.good)-to-100))
		}, report.Changed, "coverage"},
		{"a byte range that begins late", func(_ *testing.T, b *bench) []byte {
			from, to := hole(b.good)
			return reRange.ReplaceAll(bytes.Clone(b.good), fmt.Appendf(nil, "/ByteRange [9 %010d %010d %010d]", from-9, to, len(b.good)-to))
		}, report.Changed, "coverage"},
		{"changes allowed by the certification, signed anew", rewritten(func(f *forger) { f.edit("/TransformParams /P 1", "/TransformParams /P 3") }), report.Changed, "coverage"},
		{"a signature without certification, signed anew", rewritten(func(f *forger) {
			n := f.find("/Perms")
			f.objects[n-1] = []byte(regexpReplace(string(f.objects[n-1]), ` /Perms << /DocMDP \d+ 0 R >>`, ""))
		}), report.Changed, "coverage"},
		{"an older kind of signature, signed anew", rewritten(func(f *forger) { f.edit("/ETSI.CAdES.detached", "/adbe.pkcs7.detached") }), report.Changed, "coverage"},
		{"the signature removed", rewriteOnly(func(f *forger) {
			n := f.find("/Perms")
			f.objects[n-1] = []byte(regexpReplace(string(f.objects[n-1]), ` /AcroForm .*? /Perms << /DocMDP \d+ 0 R >>`, ""))
		}), report.Changed, "coverage"},
		{"a draft in its place", func(t *testing.T, b *bench) []byte {
			out, err := report.Render(t.Context(), b.in, nil)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}, report.Draft, "signature"},
		{"the certificate replaced by another for the same key", func(t *testing.T, b *bench) []byte { return swapCertificate(t, b) }, report.Changed, "signature"},
		{"the signature of another report", func(t *testing.T, b *bench) []byte {
			in := sample(t, 3)
			return transplant(b.good, signed(t, in, b.id))
		}, report.Changed, "signature"},
		{"a certificate that had run out", func(t *testing.T, b *bench) []byte {
			return resign(t, b.good, identity(t, "Lena Brandt", when.AddDate(-4, 0, 0)))
		}, report.Changed, "certificate"},
		{"a certificate that was not valid yet", func(t *testing.T, b *bench) []byte {
			return resign(t, b.good, identity(t, "Lena Brandt", when.AddDate(0, 0, 2)))
		}, report.Changed, "certificate"},
		{"a date in the future", func(t *testing.T, b *bench) []byte {
			in := sample(t, 2)
			in.Created = when.AddDate(1, 0, 0)
			return signed(t, in, b.other)
		}, report.Changed, "certificate"},
		{"the signing date moved", func(t *testing.T, b *bench) []byte {
			return bytes.Replace(bytes.Clone(b.good), []byte("/M (D:2026"), []byte("/M (D:2025"), 1)
		}, report.Changed, "signature"},
		{"another video", func(t *testing.T, b *bench) []byte {
			b.trust.VideoSHA256 = strings.Repeat("00", 32)
			return b.good
		}, report.OtherVideo, "video"},
		{"words changed and hashes recomputed, the old signature kept", func(t *testing.T, b *bench) []byte {
			forged := b.with(t, func(in *report.Input) { in.Result.Findings[1].Rationale = "Nothing is wrong here at all." })
			return transplant(forged, b.good)
		}, report.Changed, "signature"},
		{"words that are not in the transcript, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Result.Findings[0].Excerpt = "words that nobody said" })
		}, report.Changed, "words"},
		{"words at another place than they were said, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Result.Findings[0].SegmentID = "s2" })
		}, report.Changed, "words"},
		{"an official text that is not the one hashed, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Result.Findings[0].Rule.Official = true })
		}, report.Changed, "rules"},
		{"a decision about a finding that is not there, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) {
				in.Decisions = append(in.Decisions, audit.Decision{FindingID: "f999", Action: "dismiss", By: "x", At: when})
			})
		}, report.Changed, "decisions"},
		{"an event dropped, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Events = slices.Delete(in.Events, 3, 4) })
		}, report.Changed, "record"},
		{"events reordered, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Events[3], in.Events[4] = in.Events[4], in.Events[3] })
		}, report.Changed, "record"},
		{"an event altered, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Events[1].By = "somebody else" })
		}, report.Changed, "record"},
		{"an event's hash altered, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Events[2].Hash = strings.Repeat("ab", 32) })
		}, report.Changed, "record"},
		{"the record's end cut off, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Events = in.Events[:4] })
		}, report.Changed, "record"},
		{"a finding taken out and all hashes recomputed, the record kept, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Result.Findings = in.Result.Findings[:3] })
		}, report.Changed, "record"},
		{"a severity lowered and all hashes recomputed, the record kept, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Result.Findings[0].Severity = audit.Low })
		}, report.Changed, "record"},
		{"a decision's reason written anew, the record kept, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Decisions[1].Reason = "It was always so." })
		}, report.Changed, "record"},
		{"a decision left out, the record kept, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Decisions = in.Decisions[:1] })
		}, report.Changed, "record"},
		{"a decision that was never taken, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) {
				in.Decisions = append(in.Decisions, audit.Decision{FindingID: "f003", Action: "dismiss", Reason: "no", By: "Lena Brandt", At: when})
			})
		}, report.Changed, "record"},
		{"another prompt than the one that was used, signed", func(t *testing.T, b *bench) []byte {
			return b.with(t, func(in *report.Input) { in.Prompts = map[string]string{"judge.txt": "Say no to everything."} })
		}, report.Changed, "prompts"},
		{"cut off in the middle", func(_ *testing.T, b *bench) []byte { return b.good[:len(b.good)/2] }, report.Damaged, "structure"},
		{"cut off by one byte", func(_ *testing.T, b *bench) []byte { return b.good[:len(b.good)-1] }, report.Damaged, "structure"},
		{"cut off in the table of objects", func(_ *testing.T, b *bench) []byte { return b.good[:len(b.good)-300] }, report.Damaged, "structure"},
		{"an empty file", func(*testing.T, *bench) []byte { return nil }, report.NotOurs, "file"},
		{"a text file renamed", func(*testing.T, *bench) []byte { return []byte("Dear customer,\nall is well.\n") }, report.NotOurs, "file"},
		{"a PDF of another program", func(*testing.T, *bench) []byte {
			return []byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n")
		}, report.NotOurs, "file"},
		{"200 MB that only claim to be a PDF", func(t *testing.T, _ *bench) []byte {
			out := make([]byte, 200<<20)
			copy(out, "%PDF-1.7\n")
			return out
		}, report.NotOurs, "file"},
		{"200 MB behind the report", func(_ *testing.T, b *bench) []byte { return append(bytes.Clone(b.good), make([]byte, 200<<20)...) }, report.Changed, "structure"},
		{"one line break behind the report", func(_ *testing.T, b *bench) []byte { return append(bytes.Clone(b.good), '\n') }, report.Changed, "structure"},
		{"bytes before the report", func(_ *testing.T, b *bench) []byte { return append([]byte("%PDF-1.7\n"), b.good...) }, report.Changed, "structure"},
		{"bytes between two objects, signed anew", func(t *testing.T, b *bench) []byte {
			f := take(t, b.good)
			f.objects[0] = append(bytes.Clone(f.objects[0]), "% a note\n"...)
			return resign(t, f.file(), b.other)
		}, report.Changed, "structure"},
		{"encrypted with an empty password", func(t *testing.T, b *bench) []byte {
			return qpdf(t, b.good, "--encrypt", "", "owner", "256", "--")
		}, report.NotOurs, "structure"},
		{"rewritten by another program", func(t *testing.T, b *bench) []byte { return qpdf(t, b.good, "--object-streams=disable") }, report.Changed, "structure"},
		{"linearized by another program", func(t *testing.T, b *bench) []byte { return qpdf(t, b.good, "--linearize") }, report.Changed, "structure"},
	}
}

func rewriteOnly(change func(f *forger)) func(t *testing.T, b *bench) []byte {
	return func(t *testing.T, b *bench) []byte {
		f := take(t, b.good)
		change(f)
		return f.file()
	}
}

func TestAttacks(t *testing.T) {
	b := newBench(t)
	if v := report.Verify(b.good, b.trust); v.Verdict != report.Vouched {
		t.Fatalf("the good report: %s %+v", v.Verdict, v.Problems())
	}
	all := attacks()
	if len(all) < 25 {
		t.Fatalf("%d attacks", len(all))
	}
	for _, a := range all {
		t.Run(a.name, func(t *testing.T) {
			b := *b
			data := a.make(t, &b)
			if bytes.Equal(data, b.good) && a.verdict != report.OtherVideo {
				t.Fatal("the attack changed nothing")
			}
			v := report.Verify(data, b.trust)
			if v.Verdict != a.verdict || !v.Failed() {
				t.Errorf("verdict %q, want %q: %+v", v.Verdict, a.verdict, v.Checks)
			}
			if p := v.Problems(); len(p) == 0 || p[0].Name != a.check {
				t.Errorf("named by %+v, want %s", p, a.check)
			}
		})
	}
}

// A report that is made anew and signed by somebody else is whole; what gives
// it away is that nobody vouches for the signer.
func TestSignedByAnother(t *testing.T) {
	b := newBench(t)
	forged := b.with(t, func(in *report.Input) {
		in.Result.Findings = in.Result.Findings[:2]
		in.Decisions = nil
		*in = withEvents(t, *in)
	})
	v := report.Verify(forged, b.trust)
	if v.Verdict != report.NotVouched || v.Failed() {
		t.Errorf("verdict %q: %+v", v.Verdict, v.Problems())
	}
	if v.Signer.Certificate == sign.Fingerprint(b.id.Certificate) {
		t.Error("the forger's certificate passes for the signer's")
	}
}

// Any one byte that is changed is noticed, wherever it stands.
func TestEveryByteCounts(t *testing.T) {
	b := newBench(t)
	step := max(1, len(b.good)/250)
	from, to := hole(b.good)
	for at := 0; at < len(b.good); at += step {
		if at > from+1 && at < to-1 && bytes.Equal(bytes.Trim(b.good[at:to-1], "0"), nil) {
			continue // the padding behind the signature's object
		}
		if v := report.Verify(flip(b.good, at), b.trust); !v.Failed() {
			t.Fatalf("byte %d of %d was changed, and nothing shows it", at, len(b.good))
		}
	}
}

// swapCertificate makes another certificate for the signer's key, of the same
// issuer, number and length, and puts it into the signature.
func swapCertificate(t *testing.T, b *bench) []byte {
	t.Helper()
	old := b.id.Certificate
	for range 200 {
		template := *old
		template.NotAfter = old.NotAfter.AddDate(5, 0, 0)
		raw, err := x509.CreateCertificate(rand.Reader, &template, &template, b.id.Key.Public(), b.id.Key)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) == len(old.Raw) {
			return bytes.Replace(b.good, []byte(hex.EncodeToString(old.Raw)), []byte(hex.EncodeToString(raw)), 1)
		}
	}
	t.Fatal("no certificate of the same length")
	return nil
}

func qpdf(t *testing.T, data []byte, args ...string) []byte {
	t.Helper()
	path, err := exec.LookPath("qpdf")
	if err != nil {
		missing(t, "qpdf is not installed (Debian: qpdf)")
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.pdf"), filepath.Join(dir, "out.pdf")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, append(args, in, out)...)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("qpdf: %v\n%s", err, msg)
	}
	changed, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// missing skips a test whose tool is not there, loudly.
func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}
