// Package window shows the services of package app in a window: Wails and the
// system's own webview. It is the only package that knows either.
package window

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync/atomic"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"veristream/app"
	"veristream/app/media"
	"veristream/backend/audit"
)

// Options say what the window shows and where it keeps its own small files.
type Options struct {
	Version string
	Assets  fs.FS // the built front end, with index.html at its root
	DataDir string
	Dir     string
	Open    []string // paths or addresses to begin with
}

// Run shows the window and returns when it is closed.
func Run(ctx context.Context, parts app.Parts, o Options) error {
	if _, err := fs.Stat(o.Assets, "index.html"); err != nil {
		return audit.Wrap(err, audit.CodeMissing, "This build has no window. Build the front end first: build/setup")
	}
	var frame media.FrameFunc
	if parts.Pictures != nil {
		frame = parts.Pictures.Frame
	}
	files, err := media.Start(frame)
	if err != nil {
		return fmt.Errorf("open the window: %w", err)
	}
	resting, rested := context.WithCancel(ctx)
	defer rested()
	go rest(resting)
	shell := &shell{}
	a := app.New(parts, app.Options{
		Version: o.Version, DataDir: o.DataDir, Dir: o.Dir, Shell: shell, Files: files, Open: o.Open,
	})
	spare()
	var started error
	err = wails.Run(&options.App{
		Title: "VeriStream", Width: 1440, Height: 900, MinWidth: 900, MinHeight: 600,
		BackgroundColour:   options.NewRGB(0xef, 0xf0, 0xf3), // --bg-app, until the page is there
		AssetServer:        &assetserver.Options{Assets: o.Assets},
		Bind:               a.Services(),
		ErrorFormatter:     app.FormatError,
		DragAndDrop:        &options.DragAndDrop{EnableFileDrop: true},
		LogLevelProduction: logger.ERROR,
		Linux:              &linux.Options{ProgramName: "veristream", WebviewGpuPolicy: graphics()},
		OnStartup: func(wailsCtx context.Context) {
			shell.ctx.Store(&wailsCtx)
			runtime.OnFileDrop(wailsCtx, func(_, _ int, paths []string) {
				shell.Emit(app.EventOpen, app.Drop{Paths: paths})
			})
			if started = a.Start(); started != nil {
				runtime.Quit(wailsCtx)
			}
			context.AfterFunc(ctx, func() { runtime.Quit(wailsCtx) })
		},
		OnBeforeClose: func(wailsCtx context.Context) bool {
			return ctx.Err() == nil && a.Busy() > 0 && !mayClose(wailsCtx)
		},
	})
	// Running audits end first: they read files through nothing that closes here.
	a.Close()
	closed := files.Close()
	for _, err := range []error{err, started, closed} {
		if err != nil {
			return fmt.Errorf("show the window: %w", err)
		}
	}
	return nil
}

// graphics says how the webview draws. Without a graphics card its layers would
// be drawn by a program that plays the card on the processor, which costs twice
// the processor's time and more than 100 MB beside plain drawing.
func graphics() linux.WebviewGpuPolicy {
	cards, err := filepath.Glob("/dev/dri/renderD*")
	if err == nil && len(cards) == 0 {
		return linux.WebviewGpuPolicyNever
	}
	return linux.WebviewGpuPolicyOnDemand
}

// mayClose asks before audits are interrupted.
func mayClose(ctx context.Context) bool {
	answer, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
		Type:          runtime.QuestionDialog,
		Title:         "An audit is in work",
		Message:       "Close the window? The audit goes on from here when VeriStream is started again.",
		DefaultButton: "No",
	})
	return err != nil || answer == "Yes"
}

// shell is the window as package app sees it.
type shell struct {
	ctx atomic.Pointer[context.Context] // Wails', from its start on
}

// Emit tells the front end of something. Before there is a front end, nobody
// is there to be told: it reads everything when it starts.
func (s *shell) Emit(event string, data any) {
	if ctx := s.ctx.Load(); ctx != nil {
		runtime.EventsEmit(*ctx, event, data)
	}
}

// filters are the files of each kind.
var filters = map[app.FileKind]runtime.FileFilter{
	app.FilesRecordings: {
		DisplayName: "Video, audio, subtitles",
		Pattern: "*.mp4;*.mov;*.m4v;*.mkv;*.webm;*.avi;*.mpg;*.mpeg;*.ts;*.wmv;*.flv;*.3gp;*.ogv;" +
			"*.mp3;*.m4a;*.wav;*.flac;*.ogg;*.opus;*.aac;*.srt;*.vtt;*.txt;*.json",
	},
	app.FilesTexts:      {DisplayName: "Rule texts", Pattern: "*.xml;*.json;*.html;*.htm;*.md;*.txt;*.pdf"},
	app.FilesReports:    {DisplayName: "Reports", Pattern: "*.pdf"},
	app.FilesIdentities: {DisplayName: "Identities (PKCS#12)", Pattern: "*.p12;*.pfx"},
	app.FilesModels:     {DisplayName: "Models", Pattern: "*.gguf;*.bin;*.onnx"},
	app.FilesDocuments: {
		DisplayName: "Documents",
		Pattern:     "*.htm;*.html;*.xml;*.pdf;*.docx;*.md;*.txt;*.json;*.yaml;*.yml;*.csv",
	},
}

// OpenFiles asks the user for files.
func (s *shell) OpenFiles(title string, kind app.FileKind) ([]string, error) {
	ctx := s.ctx.Load()
	if ctx == nil {
		return nil, nil
	}
	paths, err := runtime.OpenMultipleFilesDialog(*ctx, runtime.OpenDialogOptions{
		Title: title,
		Filters: []runtime.FileFilter{
			filters[kind],
			{DisplayName: "All files", Pattern: "*"},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("show the file dialog: %w", err)
	}
	return paths, nil
}

// OpenFolder asks the user for a folder.
func (s *shell) OpenFolder(title string) (string, error) {
	ctx := s.ctx.Load()
	if ctx == nil {
		return "", nil
	}
	path, err := runtime.OpenDirectoryDialog(*ctx, runtime.OpenDialogOptions{Title: title})
	if err != nil {
		return "", fmt.Errorf("show the folder dialog: %w", err)
	}
	return path, nil
}

// SaveFile asks the user where to write.
func (s *shell) SaveFile(title, name string) (string, error) {
	ctx := s.ctx.Load()
	if ctx == nil {
		return "", nil
	}
	path, err := runtime.SaveFileDialog(*ctx, runtime.SaveDialogOptions{Title: title, DefaultFilename: name})
	if err != nil {
		return "", fmt.Errorf("show the file dialog: %w", err)
	}
	return path, nil
}
