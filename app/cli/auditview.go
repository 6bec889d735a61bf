package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"veristream/app/measures"
	"veristream/backend/audit"
	"veristream/backend/pipeline"
)

// stageNames are the stages as people read them.
var stageNames = map[pipeline.Stage]string{
	pipeline.StageProbe: "look at the file", pipeline.StageAudio: "take out the sound",
	pipeline.StageTranscribe: "write down speech", pipeline.StageScreen: "read screens",
	pipeline.StageScreening: "look for claims", pipeline.StageJudge: "judge claims",
	pipeline.StageTests: "tests over the whole video", pipeline.StageVerify: "verify words and citations",
}

// auditProgress shows how an audit goes: one line that is written over on a
// terminal, one line a stage elsewhere.
type auditProgress struct {
	w        io.Writer
	quiet    bool
	terminal bool

	mu   sync.Mutex
	last time.Time
	line int // length of the line on the terminal
}

func newAuditProgress(w io.Writer, quiet bool) *auditProgress {
	f, ok := w.(*os.File)
	return &auditProgress{w: w, quiet: quiet, terminal: ok && term.IsTerminal(int(f.Fd()))}
}

func (p *auditProgress) observe(e pipeline.Event) {
	if p.quiet || e.Progress == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	g := e.Progress
	name := stageNames[g.Stage]
	switch g.State {
	case pipeline.Runs:
		if !p.terminal || time.Since(p.last) < 100*time.Millisecond {
			return
		}
		p.last = time.Now()
		p.over(name + share(g))
	case pipeline.Done:
		note := fmt.Sprintf("%.1f s", g.Elapsed.Seconds())
		if g.Cached {
			note = "from an earlier run"
		}
		p.write(fmt.Sprintf("  %-28s %s", name, note))
	case pipeline.Failed:
		p.write(fmt.Sprintf("  %-28s failed", name))
	case pipeline.Skipped:
		p.write(fmt.Sprintf("  %-28s left out: %s", name, g.Note))
	}
}

func share(g *pipeline.Progress) string {
	var b strings.Builder
	if g.Total > 0 {
		fmt.Fprintf(&b, " %3d%%", g.Done*100/g.Total)
	}
	if g.Left > 0 {
		fmt.Fprintf(&b, ", %s left", g.Left.Round(time.Second))
	}
	if g.Note != "" {
		b.WriteString(" (" + g.Note + ")")
	}
	return b.String()
}

// over writes over the line on the terminal.
func (p *auditProgress) over(s string) {
	pad := max(0, p.line-len(s))
	fmt.Fprintf(p.w, "\r  %s%s", s, strings.Repeat(" ", pad))
	p.line = len(s)
}

func (p *auditProgress) write(s string) {
	if p.terminal && p.line > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.line+2))
		p.line = 0
	}
	fmt.Fprintln(p.w, s)
}

func (p *auditProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal && p.line > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.line+2))
		p.line = 0
	}
}

