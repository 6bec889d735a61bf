package media

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// Downloader brings videos from addresses with yt-dlp.
type Downloader struct {
	Exe string // the program; "" means yt-dlp on the PATH
	// Offline is the kill switch: with it nothing is asked of the network.
	Offline bool
	// What is longer or larger is not fetched; 0 means no limit.
	MaxDuration time.Duration
	MaxBytes    int64
}

// Remote is what a site says about a video, or about a list of them.
type Remote struct {
	URL         string
	Title       string
	Description string
	Uploader    string
	Uploaded    string // YYYY-MM-DD
	DurationMS  int64  // 0 when not known
	Bytes       int64  // 0 when not known
	Live        bool   // it is still going on
	// Paid says that the site marks it as holding paid promotion. That a site
	// does not say so means nothing.
	Paid      bool
	Chapters  []Chapter // as the site or its description names them
	Tags      []string
	Subtitles []string
	Entries   []Remote // of a list; empty for a video
}

// Chapter is a named part of a video.
type Chapter struct {
	StartMS int64
	Title   string
}

// Download is a fetched video.
type Download struct {
	Path      string
	Subtitles []string // files of subtitles that came with it
	Remote    Remote
}

// IsURL says whether an input is an address and not a path.
func IsURL(input string) bool {
	u, err := url.Parse(input)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// remoteJSON is what yt-dlp writes about a video, as far as it is used.
type remoteJSON struct {
	Type        string                     `json:"_type"`
	URL         string                     `json:"url"`
	WebpageURL  string                     `json:"webpage_url"`
	OriginalURL string                     `json:"original_url"`
	Title       string                     `json:"title"`
	Description string                     `json:"description"`
	Uploader    string                     `json:"uploader"`
	Channel     string                     `json:"channel"`
	UploadDate  string                     `json:"upload_date"`
	Duration    float64                    `json:"duration"`
	Size        int64                      `json:"filesize"`
	SizeGuess   float64                    `json:"filesize_approx"`
	IsLive      bool                       `json:"is_live"`
	Subtitles   map[string]json.RawMessage `json:"subtitles"`
	Entries     []remoteJSON               `json:"entries"`
	Tags        []string                   `json:"tags"`
	Chapters    []struct {
		Start float64 `json:"start_time"`
		Title string  `json:"title"`
	} `json:"chapters"`
	// How extractors name a site's mark of paid promotion: yt-dlp has no one name.
	PaidPromotion    *bool `json:"paid_promotion"`
	HasPaidPromotion *bool `json:"has_paid_promotion"`
	IsPaidPromotion  *bool `json:"is_paid_promotion"`
	IsAd             *bool `json:"is_ad"`
	IsSponsored      *bool `json:"is_sponsored"`
}

func (r remoteJSON) remote() Remote {
	out := Remote{
		URL: r.WebpageURL, Title: r.Title, Description: r.Description, Uploader: r.Uploader,
		DurationMS: int64(r.Duration * 1000), Bytes: r.Size, Live: r.IsLive,
	}
	for _, u := range []string{r.OriginalURL, r.URL} {
		if out.URL == "" {
			out.URL = u
		}
	}
	if out.Uploader == "" {
		out.Uploader = r.Channel
	}
	if out.Bytes == 0 {
		out.Bytes = int64(r.SizeGuess)
	}
	if d, err := time.Parse("20060102", r.UploadDate); err == nil {
		out.Uploaded = d.Format(time.DateOnly)
	}
	for _, mark := range []*bool{r.PaidPromotion, r.HasPaidPromotion, r.IsPaidPromotion, r.IsAd, r.IsSponsored} {
		out.Paid = out.Paid || (mark != nil && *mark)
	}
	out.Tags = r.Tags
	for _, c := range r.Chapters {
		out.Chapters = append(out.Chapters, Chapter{StartMS: int64(c.Start * 1000), Title: c.Title})
	}
	for language := range r.Subtitles {
		out.Subtitles = append(out.Subtitles, language)
	}
	slices.Sort(out.Subtitles)
	for _, e := range r.Entries {
		out.Entries = append(out.Entries, e.remote())
	}
	return out
}

// Version gives yt-dlp's version, which is a date: sites change, and one that
// is some months old fails on many.
func (d Downloader) Version(ctx context.Context) (string, error) {
	cmd, err := d.command(ctx, "--version")
	if err != nil {
		return "", err
	}
	out, stderr, err := proc.Run(cmd)
	if err != nil {
		return "", audit.Wrap(err, audit.CodeMissing, "yt-dlp does not run.").WithDetails(stderr)
	}
	return strings.TrimSpace(string(out)), nil
}

// Look asks a site about an address without fetching the video. A list comes
// back with its entries, for the user to choose from.
func (d Downloader) Look(ctx context.Context, address string) (Remote, error) {
	if err := d.check(address); err != nil {
		return Remote{}, err
	}
	cmd, err := d.command(ctx, append(netArgs, "--flat-playlist", "--no-playlist", "--dump-single-json", "--", address)...)
	if err != nil {
		return Remote{}, err
	}
	out, stderr, err := proc.Run(cmd)
	if err != nil {
		return Remote{}, downloadError(ctx, err, stderr)
	}
	var r remoteJSON
	if err := json.Unmarshal(out, &r); err != nil {
		return Remote{}, audit.Wrap(err, audit.CodeNetwork, "yt-dlp did not understand the answer of the site.").WithDetails(stderr)
	}
	return r.remote(), nil
}

// netArgs keep the user's own settings out, and a site that does not answer
// from holding an audit for ever.
var netArgs = []string{
	"--ignore-config", "--no-cache-dir", "--no-warnings", "--socket-timeout", "20", "--retries", "3",
	"--fragment-retries", "3", "--extractor-retries", "2",
}

// Fetch looks at an address and downloads its video into a folder. A second
// call goes on where one that was cut off ended. Progress is in bytes.
func (d Downloader) Fetch(ctx context.Context, address, dir string, progress Progress) (Download, error) {
	remote, err := d.Look(ctx, address)
	if err != nil {
		return Download{}, err
	}
	if err := d.Admit(remote); err != nil {
		return Download{}, err
	}
	return d.Take(ctx, address, remote, dir, progress)
}

// Take downloads a video that was looked at.
func (d Downloader) Take(ctx context.Context, address string, remote Remote, dir string, progress Progress) (Download, error) {
	if err := d.check(address); err != nil {
		return Download{}, err
	}
	args := append(slices.Clone(netArgs), "--no-playlist", "--newline", "--progress", "--no-mtime", "--no-simulate",
		"--progress-template", "download:vs-progress %(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s",
		"--print", "after_move:vs-file %(filepath)j", "--no-quiet",
		"-f", "bv*[height<=1080]+ba/b[height<=1080]/bv*+ba/b", "--merge-output-format", "mp4/mkv",
		"--write-subs", "--sub-langs", "en.*,und", "--sub-format", "vtt/srt/best",
		"--paths", dir, "--output", "video.%(ext)s")
	if d.MaxBytes > 0 {
		args = append(args, "--max-filesize", strconv.FormatInt(d.MaxBytes, 10))
	}
	cmd, err := d.command(ctx, append(args, "--", address)...)
	if err != nil {
		return Download{}, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Download{}, fmt.Errorf("start yt-dlp: %w", err)
	}
	stderr := proc.NewTail(16 << 10)
	cmd.Stderr = stderr
	wait, err := proc.Start(cmd)
	if err != nil {
		return Download{}, audit.Wrap(err, audit.CodeMissing, "yt-dlp cannot be started.")
	}
	file, said := readDownload(stdout, progress)
	if err := wait(); err != nil {
		return Download{}, downloadError(ctx, err, stderr.String())
	}
	if file == "" {
		if strings.Contains(said, "larger than max-filesize") {
			return Download{}, d.tooLarge(remote)
		}
		return Download{}, audit.Errorf(audit.CodeNetwork, "Nothing was downloaded from this address.").WithDetails(stderr.String() + said)
	}
	if stat, err := os.Stat(file); err != nil || stat.Size() == 0 {
		os.Remove(file)
		return Download{}, audit.Errorf(audit.CodeNetwork, "The site sent a video of 0 bytes. Try again later.").WithDetails(said)
	}
	out := Download{Path: file, Remote: remote}
	for _, ext := range []string{"*.vtt", "*.srt"} {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "video."+ext))
		out.Subtitles = append(out.Subtitles, found...)
	}
	return out, nil
}

