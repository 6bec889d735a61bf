// Command rules measures how the official texts are read and writes the
// figures as Markdown:
//
//	go run ./eval/rules ../shared/regs > eval/RULES.md
//
// Every text is read in a process of its own, so that time and memory are its
// own; nothing is embedded and nothing is stored.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"veristream/backend/audit"
	"veristream/backend/chunk"
	backendregs "veristream/backend/regs"
	"veristream/regs"
)

// figures are what one text comes to.
type figures struct {
	File      string                `json:"file"`
	Error     string                `json:"error,omitempty"`
	Text      audit.Text            `json:"text"`
	Bytes     int                   `json:"bytes"`
	Sections  int                   `json:"sections"`
	Rules     int                   `json:"rules"`
	Passages  int                   `json:"passages"`
	Parents   int                   `json:"parents"`
	Longest   int                   `json:"longest"`
	Problems  []backendregs.Problem `json:"problems"`
	Seconds   float64               `json:"seconds"`
	PeakRSSMB int64                 `json:"peak_rss_mb"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 2 && args[0] == "-one" {
		return json.NewEncoder(os.Stdout).Encode(measure(args[1]))
	}
	if len(args) != 1 {
		return errors.New("usage: rules DIR")
	}
	var all []figures
	err := filepath.WalkDir(args[0], func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, "SOURCES.md") || strings.HasSuffix(path, "outline.md") {
			return err
		}
		f, err := inChild(path)
		if err != nil {
			return fmt.Errorf("measure %s: %w", path, err)
		}
		if f.File, err = filepath.Rel(args[0], path); err != nil {
			return fmt.Errorf("name %s: %w", path, err)
		}
		all = append(all, f)
		return nil
	})
	if err != nil {
		return err
	}
	print(all)
	return printCitations(args[0])
}

// printCitations says how many of the hand-checked citations resolve.
func printCitations(dir string) error {
	raw, err := os.ReadFile("eval/citations.json")
	if err != nil {
		return fmt.Errorf("read the hand-checked citations: %w", err)
	}
	var list struct {
		Citations []struct{ Cite, Citation, Source, Begins string }
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("read the hand-checked citations: %w", err)
	}
	texts := map[string]map[string]audit.Rule{}
	right := 0
	for _, c := range list.Citations {
		if texts[c.Source] == nil {
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.Source)))
			if err != nil {
				return err
			}
			parts, err := backendregs.Parse(context.Background(), data, backendregs.Options{Name: c.Source})
			if err != nil {
				return err
			}
			texts[c.Source] = map[string]audit.Rule{}
			for _, p := range parts {
				for _, r := range p.Rules {
					if _, twice := texts[c.Source][r.Citation.String()]; !twice {
						texts[c.Source][r.Citation.String()] = r
					}
				}
			}
		}
		parsed, err := audit.ParseCitation(c.Cite)
		if err != nil {
			continue
		}
		r, ok := backendregs.Resolve(texts[c.Source], parsed)
		if ok && r.Citation.String() == c.Citation && strings.HasPrefix(strings.Join(strings.Fields(r.Text), " "), c.Begins) {
			right++
		}
	}
	fmt.Printf("\n## Hand-checked citations\n\n%d of the %d citations in eval/citations.json resolve to exactly their paragraph.\n", right, len(list.Citations))
	return nil
}

// inChild measures one file in a process of its own.
func inChild(path string) (figures, error) {
	self, err := os.Executable()
	if err != nil {
		return figures{}, err
	}
	cmd := exec.CommandContext(context.Background(), self, "-one", path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return figures{}, err
	}
	var f figures
	if err := json.Unmarshal(out, &f); err != nil {
		return figures{}, err
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		f.PeakRSSMB = u.Maxrss / 1024
	}
	return f, nil
}

func measure(path string) figures {
	f := figures{File: path}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Error = err.Error()
		return f
	}
	catalogue, err := backendregs.LoadCatalogue(regs.Files, "sources.yaml")
	if err != nil {
		f.Error = err.Error()
		return f
	}
	begun := time.Now()
	parts, err := backendregs.Parse(context.Background(), data, backendregs.Options{Name: filepath.Base(path), Known: catalogue.Sources})
	if err != nil {
		f.Error = audit.SentenceOf(err)
		return f
	}
	f.Bytes = len(data)
	for _, p := range parts {
		f.Text = p.Text
		f.Sections += p.Sections()
		f.Rules += len(p.Rules)
		f.Problems = append(f.Problems, p.Problems...)
		for _, q := range chunk.Rules(p.Text, p.Rules) {
			if q.Meta["role"] == "parent" {
				f.Parents++
				continue
			}
			f.Passages++
			f.Longest = max(f.Longest, chunk.Tokens(q.Text()))
		}
	}
	f.Seconds = time.Since(begun).Seconds()
	return f
}

func print(all []figures) {
	slices.SortFunc(all, func(a, b figures) int { return strings.Compare(a.File, b.File) })
	fmt.Println("# How the official texts are read")
	fmt.Println()
	fmt.Println("Written by `go run ./eval/rules ../shared/regs`. Seconds and memory are those of a process that reads the file and cuts it into")
	fmt.Println("passages, without embedding and storing; they depend on the machine and on what else it does. What is listed as gap, duplicate")
	fmt.Println("or skipped is so in the file. That no word is lost, that two years of Regulation E agree, and that inferred levels are the labelled")
	fmt.Println("ones is held by tests in backend/regs (real_test.go, agree_test.go).")
	fmt.Println()
	fmt.Println("| text | format | sections | paragraphs | passages | parents | longest passage (tokens) | ambiguous | gaps | duplicates | skipped | seconds | peak MB |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, f := range all {
		if f.Error != "" {
			fmt.Printf("| %s | not read: %s | | | | | | | | | | | |\n", f.File, f.Error)
			continue
		}
		n := map[backendregs.ProblemKind]int{}
		for _, p := range f.Problems {
			n[p.Kind]++
		}
		fmt.Printf("| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.1f | %d |\n", f.File, f.Text.Format, f.Sections, f.Rules, f.Passages,
			f.Parents, f.Longest, n[backendregs.ProblemAmbiguous], n[backendregs.ProblemGap], n[backendregs.ProblemDuplicate],
			n[backendregs.ProblemSkipped], f.Seconds, f.PeakRSSMB)
	}
	for _, f := range all {
		if len(f.Problems) == 0 {
			continue
		}
		fmt.Printf("\n## %s\n\n", f.File)
		for _, p := range f.Problems {
			what := p.What
			if i := strings.Index(what, `: "`); i >= 0 {
				what = what[:i] // the words of the text are not repeated here
			}
			fmt.Printf("- %s: %s\n", p.Kind, strings.TrimSpace(p.Citation+" "+what))
		}
	}
}
