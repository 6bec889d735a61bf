package weights

import (
	"context"
	"fmt"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/store"
	"veristream/models"
)

// The names of choices that are no model of the list.
const (
	// OllamaPrefix begins the name of a language model that the user's own Ollama
	// keeps and the list of models does not know.
	OllamaPrefix = "ollama:"
	// NoReranker lets searches go without a cross-encoder.
	NoReranker = "none"
)

// Choice says which models the user wants, by their names; an empty one leaves
// the choice to the program. The window and the command line share it.
type Choice struct {
	Speech   string `json:"speech,omitempty"`
	Language string `json:"language,omitempty"`
	Reranker string `json:"reranker,omitempty"` // or NoReranker
}

const choiceSetting = "models"

// ReadChoice gives what the user has chosen.
func ReadChoice(ctx context.Context, st *store.Store) (Choice, error) {
	var c Choice
	if _, err := st.Setting(ctx, choiceSetting, &c); err != nil {
		return c, fmt.Errorf("read which models are used: %w", err)
	}
	return c, nil
}

// Choose keeps which model is used for a kind of work; it must be of that kind
// and installed. An empty name gives the choice back to the program.
func Choose(ctx context.Context, st *store.Store, list *models.Store, kind models.Kind, name string) error {
	choice, err := ReadChoice(ctx, st)
	if err != nil {
		return err
	}
	field, free := choice.of(kind)
	if field == nil {
		return audit.Errorf(audit.CodeUsage, "There is nothing to choose among models of the kind %q.", kind)
	}
	if !free(name) {
		status, err := list.Status(name)
		switch {
		case err != nil:
			return Explain(err)
		case status.Kind != kind:
			return audit.Errorf(audit.CodeUsage, "%s cannot be used for that.", name)
		case !Usable(status):
			return audit.Errorf(audit.CodeModelMissing, "The model %s is not installed. Run: veristream models pull %s", name, name)
		}
	}
	*field = name
	if err := st.SetSetting(ctx, choiceSetting, choice); err != nil {
		return fmt.Errorf("keep which models are used: %w", err)
	}
	return nil
}

// of gives the choice of a kind of work, nil where there is none, and which
// names may be chosen without being in the list.
func (c *Choice) of(kind models.Kind) (field *string, free func(name string) bool) {
	switch kind {
	case models.KindWhisper:
		return &c.Speech, func(name string) bool { return name == "" }
	case models.KindLLM:
		return &c.Language, func(name string) bool { return name == "" || strings.HasPrefix(name, OllamaPrefix) }
	case models.KindReranker:
		return &c.Reranker, func(name string) bool { return name == "" || name == NoReranker }
	}
	return nil, nil
}

// Usable says whether a model can be worked with.
func Usable(st models.Status) bool {
	switch st.State {
	case models.StateInstalled, models.StateBuiltIn, models.StateUnverified, models.StateOllama:
		return true
	}
	return false
}
