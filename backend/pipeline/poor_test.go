package pipeline_test

import (
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/pipeline"
	"veristream/backend/report"
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
		said := lines()
		for i := range said {
			for w := range int64(20) {
				said[i].Words = append(said[i].Words, audit.Word{Text: "word", StartMS: said[i].StartMS + w*20, EndMS: said[i].StartMS + w*20 + 20, Probability: tt.p})
			}
		}
		r, err := newPipeline(t, &memory{}, &spoken{lines: said}, yes()).Run(t.Context(), pipeline.Job{ID: "1", Path: path, AsOf: "2026-01-01", Track: -1, NoLLM: true}, nil)
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
		german := strings.Join(report.InLanguage(r, "de").Notices, " ")
		if strings.Contains(german, "Schlechte Stellen: 0:00–0:02.") != (tt.want != "") || strings.Contains(german, "Originaltext") {
			t.Errorf("%.1f: in German %q", tt.p, german)
		}
	}
}
