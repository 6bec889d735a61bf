package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"veristream/app/dirs"
	"veristream/app/finder"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
	"veristream/backend/store"
)

// ScaleBench says how much is searched.
type ScaleBench struct {
	Dirs      dirs.Dirs // of the models
	Documents int       // 0: 100
	Passages  int       // of all documents together; 0: 200,000
	Questions int       // asked in each way, beside the first ones; 0: 100
	// Folder keeps the database, and a later run uses it again; empty: it is made
	// anew and removed.
	Folder string
}

// BenchScale measures a search without a reranker over many documents, beside
// the rule cards and everyday questions that every database has. Texts are made
// of a seed, and vectors are random: the indexes do the same work for any. The
// questions are embedded by the real embedder, which is part of the time.
func BenchScale(ctx context.Context, w io.Writer, b ScaleBench) error {
	if b.Documents <= 0 {
		b.Documents = 100
	}
	if b.Passages <= 0 {
		b.Passages = 200_000
	}
	folder := b.Folder
	if folder == "" {
		var err error
		if folder, err = os.MkdirTemp("", "bench-scale-*"); err != nil {
			return fmt.Errorf("make a folder: %w", err)
		}
		defer os.RemoveAll(folder)
	}
	if b.Questions <= 0 {
		b.Questions = 100
	}
	path := filepath.Join(folder, fmt.Sprintf("scale-%d-%d.db", b.Documents, b.Passages))
	st, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer st.Close()
	f, err := finder.With(ctx, st, b.Dirs)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Embedder == nil {
		return errors.Join(f.Missing...)
	}
	if err := b.fill(ctx, w, f); err != nil {
		return err
	}
	if err := b.measure(ctx, w, f); err != nil {
		return err
	}
	size := int64(0)
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(path + suffix); err == nil {
			size += info.Size()
		} else if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("measure the database: %w", err)
		}
	}
	now, most := residentMB()
	fmt.Fprintf(w, "memory: %.0f MB now, %.0f MB at most (with the embedder's model); database %.0f MB\n", now, most, float64(size)/(1<<20))
	return nil
}

// fill imports the documents and gives all that is in the database random vectors.
func (b ScaleBench) fill(ctx context.Context, w io.Writer, f *finder.Finder) error {
	rng := rand.New(rand.NewPCG(11, 12))
	texts := newTextMaker(rng)
	have, err := f.Store.Documents(ctx)
	if err != nil {
		return fmt.Errorf("list the documents: %w", err)
	}
	start := time.Now()
	each := b.Passages / b.Documents
	for i := range b.Documents {
		passages := texts.document(i, each) // also where it is there: the next one is of the same seed
		if i < len(have) {
			continue
		}
		d := audit.Document{ID: documentID(i), Title: fmt.Sprintf("Document %03d", i), Type: "text", Passages: each}
		if err := f.Store.ReplaceDocument(ctx, d, passages); err != nil {
			return err
		}
	}
	if _, err := f.Store.ReplacePassages(ctx, audit.CorpusAsks, audit.CorpusAsks, retrieve.Asks()); err != nil {
		return err
	}
	words := time.Since(start)
	one, err := f.Embedder.Embed(ctx, audit.RolePassage, []string{"one"})
	if err != nil {
		return err
	}
	start = time.Now()
	n := 0
	for {
		batch, err := f.Store.PassagesWithoutVectors(ctx, f.Embedder.ModelID(), 4000)
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			break
		}
		list := make([]audit.PassageVectors, len(batch))
		for i, p := range batch {
			list[i] = audit.PassageVectors{PassageID: p.ID, Vectors: [][]float32{randomUnit(rng, len(one[0]))}}
		}
		if err := f.Store.SaveVectors(ctx, f.Embedder.ModelID(), list); err != nil {
			return err
		}
		n += len(batch)
	}
	if n > 0 {
		fmt.Fprintf(w, "%d documents of %d passages written in %.0f s, %d vectors in %.0f s\n", b.Documents, each, words.Seconds(), n, time.Since(start).Seconds())
	}
	return nil
}

func documentID(i int) string { return fmt.Sprintf("document-%03d", i) }

