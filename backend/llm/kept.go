package llm

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Kept is a model that a server keeps.
type Kept struct {
	Ref     string
	Size    int64
	Details string // family, size and precision, as the server tells them
	Ours    bool   // registered by this program from a file of its own
}

// Models lists what the server keeps, by name.
func (s *Server) Models(ctx context.Context) ([]Kept, error) {
	client, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	list, err := client.List(ctx)
	if err != nil {
		return nil, explain(ctx, err, "", 0)
	}
	var out []Kept
	for _, m := range list.Models {
		words := []string{m.Details.Family, m.Details.ParameterSize, m.Details.QuantizationLevel}
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" || w == "unknown" })
		out = append(out, Kept{
			Ref: m.Name, Size: m.Size, Details: strings.Join(words, ", "), Ours: strings.HasPrefix(m.Name, "veristream/"),
		})
	}
	slices.SortFunc(out, func(a, b Kept) int { return cmp.Compare(a.Ref, b.Ref) })
	return out, nil
}
