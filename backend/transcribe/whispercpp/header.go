package whispercpp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// errHeader says that a file is not a speech model.
var errHeader = errors.New("not a ggml speech model")

// header is the head of a ggml file: a magic number, then the shape of the
// model (whisper.cpp, whisper_model_load).
type header struct {
	Magic                                              uint32
	Vocab, AudioCtx, AudioState, AudioHead, AudioLayer int32
	TextCtx, TextState, TextHead, TextLayer            int32
	Mels, FType                                        int32
}

func readHeader(path string) (header, error) {
	f, err := os.Open(path)
	if err != nil {
		return header{}, fmt.Errorf("open speech model: %w", err)
	}
	defer f.Close()
	return parseHeader(f)
}

func parseHeader(r io.Reader) (header, error) {
	var h header
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil || h.Magic != 0x67676d6c {
		return header{}, errHeader
	}
	return h, nil
}

// size gives the published size that a model's shape belongs to: which
// attention heads follow the sound is known for those. "" means another model.
func (h header) size() string {
	const english, multilingual, v3 = 51864, 51865, 51866
	type shape struct{ vocab, audio, text int32 }
	return map[shape]string{
		{english, 4, 4}: "tiny.en", {multilingual, 4, 4}: "tiny",
		{english, 6, 6}: "base.en", {multilingual, 6, 6}: "base",
		{english, 12, 12}: "small.en", {multilingual, 12, 12}: "small",
		{english, 24, 24}: "medium.en", {multilingual, 24, 24}: "medium",
		{multilingual, 32, 32}: "large-v2", {v3, 32, 32}: "large-v3", {v3, 32, 4}: "large-v3-turbo",
	}[shape{h.Vocab, h.AudioLayer, h.TextLayer}]
}