// measure asks the same questions in several ways.
func (b ScaleBench) measure(ctx context.Context, w io.Writer, f *finder.Finder) error {
	rng := rand.New(rand.NewPCG(13, 14))
	const warm = 10 // the first ones fill the caches
	questions := newTextMaker(rng).questions(b.Questions + warm)
	documents := []string{audit.CorpusDocuments}
	for _, way := range []struct {
		name string
		make func(i int) retrieve.Query
	}{
		{"all", func(int) retrieve.Query { return retrieve.Query{} }},
		{"the documents alone", func(int) retrieve.Query { return retrieve.Query{Filter: audit.Filter{Corpora: documents}} }},
		{"one document", func(i int) retrieve.Query {
			return retrieve.Query{Filter: audit.Filter{Corpora: documents, Sources: []string{documentID(i % b.Documents)}}}
		}},
		{"five documents", func(i int) retrieve.Query {
			var ids []string
			for k := range 5 {
				ids = append(ids, documentID((i+7*k)%b.Documents))
			}
			return retrieve.Query{Filter: audit.Filter{Corpora: documents, Sources: ids}}
		}},
		{"all, words alone", func(int) retrieve.Query { return retrieve.Query{BM25Only: true} }},
		{"all, vectors alone", func(int) retrieve.Query { return retrieve.Query{DenseOnly: true} }},
	} {
		var ms, cpu []float64
		for i, text := range questions {
			q := way.make(i)
			q.Text, q.NoRerank, q.NoRefuse = text, true, true
			start, spent := time.Now(), ownCPU()
			if _, err := f.Searcher.Search(ctx, q); err != nil {
				return err
			}
			if i >= warm {
				ms = append(ms, float64(time.Since(start).Microseconds())/1000)
				cpu = append(cpu, float64((ownCPU()-spent).Microseconds())/1000)
			}
		}
		fmt.Fprintf(w, "search %-20s p50 %.1f ms, p95 %.1f ms; processor time p50 %.1f ms, p95 %.1f ms\n",
			way.name+":", quantile(ms, 0.5), quantile(ms, 0.95), quantile(cpu, 0.5), quantile(cpu, 0.95))
	}
	var ms []float64
	for _, text := range questions[warm:] {
		start := time.Now()
		if _, err := f.Embedder.Embed(ctx, audit.RoleQuery, []string{text}); err != nil {
			return err
		}
		ms = append(ms, float64(time.Since(start).Microseconds())/1000)
	}
	fmt.Fprintf(w, "of it the question's vector: p50 %.1f ms\n", quantile(ms, 0.5))
	return nil
}

// textMaker makes texts in which words are as frequent as in a language: invented
// ones by Zipf's law, and between them sentences about rules, of which the
// questions are made.
type textMaker struct {
	rng       *rand.Rand
	zipf      *rand.Zipf
	words     []string
	sentences []string
}

func newTextMaker(rng *rand.Rand) *textMaker {
	m := &textMaker{rng: rng}
	const vocabulary = 30_000
	syllables := strings.Fields("ba be bi bo da de do fa fi ga go ka ke ki la le lo ma me mi na no pa po ra re ro sa se ta te to va vo za")
	own := rand.New(rand.NewPCG(5, 6)) // the same words whoever asks
	for range vocabulary {
		var word strings.Builder
		for range 2 + own.IntN(3) {
			word.WriteString(syllables[own.IntN(len(syllables))])
		}
		m.words = append(m.words, word.String())
	}
	m.zipf = rand.NewZipf(rng, 1.1, 8, vocabulary-1)
	for _, p := range retrieve.Asks() {
		m.sentences = append(append(m.sentences, p.Body), strings.Split(p.Extra, "\n")...)
	}
	return m
}

func (m *textMaker) sentence() string {
	if m.rng.IntN(5) == 0 {
		return m.sentences[m.rng.IntN(len(m.sentences))]
	}
	var words []string
	for range 10 + m.rng.IntN(15) {
		words = append(words, m.words[m.zipf.Uint64()])
	}
	return strings.Join(words, " ")
}

func (m *textMaker) document(i, passages int) []audit.Passage {
	out := make([]audit.Passage, passages)
	for k := range out {
		var t strings.Builder
		for range 4 + m.rng.IntN(4) {
			t.WriteString(m.sentence() + ". ")
		}
		title := fmt.Sprintf("Part %d > Section %d", 1+k/200, 1+k/20)
		place := fmt.Sprintf("Document %03d, %s", i, title)
		out[k] = audit.Passage{
			Kind: audit.KindDocument, Citation: place, Citations: []string{place}, Title: title, Header: "[" + place + " | Type: prose]", Body: t.String(),
			FirstPage: 1 + k/8, LastPage: 1 + k/8,
			Meta: map[string]string{audit.MetaDocument: documentID(i), audit.MetaDocType: "text", audit.MetaSection: title, audit.MetaChunkType: "standalone"},
		}
	}
	return out
}

func (m *textMaker) questions(n int) []string {
	var out []string
	for range n {
		words := strings.Fields(m.sentences[m.rng.IntN(len(m.sentences))])
		words = words[:min(len(words), 14)]
		out = append(out, strings.Join(append(words, m.words[m.zipf.Uint64()]), " "))
	}
	return out
}

// residentMB gives the memory that this process holds now and has held at most,
// in MB (proc(5), VmRSS and VmHWM); 0 where there is no /proc.
func residentMB() (now, most float64) {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(data)) {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kb); err == nil {
			now = kb / 1024
		}
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kb); err == nil {
			most = kb / 1024
		}
	}
	return now, most
}
