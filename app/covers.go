package app

import (
	"fmt"
	"os"
	"sync"

	"veristream/backend/audit"
)

// covers lends the pictures of the library's rows: one loan for each file,
// however often the list is read.
type covers struct {
	files Files
	mu    sync.Mutex
	lent  map[string]Lent
}

// thumb gives the address of a small picture of a video, or nothing where
// there is none.
func (c *covers) thumb(v audit.Video) string {
	if c.files == nil || !v.HasVideo || missing(v.Path) {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lent, ok := c.lent[v.Path]
	if !ok {
		var err error
		if lent, err = c.files.Lend(v, ""); err != nil {
			return "" // a row without a picture is still a row
		}
		c.lent[v.Path] = lent
	}
	if lent.Frames == "" {
		return ""
	}
	// A tenth in: the first frame is often black.
	return fmt.Sprintf("%s?ms=%d&w=160", lent.Frames, v.DurationMS/10)
}

func missing(path string) bool {
	if path == "" {
		return true
	}
	info, err := os.Stat(path)
	return err != nil || info.IsDir()
}