// printAudit writes a result for a person at a terminal.
func (a *App) printAudit(r *audit.Result) {
	w := a.Out
	fmt.Fprintf(w, "%s  %s  sha256 %s\n", r.Video.Title, stamp(r.Video.DurationMS), short(r.Video.SHA256))
	fmt.Fprintf(w, "rules as of %s; %s\n", r.AsOf, summary(r))
	if r.Since != nil {
		fmt.Fprintln(w, sinceLine(r.Since))
	}
	fmt.Fprintln(w)
	var measured measures.Run // stays empty where nothing was measured
	if figures, err := measures.Load(); err == nil {
		measured, _ = figures.For(r.Run.Models["llm"].Name)
	}
	for _, f := range r.Findings {
		where := stamp(f.StartMS)
		if f.Source != audit.Speech {
			where += " on " + string(f.Source)
		}
		fmt.Fprintf(w, "%-6s  %s  %s  %s  [%s]\n", strings.ToUpper(string(f.Severity)), where, f.Citation, category(f.Category), words(string(f.Status)))
		if f.Excerpt != "" {
			fmt.Fprintf(w, "        “%s”\n", f.Excerpt)
		}
		for _, line := range sinceFinding(r.Since, f.ID) {
			fmt.Fprintln(w, "        "+line)
		}
		for _, line := range wrap(f.Rationale, 92) {
			fmt.Fprintln(w, "        "+line)
		}
		if f.Evidence != "" {
			for _, line := range wrap("Evidence: "+f.Evidence, 92) {
				fmt.Fprintln(w, "        "+line)
			}
		}
		for _, line := range wrap("Applies: "+f.Applies, 92) {
			fmt.Fprintln(w, "        "+line)
		}
		for _, line := range wrap("Remedy: "+f.Remedy, 92) {
			fmt.Fprintln(w, "        "+line)
		}
		if c, ok := measured.Category(f.Category); ok && c.Right+c.Wrong > 0 {
			fmt.Fprintf(w, "        Measured: %d of %d findings of this kind were right on labelled cases.\n", c.Right, c.Right+c.Wrong)
		}
		fmt.Fprintln(w)
	}
	if r.Since != nil {
		printResolved(w, r.Since)
	}
	if len(r.NotApplicable) > 0 {
		fmt.Fprintln(w, "Not applicable:")
		for _, n := range r.NotApplicable {
			fmt.Fprintf(w, "  %s: %s\n", n.Citation, n.Reason)
		}
		fmt.Fprintln(w)
	}
	for _, p := range r.Proposed {
		if p.SegmentID == "" { // the site says it, not the video
			fmt.Fprintf(w, "The site suggests %s = %s: %s. Confirm it in the facts.\n", p.Fact, p.Value, p.Excerpt)
			continue
		}
		fmt.Fprintf(w, "The video suggests %s = %s at %s: “%s”. Confirm it in the facts.\n", p.Fact, p.Value, stamp(p.StartMS), p.Excerpt)
	}
	for _, n := range r.Notices {
		fmt.Fprintln(w, "Note: "+n)
	}
	var clear, unchecked int
	for _, c := range r.Checked {
		switch c.Result {
		case audit.ResultClear:
			clear++
		case audit.ResultNotChecked:
			unchecked++
		}
	}
	fmt.Fprintf(w, "Checked and clear: %d categories; not checked: %d; candidates dropped: %d.\n", clear, unchecked, len(r.Dropped))
	for _, kind := range []string{"whisper", "embedder", "reranker", "llm"} {
		if m, ok := r.Run.Models[kind]; ok && m.Note != "" {
			fmt.Fprintf(w, "Note: %s.\n", m.Note)
		}
	}
	fmt.Fprintln(w, "These are potential issues for a person to decide. This is not legal advice.")
}

func summary(r *audit.Result) string {
	n := map[audit.Severity]int{}
	for _, f := range r.Findings {
		n[f.Severity]++
	}
	if len(r.Findings) == 0 {
		return "no potential issue was found"
	}
	return fmt.Sprintf("%d potential issues: %d high, %d medium, %d low", len(r.Findings), n[audit.High], n[audit.Medium], n[audit.Low])
}

func stamp(ms int64) string {
	if ms >= 3_600_000 {
		return fmt.Sprintf("%d:%02d:%02d.%d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms/100%10)
	}
	return fmt.Sprintf("%02d:%02d.%d", ms/60_000, ms/1000%60, ms/100%10)
}

func short(hash string) string { return hash[:min(12, len(hash))] }

func words(s string) string { return strings.ReplaceAll(s, "_", " ") }

// category turns an id into words: "finra_promissory" is "promissory".
func category(id string) string {
	for _, p := range []string{"ftc_", "sec_", "finra_"} {
		id = strings.TrimPrefix(id, p)
	}
	return words(id)
}
