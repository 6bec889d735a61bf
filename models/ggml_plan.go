package models

import "fmt"

// whisperTensors lists the tensors of a ggml Whisper file in the order in which
// they are written, each with the CTranslate2 variable that it is made of.
// CTranslate2 joins query, key and value in one matrix and keeps a zero bias
// for the key, which Whisper does not have.
func whisperTensors(src *ct2File) ([]tensor, error) {
	p := &plan{src: src}
	p.add("decoder.positional_embedding", "decoder/position_encodings/encodings", 2, true)
	p.add("decoder.token_embedding.weight", "decoder/embeddings/weight", 2, false)
	p.add("encoder.positional_embedding", "encoder/position_encodings/encodings", 2, true)
	for _, c := range []string{"conv1", "conv2"} {
		p.add("encoder."+c+".weight", "encoder/"+c+"/weight", 3, false)
		p.add("encoder."+c+".bias", "encoder/"+c+"/bias", 1, true)
		if p.err == nil { // whisper.cpp adds it to every frame: a column
			last := &p.out[len(p.out)-1]
			last.dims = []int{last.dims[0], 1}
		}
	}
	p.norm("encoder.ln_post", "encoder/layer_norm")
	p.norm("decoder.ln", "decoder/layer_norm")
	for _, side := range []string{"encoder", "decoder"} {
		for i := range src.layers(side) {
			from, to := fmt.Sprintf("%s/layer_%d", side, i), fmt.Sprintf("%s.blocks.%d", side, i)
			p.joined(from+"/self_attention/linear_0", to+".attn.query", to+".attn.key", to+".attn.value")
			p.linear(to+".attn.out", from+"/self_attention/linear_1")
			p.norm(to+".attn_ln", from+"/self_attention/layer_norm")
			if side == "decoder" {
				p.linear(to+".cross_attn.query", from+"/attention/linear_0")
				p.joined(from+"/attention/linear_1", "", to+".cross_attn.key", to+".cross_attn.value")
				p.linear(to+".cross_attn.out", from+"/attention/linear_2")
				p.norm(to+".cross_attn_ln", from+"/attention/layer_norm")
			}
			p.linear(to+".mlp.0", from+"/ffn/linear_0")
			p.linear(to+".mlp.2", from+"/ffn/linear_1")
			p.norm(to+".mlp_ln", from+"/ffn/layer_norm")
		}
	}
	return p.out, p.err
}

// plan collects tensors; after an error it collects nothing more.
type plan struct {
	src *ct2File
	out []tensor
	err error
}

func (p *plan) add(name, from string, rank int, float bool) {
	if p.err != nil {
		return
	}
	v, err := p.src.get(from, rank)
	if err != nil {
		p.err = err
		return
	}
	p.put(name, from, v, v, float)
}

// put adds v, which is all of the variable named from, or some rows of it.
func (p *plan) put(name, from string, whole, v variable, float bool) {
	t := tensor{name: name, from: v, dims: v.dims, float: float}
	if v.dtype == ct2Int8 {
		scale, ok := p.src.vars[from+"_scale"]
		if !ok || scale.count() != 1 && scale.count() != whole.dims[0] {
			p.err = fmt.Errorf("%s has no scale for its int8 weights", from)
			return
		}
		if scale.count() > 1 {
			first := int(v.off-whole.off) / (whole.count() / whole.dims[0])
			scale = scale.slice(first, first+v.dims[0])
		}
		t.scale = &scale
	}
	p.out = append(p.out, t)
}

func (p *plan) norm(to, from string) {
	p.add(to+".weight", from+"/gamma", 1, true)
	p.add(to+".bias", from+"/beta", 1, true)
}

func (p *plan) linear(to, from string) {
	p.add(to+".weight", from+"/weight", 2, false)
	p.add(to+".bias", from+"/bias", 1, true)
}

// joined takes a matrix of query, key and value (or of key and value, with
// query "") apart into its equal parts.
func (p *plan) joined(from, query, key, value string) {
	if p.err != nil {
		return
	}
	names := []string{query, key, value}
	if query == "" {
		names = names[1:]
	}
	w, err := p.src.get(from+"/weight", 2)
	if err != nil {
		p.err = err
		return
	}
	b, err := p.src.get(from+"/bias", 1)
	if err != nil {
		p.err = err
		return
	}
	n := w.dims[1]
	if w.dims[0] != len(names)*n || b.dims[0] != w.dims[0] {
		p.err = fmt.Errorf("%s does not have %d square parts", from, len(names))
		return
	}
	for i, name := range names {
		p.put(name+".weight", from+"/weight", w, w.slice(i*n, (i+1)*n), false)
		part := b.slice(i*n, (i+1)*n)
		if name != key {
			p.put(name+".bias", from+"/bias", b, part, true)
			continue
		}
		values := make([]float32, n)
		if err := p.src.floats(part, 0, values); err != nil {
			p.err = err
			return
		}
		for _, v := range values {
			if v != 0 {
				p.err = fmt.Errorf("%s has a bias for the key, which Whisper has not", from)
				return
			}
		}
	}
}
