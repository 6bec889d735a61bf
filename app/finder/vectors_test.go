package finder

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
	"veristream/backend/store"
)

// failing is an embedder that must not be asked.
type failing struct{ audit.Embedder }

func (failing) Embed(context.Context, audit.Role, []string) ([][]float32, error) {
	return nil, errors.New("asked again")
}

func TestVectorsAreKept(t *testing.T) {
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	texts := []string{"how do iron condors make money", "who won the cup"}
	v := &Vectors{Store: st, Embedder: audittest.Embedder{}}
	first, err := v.Embed(t.Context(), texts)
	if err != nil || len(first) != 2 {
		t.Fatal(first, err)
	}
	v.Embedder = failing{audittest.Embedder{}}
	again, err := v.Embed(t.Context(), texts)
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("got %v, %v", again, err)
	}
	if _, err := v.Embed(t.Context(), texts[:1]); err == nil {
		t.Error("other texts were given the vectors of these")
	}
	if unpack([]byte{1, 2, 3}, 2) != nil {
		t.Error("half a vector was read")
	}
}
