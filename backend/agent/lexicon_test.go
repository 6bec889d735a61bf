package agent_test

import (
	"testing"

	"veristream/backend/agent"
	"veristream/backend/audit"
)

func load(t *testing.T) *agent.Data {
	t.Helper()
	d, err := agent.LoadData()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func behaviour(t *testing.T, d *agent.Data, id string) *agent.Behaviour {
	t.Helper()
	for i := range d.Behaviours {
		if d.Behaviours[i].ID == id {
			return &d.Behaviours[i]
		}
	}
	t.Fatalf("there is no behaviour %q", id)
	return nil
}

func speech(lines ...string) []audit.Segment {
	var out []audit.Segment
	at := int64(0)
	for i, l := range lines {
		out = append(out, audit.Segment{ID: string(rune('a' + i)), Source: audit.Speech, StartMS: at, EndMS: at + 4000, Text: l})
		at += 4000
	}
	return out
}

// The lexicon finds a claim, and the cues round it say when it is none.
func TestLexicon(t *testing.T) {
	d := load(t)
	for _, tt := range []struct {
		behaviour string
		lines     []string
		at        int // which line is asked about
		found     bool
		plain     bool
	}{
		{"promise", []string{"You simply can’t end up with less than you put in."}, 0, true, true},
		{"promise", []string{"This will double your money, guaranteed."}, 0, true, true},
		{"promise", []string{"The floor is sort of built in."}, 0, true, true},
		{"promise", []string{"Returns are not guaranteed."}, 0, true, false},
		{"promise", []string{"Anyone who tells you it is guaranteed is running a scam."}, 0, true, false},
		{"promise", []string{"They will tell you that it is guaranteed.", "It is not true."}, 0, true, false},
		{"promise", []string{"Is it guaranteed?"}, 0, true, false},
		{"promise", []string{"Here is how bonds work."}, 0, false, false},
		{"projection", []string{"By Christmas it will be at two hundred."}, 0, true, true},
		{"projection", []string{"We will look at three kinds of bonds."}, 0, false, false},
		{"projection", []string{"Nobody knows whether it will hit two hundred by Christmas."}, 0, true, false},
		{"hypothetical_performance", []string{"Our back test shows eighteen percent a year."}, 0, true, true},
		{"tax_claim", []string{"Every dollar it pays you is tax free."}, 0, true, true},
		{"options_mention", []string{"You have three options for your old plan."}, 0, false, false},
		{"options_mention", []string{"Covered calls are easy."}, 0, true, true},
		{"sec_approval", []string{"The SEC has approved our numbers."}, 0, true, true},
		{"sec_approval", []string{"Our numbers are not approved by the SEC."}, 0, true, false},
	} {
		claims := agent.Claims(speech(tt.lines...))
		m := d.Lexicon(behaviour(t, d, tt.behaviour), claims, tt.at)
		if (m.Score > 0) != tt.found {
			t.Errorf("%s in %q: score %.1f, want found %v", tt.behaviour, tt.lines, m.Score, tt.found)
			continue
		}
		if tt.found && m.Plain() != tt.plain {
			t.Errorf("%s in %q: plain %v, want %v (%+v)", tt.behaviour, tt.lines, m.Plain(), tt.plain, m)
		}
	}
}

// Subtitles cut sentences in two, and segments hold several: a claim is one
// sentence either way, and its excerpt is always a run of one segment.
func TestClaims(t *testing.T) {
	segments := []audit.Segment{
		{ID: "s1", Source: audit.Speech, StartMS: 0, EndMS: 2000, Text: "You will never lose"},
		{ID: "s2", Source: audit.Speech, StartMS: 2100, EndMS: 4000, Text: "a cent. Next: bonds."},
		{ID: "s3", Source: audit.Speech, StartMS: 4000, EndMS: 5000, Text: "Thank you.", Flag: "stock phrase"},
		{ID: "o1", Source: audit.Screen, StartMS: 1000, EndMS: 3000, Text: "Paid ad"},
	}
	claims := agent.Claims(segments)
	var texts []string
	for _, c := range claims {
		texts = append(texts, c.Text)
		seg, excerpt := c.Excerpt(segments, c.Norm)
		if _, _, ok := cut(seg.Text, excerpt); !ok {
			t.Errorf("excerpt %q is not in segment %q", excerpt, seg.Text)
		}
	}
	want := []string{"You will never lose a cent.", "Paid ad", "Next: bonds."}
	if len(texts) != len(want) {
		t.Fatalf("claims %q, want %q", texts, want)
	}
	for i := range want {
		if texts[i] != want[i] {
			t.Errorf("claim %d is %q, want %q", i, texts[i], want[i])
		}
	}
	if claims[2].StartMS <= 2100 || claims[2].EndMS > 4000 {
		t.Errorf("a claim in the second half of a segment lies at %d to %d", claims[2].StartMS, claims[2].EndMS)
	}
}

func cut(text, part string) (before, after string, ok bool) {
	for i := 0; i+len(part) <= len(text); i++ {
		if text[i:i+len(part)] == part {
			return text[:i], text[i+len(part):], true
		}
	}
	return "", "", false
}
