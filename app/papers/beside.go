package papers

import (
	"errors"
	"fmt"
	"io/fs"

	"veristream/app/measures"
	"veristream/backend/audit"
	"veristream/backend/report"
)

// prompts gives the texts of the prompts that an audit was made with. Where the
// program has another version of one by now, the report has its digest alone.
func (m *Maker) prompts(used map[string]string) (map[string]string, error) {
	out := map[string]string{}
	if m.Prompts == nil {
		return out, nil
	}
	for name, sum := range used {
		text, err := fs.ReadFile(m.Prompts, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the prompt %s: %w", name, err)
		}
		if sha(text) == sum {
			out[name] = string(text)
		}
	}
	return out, nil
}

// measured gives how well the program finds issues when it works as it did in
// this audit; nil where that was not counted.
func measured(run audit.Run) (*report.Measured, error) {
	f, err := measures.Load()
	if err != nil {
		return nil, err
	}
	llm := measures.NoLLM
	if m, ok := run.Models["llm"]; ok && m.Note == "" {
		llm = m.Name
	}
	counted, ok := f.For(llm)
	if !ok {
		return nil, nil
	}
	out := &report.Measured{
		At: counted.At, Cases: counted.Cases, Half: counted.Half, Models: counted.Models,
		Total: measure(counted.Total), Categories: map[string]report.Measure{},
	}
	for _, c := range counted.Categories {
		out.Categories[c.Category] = measure(c)
	}
	return out, nil
}

func measure(f measures.Figures) report.Measure {
	return report.Measure{Precision: (*report.Share)(f.Precision), Recall: (*report.Share)(f.Recall)}
}
