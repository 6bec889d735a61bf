package core

import (
	"context"
	"fmt"
	"image"
	"os/exec"

	"veristream/app/dirs"
	"veristream/app/docstore"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/infer"
	"veristream/backend/media"
	"veristream/backend/ocr"
	"veristream/backend/store"
	"veristream/models"
)

var preferredOCR = []string{"ppocr-v6-small"}

// pictureReader reads text from pictures.
type pictureReader struct {
	audit.TextReader
	id    string
	model audit.ModelInfo
	end   func() error // nil: there is nothing to end
}

// pictureReader picks the reader of text in pictures: PP-OCR in a worker where
// model and library are there, else Tesseract; ok is false where there is none.
func (c *Core) pictureReader(ctx context.Context) (r pictureReader, ok bool, err error) {
	in, ok, err := c.pick(ctx, models.KindOCR, "", preferredOCR)
	if err != nil {
		return r, false, err
	}
	libraries := c.Dirs.Native(infer.LibraryName)
	if ok && len(libraries) > 0 {
		w := &ocr.Worker{Library: libraries[0], Model: in.Path}
		return pictureReader{w, in.Name + "@" + in.SHA256, audit.ModelInfo{Name: in.Name, SHA256: in.SHA256}, w.Close}, true, nil
	}
	if _, err := exec.LookPath("tesseract"); err == nil {
		return pictureReader{ocr.Tesseract{}, "tesseract", audit.ModelInfo{Name: "tesseract"}, nil}, true, nil
	}
	return r, false, nil
}

// useScreens sets the reader of screen text; there may be none.
func (c *Core) useScreens(ctx context.Context) error {
	r, ok, err := c.pictureReader(ctx)
	if err != nil {
		return err
	}
	if !ok {
		c.Pipeline.Models["ocr"] = audit.ModelInfo{Name: "none", Note: "text reader: not installed"}
		return nil
	}
	if r.end != nil {
		c.closers = append(c.closers, r.end)
	}
	c.Pipeline.Screens = &screens{reader: r.TextReader, id: r.id}
	c.Pipeline.Models["ocr"] = r.model
	return nil
}

// OpenScans opens the reader of scanned pages, and gives what ends it.
func OpenScans(ctx context.Context, d dirs.Dirs, st *store.Store) (*docstore.Scans, func() error, error) {
	c := &Core{Dirs: d}
	var err error
	if c.models, err = weights.Open(d); err != nil {
		return nil, nil, err
	}
	r, ok, err := c.pictureReader(ctx)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, audit.Errorf(audit.CodeMissing, "No reader of text in pictures is installed. Run: veristream models pull %s", preferredOCR[0])
	}
	if r.end == nil {
		r.end = func() error { return nil }
	}
	return &docstore.Scans{Reader: r.TextReader, ID: r.id, Kept: st}, r.end, nil
}

// screens reads the frames of a video and follows their texts over time.
type screens struct {
	reader audit.TextReader
	id     string
}

// ModelID names the reader.
func (s *screens) ModelID() string { return s.id }

// Read gives the texts that a video shows, each with the time it is there.
func (s *screens) Read(ctx context.Context, info media.ProbeInfo, emit func(audit.Segment), progress func(doneMS int64)) ([]audit.Segment, error) {
	var m ocr.Merger
	err := media.Frames(ctx, info, media.FrameOptions{Progress: func(done, _ int64) { progress(done) }}, func(ms int64, frame image.Image) error {
		boxes, err := s.reader.ReadText(ctx, frame)
		if err != nil {
			return fmt.Errorf("read the screen at %d ms: %w", ms, err)
		}
		m.Add(ocr.Measure(ms, frame, boxes))
		return nil
	})
	if err != nil {
		return nil, err
	}
	segments := m.Finish(info.DurationMS)
	for _, seg := range segments {
		emit(seg)
	}
	return segments, nil
}
