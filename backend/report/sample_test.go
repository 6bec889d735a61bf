package report_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/report"
)

var when = time.Date(2026, 11, 25, 14, 3, 5, 0, time.UTC)

const prompt = "You judge invented words.\n"

var promptSHA256 = fmt.Sprintf("%x", sha256.Sum256([]byte(prompt)))

// sample makes an audit with n findings: spoken, shown and missing ones, in
// several scripts, decided and open.
func sample(t testing.TB, n int) report.Input {
	t.Helper()
	r := &audit.Result{
		Said:   audit.Said{},
		Schema: 1, ID: "20261124-101500-abcdefgh", AsOf: "2026-11-24",
		Video: audit.Video{Path: "/videos/harbour street ep31.mp4", SHA256: strings.Repeat("8c1e07d2", 8), DurationMS: 252600, Title: "The boring half: why I moved to the Harbour note", HasVideo: true},
		Facts: audit.Facts{Speaker: "paid_endorser", Audience: "retail", Options: "no", Sponsor: "finra_member", Published: "2026-11-24"},
		Run: audit.Run{
			Version: "0.1.0-test", StartedAt: when.Add(-time.Hour), RulesVersion: strings.Repeat("1ac902fe", 8),
			Models: map[string]audit.ModelInfo{
				"whisper":  {Name: "whisper-base", SHA256: strings.Repeat("af68", 16)},
				"reranker": {Name: "none", Note: "rerank: not installed"},
			},
			Prompts: map[string]string{"judge.txt": promptSHA256, "older.txt": strings.Repeat("f3a4", 16)},
			Stages:  []audit.StageRun{{Name: "transcribe", MS: 12400}, {Name: "audit", MS: 31000, Cached: true}},
			LLM:     audit.LLMUse{Calls: 31, PromptTokens: 41000, OutputTokens: 900},
		},
	}
	says := []string{
		"You get nine point five percent a year, guaranteed.", "There are details, they’re on the screen, pause it if you like.",
		"Das ist keine Anlageberatung, sondern meine Meinung – größer, schöner, weiß.", "这只基金保证每年百分之九的回报，没有任何风险。",
		"هذا الاستثمار مضمون بنسبة 100% ولا يوجد فيه أي خطر.", "To the moon 🚀🚀 with zero risk 👍🏽 honestly.",
		"ההשקעה הזאת בטוחה לגמרי.", "必ず儲かります。リスクはありません。", "원금이 보장됩니다.",
		"A word that never ends: " + strings.Repeat("Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz", 3) + ".",
		"Hidden \u202Eesrever\u202C marks, a tab\there, and \U00013080.",
	}
	step := max(int64(1), 252600/int64(n+12))
	for i := range n + 11 {
		s := audit.Segment{ID: fmt.Sprintf("s%d", i), Source: audit.Speech, StartMS: int64(i) * step, EndMS: int64(i+1) * step, Text: says[i%len(says)], Confidence: 0.94}
		if i%7 == 3 {
			s.Source, s.Box = audit.Screen, &audit.Box{X: 0.08, Y: 0.85, Width: 0.5, Height: 0.06}
		}
		if i == 5 {
			s.Flag = "music"
		}
		r.Segments = append(r.Segments, s)
	}
	in := report.Input{
		Result: r, Language: "en", Created: when,
		Titles:   map[string]string{"promise": "False, exaggerated, unwarranted or promissory claim", "legend": "Essential matter only in a legend or footnote", "tie": "Undisclosed material connection"},
		Record:   report.Head{Events: 212, Hash: strings.Repeat("d41f09be", 8)},
		Program:  report.Program{Version: "0.1.0-test", Platform: "linux/amd64", SHA256: strings.Repeat("e0c17730", 8)},
		Prepared: report.Person{Name: "Lena Brandt", Organisation: "Calder Reach Securities", At: when},
		Prompts:  map[string]string{"judge.txt": prompt},
		Texts:    []audit.Text{{ID: "ftc@2026", Part: "16 CFR 255", AsOf: "2026-11-03", SHA256: strings.Repeat("b77e", 16)}},
		Measured: &report.Measured{
			At: when.Add(-48 * time.Hour), Cases: 99, Half: "test", Models: map[string]string{"reranker": "rerank: not installed"},
			Total: report.Measure{Precision: &report.Share{Value: 0.58, Low: 0.47, High: 0.69, N: 83}, Recall: &report.Share{Value: 0.51, Low: 0.4, High: 0.61, N: 91}},
			Categories: map[string]report.Measure{
				"promise": {Precision: &report.Share{Value: 0.81, Low: 0.67, High: 0.9, N: 42}, Recall: &report.Share{Value: 0.86, Low: 0.72, High: 0.93, N: 42}},
				"tie":     {Recall: &report.Share{Value: 0, Low: 0, High: 0.66, N: 2}},
			},
		},
	}
	for i := range n {
		seg := r.Segments[i]
		f := audit.Finding{
			ID: fmt.Sprintf("f%03d", i+1), Category: []string{"promise", "legend", "tie"}[i%3], Regulator: "FINRA", Citation: "FINRA 2210(d)(1)(B)",
			Severity: []audit.Severity{audit.High, audit.Medium, audit.Low}[i%3], Status: audit.Confirmed, Source: seg.Source, SegmentID: seg.ID,
			StartMS: seg.StartMS, EndMS: seg.EndMS, Excerpt: seg.Text,
			Rationale: r.Said.Say(audit.Say("{=0}: these words may be a violation of {1}.", "Promise of a result or of safety", "FINRA 2210(d)(1)(B)").And(audit.Quote("en", "What a firm cannot know it does not promise."))),
			Remedy:    "Take out the promise; say what may happen and what it depends on.",
			Applies:   "A member firm pays for the video; the finding lies against the firm.",
			Rule:      audit.RuleRef{Citation: "FINRA 2210(d)(1)(B)", Title: "No false, exaggerated or promissory claims", Text: "An invented short text of a rule for this test.", SHA256: strings.Repeat("90ab", 16), AsOf: "2026-11-24"},
		}
		if i%3 == 2 {
			f.Excerpt, f.Citation, f.Status = "", "16 CFR 255.5(a)", audit.NeedsReview
			f.Evidence = r.Said.Say(audit.Say("Looked through {0} spoken, shown or written sentences for words that tell of a tie to the seller: none were found.", "14"))
		}
		if w := []rune(seg.Text); i%3 == 0 && len(w) > 20 {
			f.Excerpt = string(w[4 : len(w)-4])
		}
		r.Findings = append(r.Findings, f)
		switch i % 5 {
		case 0:
			in.Decisions = append(in.Decisions, audit.Decision{FindingID: f.ID, Action: "accept", By: "Lena Brandt", At: when})
		case 1:
			in.Decisions = append(in.Decisions, audit.Decision{FindingID: f.ID, Action: "dismiss", Reason: "The condition is said in the sentence before.", By: "Lena Brandt", At: when})
		}
		if seg.Source == audit.Screen {
			in.Frames = append(in.Frames, report.Frame{FindingID: f.ID, AtMS: seg.StartMS, JPEG: still(t, i)})
		}
	}
	r.Checked = []audit.Checked{{Category: "promise", Result: audit.ResultFinding}, {Category: "legend", Result: audit.ResultClear}, {Category: "tie", Result: audit.ResultNotChecked, Note: "There is no text to check."}}
	r.NotApplicable = []audit.NotApplicable{{Regulator: "SEC", Citation: "17 CFR 275.206(4)-1(a)(1)", Reason: "The speaker is not an adviser registered with the SEC."}}
	r.Dropped = []audit.Dropped{{Reason: "The words do not stand in the transcript at this place.", Excerpt: "guaranteed forever", Citation: "FINRA 2210(d)(1)(B)", StartMS: 1200}}
	return in
}

func still(t testing.TB, i int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 640, 360))
	for y := range 360 {
		for x := range 640 {
			img.Set(x, y, color.RGBA{uint8(x / 4), uint8(y / 3), uint8(40 + i%100), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 80}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
