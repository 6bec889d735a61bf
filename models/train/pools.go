//go:build ignore

// Pools writes what the cross-encoder gets to read: for each line "paragraph,
// type, question" of a file the texts that a search puts before it.
//
//	go run models/train/pools.go INDEX QUESTIONS.tsv OUT.jsonl
//
// The everyday questions' own lists are left out, or the paragraph that a
// question was written for would always come first.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"

	"veristream/app/dirs"
	"veristream/app/finder"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
	"veristream/backend/store"
)

// reader takes the place of the cross-encoder and keeps what it was given.
type reader struct{ texts []string }

func (r *reader) ModelID() string { return "reader" }

func (r *reader) Rerank(_ context.Context, _ string, passages []string) ([]float32, error) {
	r.texts = passages
	return make([]float32, len(passages)), nil
}

func main() {
	if err := pools(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func pools(ctx context.Context, index, questions, out string) error {
	st, err := store.Open(ctx, index)
	if err != nil {
		return err
	}
	defer st.Close()
	find, err := finder.With(ctx, st, dirs.Find())
	if err != nil {
		return err
	}
	defer find.Close()
	data, err := os.ReadFile(questions)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	defer w.Flush()
	opts := retrieve.Defaults()
	opts.WeightAsks, opts.Asked, opts.Links = 0, 0, 0

	var mu sync.Mutex
	var wg sync.WaitGroup
	lines := make(chan string)
	for range 3 {
		wg.Go(func() {
			for line := range lines {
				part := strings.SplitN(line, "\t", 3)
				r := &reader{}
				s := retrieve.New(st, find.Embedder, r, opts)
				q := retrieve.Query{Text: part[2], NoRefuse: true}
				q.Filter.Corpora = []string{audit.CorpusRules, audit.CorpusCards}
				if _, err := s.Search(ctx, q); err != nil {
					fmt.Fprintln(os.Stderr, part[2], err)
					continue
				}
				row, _ := json.Marshal(map[string]any{"cite": part[0], "type": part[1], "query": part[2], "pool": r.texts})
				mu.Lock()
				w.Write(append(row, '\n'))
				mu.Unlock()
			}
		})
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		lines <- line
	}
	close(lines)
	wg.Wait()
	return nil
}
