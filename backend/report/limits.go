package report

import (
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// limits says what the report cannot tell.
func (f *flow) limits(in *Input, signed bool) {
	f.title(f.t("What this report cannot tell"), "limits")
	f.para(plain(f.t("A program read this video and people decided. Both miss things. This report is no legal finding and no legal advice, and it does not say that anything in the video is allowed.")))
	f.measured(in)
	f.part(f.t("This video"))
	rows := [][2]string{
		{"Speech", f.speech(in.Result.Segments)},
		{"Screen", f.screen(in)},
		{"Models missing", f.missing(in.Result.Run.Models)},
		{"Not looked at", f.t("Gestures, tone of voice, pictures without text, and pages behind links.")},
	}
	if text := f.corrections(in); text != "" {
		rows = append(rows, [2]string{"Corrections", text})
	}
	f.pairs(rows, nil)
	f.part(f.t("The signature"))
	if !signed {
		f.para(plain(f.t("This file is a draft. It bears no signature, and nothing shows whether it was changed.")))
	} else {
		f.para(plain(f.t("A signature made with an identity of one's own making shows that the file has not changed since that key signed it. It does not show who the signer is: for that, compare the certificate's fingerprint with one that the signer gave you by another way, or sign with a certificate that somebody vouches for. The date is that of the signer's own computer unless a time stamp is attached.")))
	}
	f.part(f.t("The record"))
	f.para(plain(f.t("Every event is chained to the one before it by its digest, so that a change, a swap or a gap inside the record shows. Not detected: cutting off what came after the last report, and a rewrite of everything by someone who holds the database and the key. Keep the head that is printed here in another place.")))
}

func (f *flow) speech(segs []audit.Segment) string {
	lines, sum, known, out := 0, 0.0, 0, map[string]int{}
	for _, s := range segs {
		if s.Source != audit.Speech {
			continue
		}
		if s.Flag != "" {
			out[s.Flag]++
			continue
		}
		lines++
		if s.Confidence > 0 {
			sum += s.Confidence
			known++
		}
	}
	text := f.count(lines, "One line", "%d lines") + "."
	if known > 0 {
		text += " " + f.f("Mean certainty of the recogniser %s.", fmt.Sprintf("%.2f", sum/float64(known)))
	}
	for _, flag := range sortedKeys(out) {
		text += " " + f.f("Left out: %d (%s).", out[flag], f.word(flag))
	}
	return text
}

func (f *flow) screen(in *Input) string {
	n := 0
	for _, s := range in.Result.Segments {
		if s.Source == audit.Screen {
			n++
		}
	}
	if n == 0 {
		return f.t("No text was read from the picture.")
	}
	return f.count(n, "One text was read.", "%d texts were read.") + " " + f.t("Text that is shown very briefly or very small can be missed.")
}

func (f *flow) missing(models map[string]audit.ModelInfo) string {
	var out []string
	for _, id := range sortedKeys(models) {
		if models[id].Note != "" {
			out = append(out, models[id].Note)
		}
	}
	if len(out) == 0 {
		return f.t("none")
	}
	return strings.Join(out, "; ")
}

// reproducing lists what it takes to get the same result again.
func (f *flow) reproducing(in *Input) {
	r := in.Result
	f.title(f.t("What it takes to get this again"), "reproducing")
	f.para(plain(f.t("With these parts, the same facts and the same file, the same findings are written again. All of it is attached to this file: audit.json has the findings, manifest.json the digest of every part.")))
	three := []column{{"", 0.22, false}, {"", 0.34, false}, {"", 0.44, false}}
	f.part(f.t("Program and rules"))
	rows := [][]cell{
		{words("VeriStream"), words(orNot(f, r.Run.Version) + platform(in.Program)), digest(in.Program.SHA256)},
		{words(f.t("Rule cards")), words(f.t("version")), digest(r.Run.RulesVersion)},
		{words(f.t("Rules as of")), words(f.day(r.AsOf)), words("")},
	}
	for _, t := range in.Texts {
		rows = append(rows, []cell{words(f.t("Official text")), words(t.Part + ", " + f.day(t.AsOf)), digest(t.SHA256)})
	}
	if len(in.Texts) == 0 {
		rows = append(rows, []cell{words(f.t("Official text")), words(f.t("none installed")), words("")})
	}
	f.table(three, rows)
	f.part(f.t("Models"))
	rows = nil
	for _, id := range sortedKeys(r.Run.Models) {
		m := r.Run.Models[id]
		name := m.Name
		if m.Note != "" {
			name = m.Note
		}
		rows = append(rows, []cell{words(id), words(name), digest(m.SHA256)})
	}
	f.table(three, rows)
	if len(r.Run.Prompts) > 0 {
		f.part(f.t("Prompts"))
		rows = nil
		for _, id := range sortedKeys(r.Run.Prompts) {
			where := f.t("attached")
			if in.Prompts[id] == "" {
				where = f.t("this version has another text")
			}
			rows = append(rows, []cell{words(id), words(where), digest(r.Run.Prompts[id])})
		}
		f.table(three, rows)
	}
	f.part(f.t("The run"))
	rows = [][]cell{
		{words(f.t("Begun")), words(f.moment(r.Run.StartedAt)), words("")},
		{words(f.t("Language model")), words(f.f("%d calls", r.Run.LLM.Calls)), words(f.f("%d tokens read, %d written", r.Run.LLM.PromptTokens, r.Run.LLM.OutputTokens))},
	}
	for _, s := range r.Run.Stages {
		what := f.f("%d ms", s.MS)
		if s.Cached {
			what = f.t("kept from an earlier run")
		}
		rows = append(rows, []cell{words(f.word(s.Name)), words(what), words("")})
	}
	f.table(three, rows)
	f.part(f.t("Record"))
	f.pairs([][2]string{{"Events", itoa(in.Record.Events)}, {"Head", orNot(f, in.Record.Hash)}}, map[string]bool{"Head": true})
	f.part(f.t("Check it"))
	f.box(boxed{small, []pdf.Span{mono("veristream verify REPORT.pdf --video " + fileOf(r.Video.Path))}})
	f.note(plain(f.t("Other programs check the signature too: any reader of PDF that knows PAdES signatures.")))
	f.part(f.t("Keeping"))
	f.para(plain(f.t("Information only: rules for US broker-dealers ask that communications be kept for three years (17 CFR 240.17a-4), rules for advisers that advertisements be kept for five (17 CFR 275.204-2). This file is designed to support such keeping; whether it is enough, a person must say.")))
}

func orNot(f *flow, s string) string {
	if s == "" {
		return f.t("not known")
	}
	return s
}

func platform(p Program) string {
	if p.Platform == "" {
		return ""
	}
	return ", " + p.Platform
}

func digest(s string) cell { return cell{spans: []pdf.Span{{Text: s, Color: ink2, Weight: pdf.Mono}}} }

func fileOf(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		path = path[i+1:]
	}
	return path
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
