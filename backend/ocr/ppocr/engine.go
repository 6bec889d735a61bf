// Package ppocr reads text with PaddleOCR's PP-OCR models through ONNX Runtime:
// a detector that marks where text is, and a recogniser that reads one line at
// a time. It is native code and runs in a worker process; see ocr.Worker.
//
// Du et al., "PP-OCR: A Practical Ultra Lightweight OCR System" (2020); Liao et
// al., "Real-time Scene Text Detection with Differentiable Binarization" (2019).
package ppocr

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"path/filepath"
	"strings"

	ort "github.com/yalue/onnxruntime_go"

	"veristream/backend/audit"
)

// The files of a model's folder.
const (
	detectorFile   = "det.onnx"
	recognizerFile = "rec.onnx"
)

// Engine is a loaded pair of models. It reads one frame at a time.
type Engine struct {
	detector, recognizer *ort.DynamicAdvancedSession
	alphabet             []string // by class; 0 is the blank of CTC
}

var _ audit.TextReader = (*Engine)(nil)

// Open loads the models in a folder, with ONNX Runtime's library at a path.
func Open(library, dir string, threads int) (*Engine, error) {
	if !ort.IsInitialized() {
		ort.SetSharedLibraryPath(library)
		if err := ort.InitializeEnvironment(); err != nil {
			return nil, audit.Wrap(err, audit.CodeMissing, "ONNX Runtime cannot be loaded. Run: veristream doctor")
		}
	}
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("prepare ONNX Runtime: %w", err)
	}
	defer options.Destroy() //nolint:errcheck // it only frees
	if err := options.SetIntraOpNumThreads(threads); err != nil {
		return nil, fmt.Errorf("set threads: %w", err)
	}
	// Threads that spin while they wait would slow speech recognition beside them.
	if err := options.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"); err != nil {
		return nil, fmt.Errorf("set threads: %w", err)
	}
	e := &Engine{}
	if e.detector, err = open(filepath.Join(dir, detectorFile), options); err != nil {
		return nil, err
	}
	if e.recognizer, err = open(filepath.Join(dir, recognizerFile), options); err != nil {
		e.Close()
		return nil, err
	}
	if e.alphabet, err = alphabet(e.recognizer); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func open(path string, options *ort.SessionOptions) (*ort.DynamicAdvancedSession, error) {
	in, out, err := ort.GetInputOutputInfo(path)
	if err == nil && len(in) == 1 && len(out) == 1 {
		var s *ort.DynamicAdvancedSession
		if s, err = ort.NewDynamicAdvancedSession(path, []string{in[0].Name}, []string{out[0].Name}, options); err == nil {
			return s, nil
		}
	}
	return nil, audit.Wrap(err, audit.CodeModel, "The model for screen text, %s, cannot be loaded; it may be damaged. Run: veristream models verify", filepath.Base(path))
}

// alphabet reads the characters that a recogniser knows from its own file.
func alphabet(s *ort.DynamicAdvancedSession) ([]string, error) {
	meta, err := s.GetModelMetadata()
	if err != nil {
		return nil, fmt.Errorf("read the recogniser's characters: %w", err)
	}
	defer meta.Destroy() //nolint:errcheck // it only frees
	list, ok, err := meta.LookupCustomMetadataMap("character")
	if err != nil || !ok {
		return nil, audit.Wrap(err, audit.CodeModel, "The model for screen text does not say which characters it knows.")
	}
	out := append([]string{""}, strings.Split(strings.TrimRight(list, "\n"), "\n")...)
	return append(out, " "), nil // the last class is the space between words
}

// Close frees the models.
func (e *Engine) Close() {
	for _, s := range []*ort.DynamicAdvancedSession{e.detector, e.recognizer} {
		if s != nil {
			s.Destroy() //nolint:errcheck // nothing can be done about it at the end
		}
	}
}

// ReadText reads the lines of a frame.
func (e *Engine) ReadText(ctx context.Context, frame image.Image) ([]audit.TextBox, error) {
	img := toRGBA(frame)
	regions, err := e.detect(img)
	if err != nil {
		return nil, fmt.Errorf("find text: %w", err)
	}
	var out []audit.TextBox
	for _, r := range regions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, confidence, err := e.read(img, r)
		if err != nil {
			return nil, fmt.Errorf("read a line: %w", err)
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		out = append(out, audit.TextBox{
			Text: text, X: r.Min.X, Y: r.Min.Y, Width: r.Dx(), Height: r.Dy(), Confidence: confidence,
		})
	}
	return out, nil
}

func toRGBA(frame image.Image) *image.RGBA {
	if img, ok := frame.(*image.RGBA); ok && img.Rect.Min == (image.Point{}) {
		return img
	}
	b := frame.Bounds()
	img := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(img, img.Rect, frame, b.Min, draw.Src)
	return img
}