// readDownload takes yt-dlp's output: progress, and the file's name.
func readDownload(out io.Reader, progress Progress) (file, rest string) {
	tail := proc.NewTail(4 << 10)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		fields := strings.Fields(line)
		switch {
		case len(fields) == 4 && fields[0] == "vs-progress":
			done, _ := strconv.ParseFloat(fields[1], 64)
			total, bad := strconv.ParseFloat(fields[2], 64)
			if bad != nil {
				total, _ = strconv.ParseFloat(fields[3], 64)
			}
			progress.tell(int64(done), int64(total))
		case strings.HasPrefix(line, "vs-file "):
			var path string
			if json.Unmarshal([]byte(strings.TrimPrefix(line, "vs-file ")), &path) == nil {
				file = path
			}
		default:
			tail.Write([]byte(line)) //nolint:errcheck // a Tail never fails
		}
		if err != nil {
			return file, tail.String()
		}
	}
}

func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}

func (d Downloader) check(address string) error {
	if d.Offline {
		return audit.Errorf(audit.CodeNetwork, "Downloads are switched off in the settings. Switch them on, or choose a file.")
	}
	if !IsURL(address) {
		return audit.Errorf(audit.CodeUsage, "%s is not an address that begins with https:// or http://.", quote(address))
	}
	return nil
}

