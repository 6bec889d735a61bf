package ocr_test

import (
	"context"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/ocr"
)

// The test's own binary is the worker, as the program is its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "test-worker" {
		if err := ocr.Serve(context.Background(), script{strings.TrimPrefix(os.Args[2], "--model=")}, os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// script reads one box of the frame's size, and misbehaves as files in its
// folder ask it to.
type script struct{ dir string }

func (s script) ReadText(_ context.Context, frame image.Image) ([]audit.TextBox, error) {
	for _, name := range []string{"crash-once", "crash", "hang", "fail"} {
		path := filepath.Join(s.dir, name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		switch name {
		case "crash-once":
			os.Remove(path)
			os.Exit(7)
		case "crash":
			os.Exit(7)
		case "hang":
			time.Sleep(time.Hour)
		case "fail":
			return nil, audit.Errorf(audit.CodeModel, "The model is broken.")
		}
	}
	b := frame.Bounds()
	r, _, _, _ := frame.At(1, 1).RGBA()
	return []audit.TextBox{{Text: "read", Width: b.Dx(), Height: b.Dy(), Confidence: float64(r>>8) / 255}}, nil
}

func newWorker(t *testing.T, files ...string) *ocr.Worker {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := &ocr.Worker{Args: []string{"test-worker"}, Model: dir}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestWorkerReadsFrames(t *testing.T) {
	w := newWorker(t)
	red := image.NewRGBA(image.Rect(0, 0, 33, 17))
	for i := range red.Pix {
		red.Pix[i] = 255
	}
	for _, img := range []image.Image{red, red.SubImage(image.Rect(1, 1, 30, 11)), image.NewGray(image.Rect(0, 0, 5, 4))} {
		boxes, err := w.ReadText(t.Context(), img)
		if err != nil || len(boxes) != 1 || boxes[0].Width != img.Bounds().Dx() || boxes[0].Height != img.Bounds().Dy() {
			t.Fatalf("%v: %+v %v", img.Bounds(), boxes, err)
		}
		if _, gray := img.(*image.Gray); boxes[0].Confidence == 1 == gray {
			t.Errorf("%T: colours are lost: %+v", img, boxes)
		}
	}
}

func TestWorkerThatDies(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 640, 360))
	if boxes, err := newWorker(t, "crash-once").ReadText(t.Context(), img); err != nil || len(boxes) != 1 {
		t.Errorf("after one crash: %v %v", boxes, err)
	}
	_, err := newWorker(t, "crash").ReadText(t.Context(), img)
	if audit.CodeOf(err) != audit.CodeWorker || !strings.Contains(audit.SentenceOf(err), "exit status 7") {
		t.Errorf("after two: %v", err)
	}
	_, err = newWorker(t, "fail").ReadText(t.Context(), img)
	if audit.CodeOf(err) != audit.CodeModel || audit.SentenceOf(err) != "The model is broken." {
		t.Errorf("an error: %v", err)
	}
	gone := &ocr.Worker{Args: []string{"test-worker"}, Model: filepath.Join(t.TempDir(), "gone")}
	if _, err = gone.ReadText(t.Context(), img); audit.CodeOf(err) != audit.CodeModelMissing {
		t.Errorf("no model: %v", err)
	}
}

func TestWorkerCancelled(t *testing.T) {
	w := newWorker(t, "hang")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := w.ReadText(ctx, image.NewRGBA(image.Rect(0, 0, 64, 64))); audit.CodeOf(err) != audit.CodeCancelled {
		t.Fatalf("%v", err)
	}
	// It works again afterwards.
	os.Remove(filepath.Join(w.Model, "hang"))
	if _, err := w.ReadText(t.Context(), image.NewRGBA(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
}

func TestServeRefusesBrokenFrames(t *testing.T) {
	for name, in := range map[string]string{
		"no size": "\x00\x00\x00\x00\x00\x00\x00\x00", "huge": "\xff\xff\xff\xff\x01\x00\x00\x00", "cut off": "\x02\x00\x00\x00\x02\x00\x00\x00abc",
	} {
		if err := ocr.Serve(t.Context(), script{t.TempDir()}, strings.NewReader(in), io.Discard); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
