package audittest_test

import (
	"image"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
)

// The fakes must behave as the real ones do, or tests with them show nothing.
func TestFakes(t *testing.T) {
	t.Run("embedder", func(t *testing.T) { audittest.TestEmbedder(t, audittest.Embedder{}) })
	t.Run("reranker", func(t *testing.T) { audittest.TestReranker(t, audittest.Reranker{}) })
	t.Run("llm", func(t *testing.T) { audittest.TestLLM(t, &audittest.LLM{}) })
	t.Run("transcriber", func(t *testing.T) {
		audittest.TestTranscriber(t, audittest.Transcriber{Segments: []audit.Segment{
			{ID: "s1", StartMS: 0, EndMS: 500, Text: "one", Words: []audit.Word{{Text: "one", StartMS: 0, EndMS: 400}}},
			{ID: "s2", StartMS: 500, EndMS: 900, Text: "two"},
		}}, "unread.wav", 1000)
	})
	t.Run("text reader", func(t *testing.T) {
		reader := audittest.TextReader{Boxes: []audit.TextBox{{Text: "Paid  Ad", X: 400, Y: 10, Width: 80, Height: 20, Confidence: 0.9}}}
		audittest.TestTextReader(t, reader, image.NewGray(image.Rect(0, 0, 640, 360)), "paid ad")
	})
}