// Admit refuses what is not one finished video within the limits.
func (d Downloader) Admit(r Remote) error {
	switch {
	case len(r.Entries) > 0:
		return audit.Wrap(ErrList, audit.CodeUsage, "This address is a list of %d videos. Choose which of them to audit.", len(r.Entries)).WithDetails(listed(r.Entries))
	case r.Live:
		return audit.Errorf(audit.CodeInput, "This is a live stream that still goes on. Audit it when it has ended.")
	case d.MaxDuration > 0 && r.DurationMS > d.MaxDuration.Milliseconds():
		return audit.Wrap(ErrLimit, audit.CodeUsage, "The video lasts %s, more than the limit of %s.", clock(float64(r.DurationMS)/1000), clock(d.MaxDuration.Seconds()))
	case d.MaxBytes > 0 && r.Bytes > d.MaxBytes:
		return d.tooLarge(r)
	}
	return nil
}

// listed names the first videos of a list, each with its address.
func listed(entries []Remote) string {
	var b strings.Builder
	for i, e := range entries {
		if i == 50 {
			fmt.Fprintf(&b, "and %d more", len(entries)-i)
			break
		}
		fmt.Fprintf(&b, "%s  %s\n", e.URL, e.Title)
	}
	return b.String()
}

func (d Downloader) tooLarge(r Remote) error {
	if r.Bytes == 0 {
		return audit.Wrap(ErrLimit, audit.CodeUsage, "The video is larger than the limit of %d MB.", d.MaxBytes>>20)
	}
	return audit.Wrap(ErrLimit, audit.CodeUsage, "The video has %d MB, more than the limit of %d MB.", r.Bytes>>20, d.MaxBytes>>20)
}

func (d Downloader) command(ctx context.Context, args ...string) (*exec.Cmd, error) {
	exe := d.Exe
	if exe == "" {
		exe = "yt-dlp"
	}
	if _, err := exec.LookPath(exe); err != nil {
		return nil, audit.Wrap(err, audit.CodeMissing, "yt-dlp is not installed. Install it with: pipx install yt-dlp")
	}
	cmd := proc.Command(ctx, exe, args...)
	cmd.Env = append(os.Environ(), "PYTHONUTF8=1", "LC_ALL=C.UTF-8") // its messages are read
	return cmd, nil
}

// DescriptionSegments gives what stands under a video as segments of the
// description channel.
func DescriptionSegments(text string) []audit.Segment {
	var out []audit.Segment
	for _, line := range strings.Split(text, "\n") {
		for _, s := range audit.Sentences(line) {
			out = append(out, audit.Segment{Source: audit.Description, Text: s})
		}
	}
	return tidy(out, audit.Description)
}

// downloadError turns yt-dlp's words into one sentence.
func downloadError(ctx context.Context, err error, stderr string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return audit.Wrap(err, audit.CodeMissing, "yt-dlp cannot be started.")
	}
	for _, f := range downloadFailures {
		if f.words.MatchString(stderr) {
			return audit.Errorf(f.code, "%s", f.sentence).WithDetails(stderr)
		}
	}
	return audit.Errorf(audit.CodeNetwork, "The video could not be downloaded.").WithDetails(stderr)
}
