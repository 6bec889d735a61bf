// Package media owns the loopback server through which the front end plays
// videos and shows their pictures. WebKitGTK plays media only over HTTP, so
// this is the one socket of the window.
//
// It listens on 127.0.0.1 alone, on a port of the system's choosing. A file
// has an address only while it is lent, under a random token of 128 bits, so
// that another program or a web page cannot guess one; and the Host header
// must be the server's own, so that a page whose name was rebound to 127.0.0.1
// is refused.
package media

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"veristream/app"
	"veristream/backend/audit"
)

// FrameFunc gives the picture of a video at a time, as a JPEG of at most that
// width.
type FrameFunc func(ctx context.Context, v audit.Video, ms int64, width int) ([]byte, error)

// Server lends files. It implements app.Files.
type Server struct {
	host  string // "127.0.0.1:PORT"
	http  *http.Server
	frame FrameFunc
	slots chan struct{} // pictures made at once: each is a process of ffmpeg

	mu   sync.Mutex
	lent map[string]loan
}

type loan struct {
	video audit.Video
	play  string
}

// maxWidth bounds the pictures that are made.
const maxWidth = 1920

// Start opens the server. frame may be nil: then there are no pictures.
func Start(frame FrameFunc) (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open the media server: %w", err)
	}
	s := &Server{host: listener.Addr().String(), frame: frame, slots: make(chan struct{}, 2), lent: map[string]loan{}}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	go func() {
		// Serve returns when Close is called; any other end shows in the
		// window as a video that does not load.
		_ = s.http.Serve(listener)
	}()
	return s, nil
}

// Close stops the server and forgets every loan.
func (s *Server) Close() error {
	s.mu.Lock()
	clear(s.lent)
	s.mu.Unlock()
	if err := s.http.Close(); err != nil {
		return fmt.Errorf("close the media server: %w", err)
	}
	return nil
}

// Lend gives addresses for a video's file and its pictures. play is what the
// player gets (the video or a proxy); empty lends pictures only.
func (s *Server) Lend(v audit.Video, play string) (app.Lent, error) {
	var raw [16]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return app.Lent{}, fmt.Errorf("make a token: %w", err)
	}
	token := hex.EncodeToString(raw[:])
	s.mu.Lock()
	s.lent[token] = loan{video: v, play: play}
	s.mu.Unlock()
	base := "http://" + s.host + "/" + token
	var lent app.Lent
	if play != "" {
		lent.Media = base + "/media"
	}
	if s.frame != nil && v.HasVideo {
		lent.Frames = base + "/frame"
	}
	return lent, nil
}

// Revoke makes a loan's addresses dead.
func (s *Server) Revoke(l app.Lent) {
	for _, address := range []string{l.Media, l.Frames} {
		rest, ok := strings.CutPrefix(address, "http://"+s.host+"/")
		if !ok {
			continue
		}
		token, _, _ := strings.Cut(rest, "/")
		s.mu.Lock()
		delete(s.lent, token)
		s.mu.Unlock()
	}
}

// ServeHTTP answers GET and HEAD for what is lent.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Host != s.host {
		http.Error(w, "wrong host", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	token, what, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	s.mu.Lock()
	l, ok := s.lent[token]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // the page's origin is wails://
	switch {
	case what == "media" && l.play != "":
		h.Set("Cache-Control", "no-store")
		serveFile(w, r, l)
	case what == "frame" && s.frame != nil:
		s.serveFrame(w, r, l.video)
	default:
		http.NotFound(w, r)
	}
}

func serveFile(w http.ResponseWriter, r *http.Request, l loan) {
	f, err := os.Open(l.play)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer func() { _ = f.Close() }() // only read
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, l.play, info.ModTime(), pace(r.Context(), f, info.Size(), l.video.DurationMS))
}

func (s *Server) serveFrame(w http.ResponseWriter, r *http.Request, v audit.Video) {
	ms, err1 := strconv.ParseInt(r.URL.Query().Get("ms"), 10, 64)
	width, err2 := strconv.Atoi(r.URL.Query().Get("w"))
	if err1 != nil || err2 != nil || ms < 0 || width < 1 || width > maxWidth {
		http.Error(w, "which picture?", http.StatusBadRequest)
		return
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-r.Context().Done():
		return
	}
	picture, err := s.frame(r.Context(), v, ms, width)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			http.Error(w, "no picture at this time", http.StatusNotFound)
		}
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Cache-Control", "max-age=3600")
	_, _ = w.Write(picture) // the reader may have gone
}
