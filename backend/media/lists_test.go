package media_test

import (
	"testing"

	"veristream/backend/media"
)

func TestLooksLikeList(t *testing.T) {
	for address, want := range map[string]bool{
		"https://www.youtube.com/playlist?list=PLx":  true,
		"https://www.youtube.com/@someone":           true,
		"https://www.youtube.com/@someone/videos":    true,
		"https://www.youtube.com/channel/UCx":        true,
		"https://soundcloud.example/a/sets/b":        true,
		"https://www.tiktok.com/@someone":            true,
		"https://www.tiktok.com/@someone/video/71":   false,
		"https://www.youtube.com/watch?v=x&list=PLx": false,
		"https://www.youtube.com/watch?v=x":          false,
		"https://youtu.be/x":                         false,
		"https://www.youtube.com/shorts/x":           false,
		"https://cdn.example/user/a/talk.mp4":        false,
		"https://x.com/someone/status/1":             false,
		"https://www.instagram.com/reel/Cx/":         false,
	} {
		if got := media.LooksLikeList(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
