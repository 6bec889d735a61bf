package core

import (
	"context"
	"fmt"
	"image"
	"os/exec"

	"veristream/backend/audit"
	"veristream/backend/infer"
	"veristream/backend/media"
	"veristream/backend/ocr"
	"veristream/models"
)

var preferredOCR = []string{"ppocr-v6-small"}

// useScreens picks the reader of screen text: PP-OCR in a worker where model
// and library are there, else Tesseract, else none.
func (c *Core) useScreens(ctx context.Context) error {
	in, ok, err := c.pick(ctx, models.KindOCR, "", preferredOCR)
	if err != nil {
		return err
	}
	libraries := c.Dirs.Native(infer.LibraryName)
	if ok && len(libraries) > 0 {
		w := &ocr.Worker{Library: libraries[0], Model: in.Path}
		c.closers = append(c.closers, w.Close)
		c.Pipeline.Screens = &screens{reader: w, id: in.Name + "@" + in.SHA256}
		c.Pipeline.Models["ocr"] = audit.ModelInfo{Name: in.Name, SHA256: in.SHA256}
		return nil
	}
	if _, err := exec.LookPath("tesseract"); err == nil {
		c.Pipeline.Screens = &screens{reader: ocr.Tesseract{}, id: "tesseract"}
		c.Pipeline.Models["ocr"] = audit.ModelInfo{Name: "tesseract"}
		return nil
	}
	c.Pipeline.Models["ocr"] = audit.ModelInfo{Name: "none", Note: "text reader: not installed"}
	return nil
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
