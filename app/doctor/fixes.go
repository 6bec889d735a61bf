package doctor

import (
	"slices"
	"strings"
)

// fixes says how parts are installed on this system.
type fixes struct {
	command  string            // of the system's package manager
	packages map[string]string // part -> package
	others   map[string]string // part -> a whole command
}

// What each part is called by the package managers.
var (
	aptPackages = map[string]string{
		"ffmpeg": "ffmpeg", "ffprobe": "ffmpeg", "tesseract": "tesseract-ocr", "tesseract-eng": "tesseract-ocr-eng", "pdftotext": "poppler-utils",
		"gst-libav": "gstreamer1.0-libav", "gst-good": "gstreamer1.0-plugins-good", "gst-bad": "gstreamer1.0-plugins-bad",
	}
	dnfPackages = map[string]string{
		"ffmpeg": "ffmpeg", "ffprobe": "ffmpeg", "tesseract": "tesseract", "tesseract-eng": "tesseract-langpack-eng", "pdftotext": "poppler-utils",
		"gst-libav": "gstreamer1-plugin-libav", "gst-good": "gstreamer1-plugins-good", "gst-bad": "gstreamer1-plugins-bad-free",
	}
	pacmanPackages = map[string]string{
		"ffmpeg": "ffmpeg", "ffprobe": "ffmpeg", "tesseract": "tesseract", "tesseract-eng": "tesseract-data-eng", "pdftotext": "poppler",
		"gst-libav": "gst-libav", "gst-good": "gst-plugins-good", "gst-bad": "gst-plugins-bad",
	}
)

// fixesFor reads /etc/os-release; Debian's names stand where it is not known.
func fixesFor(osRelease string) fixes {
	f := fixes{command: "sudo apt install", packages: aptPackages, others: map[string]string{
		"yt-dlp": "pipx install yt-dlp", // what distributions carry is too old for most sites
		"ollama": "build/setup, or install Ollama from its own site",
	}}
	var ids []string
	for _, line := range strings.Split(osRelease, "\n") {
		key, value, _ := strings.Cut(line, "=")
		if key == "ID" || key == "ID_LIKE" {
			ids = append(ids, strings.Fields(strings.Trim(value, `"'`))...)
		}
	}
	switch {
	case slices.Contains(ids, "debian"), slices.Contains(ids, "ubuntu"):
	case slices.Contains(ids, "fedora"), slices.Contains(ids, "rhel"):
		f.command, f.packages = "sudo dnf install", dnfPackages
	case slices.Contains(ids, "arch"):
		f.command, f.packages = "sudo pacman -S", pacmanPackages
	}
	return f
}

// install gives one command for parts.
func (f fixes) install(parts ...string) string {
	var packages []string
	for _, p := range parts {
		if other, ok := f.others[p]; ok {
			return other
		}
		if name := f.packages[p]; name != "" && !slices.Contains(packages, name) {
			packages = append(packages, name)
		}
	}
	if len(packages) == 0 {
		return ""
	}
	return f.command + " " + strings.Join(packages, " ")
}
