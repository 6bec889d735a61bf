package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"veristream/models"
)

// codecs are what the window's player needs of GStreamer: the element, and the
// plugin's file where gst-inspect-1.0 is not installed.
var codecs = []struct{ element, plugin, fix string }{
	{"avdec_h264", "libgstlibav.so", "gst-libav"},
	{"avdec_aac", "libgstlibav.so", "gst-libav"},
	{"qtdemux", "libgstisomp4.so", "gst-good"},
	{"h264parse", "libgstvideoparsersbad.so", "gst-bad"},
}

func (d *Doctor) codecs(ctx context.Context) Check {
	c := Check{Name: "player codecs", State: OK}
	c.say("the window plays H.264 and AAC")
	var lacks, fix []string
	for _, codec := range codecs {
		if !d.hasCodec(ctx, codec.element, codec.plugin) {
			lacks = append(lacks, codec.element)
			fix = append(fix, codec.fix)
		}
	}
	if len(lacks) > 0 {
		c.State = Warning
		c.say("the window's player lacks %s; audits do not need it", strings.Join(lacks, ", "))
		c.Fix = d.fixes.install(fix...)
	}
	return c
}

func (d *Doctor) hasCodec(ctx context.Context, element, plugin string) bool {
	if path, err := exec.LookPath("gst-inspect-1.0"); err == nil {
		ctx, cancel := context.WithTimeout(ctx, toolTimeout)
		defer cancel()
		return exec.CommandContext(ctx, path, "--exists", element).Run() == nil
	}
	for _, pattern := range []string{"usr/lib/*/gstreamer-1.0", "usr/lib/gstreamer-1.0", "usr/lib64/gstreamer-1.0"} {
		if found, _ := filepath.Glob(filepath.Join(d.root, pattern, plugin)); len(found) > 0 {
			return true
		}
	}
	return false
}

const (
	wantDisk   = 5 << 30 // an hour of video with its proxy, sound and frames
	needDisk   = 500 << 20
	wantMemory = 8 << 30
)

func (d *Doctor) disk() Check {
	c := Check{Name: "disk", State: OK}
	least := int64(-1)
	for _, dir := range []string{d.dirs.Data, d.dirs.Cache} {
		n, err := freeBytes(dir)
		if err != nil {
			continue
		}
		if least < 0 || n < least {
			least = n
			c.say("in %s", dir)
		}
	}
	if least < 0 {
		c.say("the free space cannot be asked for")
		return c
	}
	c.Version = models.FormatBytes(least) + " free"
	switch {
	case least < needDisk:
		c.State, c.Fix = Missing, "free some space, or set VERISTREAM_HOME to a folder on another disk"
	case least < wantDisk:
		c.State, c.Fix = Warning, "free some space: an hour of video takes up to 5 GB while it is worked on"
	}
	return c
}

// FreeDisk gives the free bytes where a folder is, or will be.
func FreeDisk(dir string) (int64, error) { return freeBytes(dir) }

// Memory gives the bytes of memory that this computer has, and how many of them
// are free; 0 where that cannot be asked.
func Memory() (total, free int64) {
	info := readFile("/proc/meminfo")
	return meminfo(info, "MemTotal"), meminfo(info, "MemAvailable")
}

// freeBytes asks the file system of a folder, or of the nearest one above it
// that exists.
func freeBytes(dir string) (int64, error) {
	for {
		var st unix.Statfs_t
		err := unix.Statfs(dir, &st)
		if err == nil {
			return int64(st.Bavail) * int64(st.Bsize), nil //nolint:unconvert // the types differ between systems
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return 0, fmt.Errorf("ask free space of %s: %w", dir, err)
		}
		dir = parent
	}
}

// memory compares what the computer has with what the models take together.
func (d *Doctor) memory() Check {
	c := Check{Name: "memory", State: OK}
	info := readFile(filepath.Join(d.root, "proc", "meminfo"))
	total, available := meminfo(info, "MemTotal"), meminfo(info, "MemAvailable")
	if total == 0 {
		c.say("the memory cannot be asked for")
		return c
	}
	c.Version = fmt.Sprintf("%s, %s available", models.FormatBytes(total), models.FormatBytes(available))
	need := d.modelMemory()
	switch {
	case available < need:
		c.State = Warning
		c.say("the installed models need about %s", models.FormatBytes(need))
		c.Fix = "close other programs, or use a smaller model (veristream models list)"
	case total < wantMemory*9/10: // a machine of 8 GB reports somewhat less
		c.State = Warning
		c.say("with less than 8 GB, audits with the default models may be slow")
	}
	return c
}

// modelMemory gives the need of the largest installed model and of the small
// ones beside it; speech and language models do not run at the same time.
func (d *Doctor) modelMemory() int64 {
	all, err := d.store.List()
	if err != nil {
		return 0
	}
	largest, small := 0, 400
	for _, st := range all {
		if st.State == models.StateInstalled && (st.Kind == models.KindLLM || st.Kind == models.KindWhisper) {
			largest = max(largest, st.MemoryMB)
		}
	}
	if largest == 0 {
		return 0
	}
	return int64(largest+small) * 1e6
}

func meminfo(text, key string) int64 {
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err == nil {
				return n * 1024
			}
		}
	}
	return 0
}
