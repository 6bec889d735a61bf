package pipeline_test

import (
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/pipeline"
	"veristream/backend/said"
)

// An audit of poor sound says where the words are uncertain, in both languages;
// one of clear sound does not.
func TestPoorSoundIsTold(t *testing.T) {
	path := sound(t)
	for _, tt := range []struct {
		p    float64
		want string
	}{
		{0.9, ""},
		{0.3, "The sound is poor: 100 % of the words are uncertain there. Compare the transcript with the video. Poor stretches: 0:00–0:02."},
	} {
		heard := lines()
		for i := range heard {
			for w := range int64(20) {
				heard[i].Words = append(heard[i].Words, audit.Word{Text: "word", StartMS: heard[i].StartMS + w*20, EndMS: heard[i].StartMS + w*20 + 20, Probability: tt.p})
			}
		}
		r, err := newPipeline(t, &memory{}, &spoken{lines: heard}, yes()).Run(t.Context(), pipeline.Job{ID: "1", Path: path, AsOf: "2026-01-01", Track: -1, NoLLM: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range r.Notices {
			if strings.HasPrefix(n, "The sound") {
				got = n
			}
		}
		if got != tt.want {
			t.Errorf("%.1f: %q, want %q", tt.p, got, tt.want)
		}
		translated, _ := said.InLanguage(r, "de")
		german := strings.Join(translated.Notices, " ")
		if strings.Contains(german, "Schlechte Stellen: 0:00–0:02.") != (tt.want != "") || strings.Contains(german, "Originaltext") {
			t.Errorf("%.1f: in German %q", tt.p, german)
		}
	}
}
