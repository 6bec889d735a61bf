package media_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// lines prints segments compactly: id, times, text.
func lines(segments []audit.Segment) string {
	var b strings.Builder
	for _, s := range segments {
		fmt.Fprintf(&b, "%s %d-%d %s\n", s.ID, s.StartMS, s.EndMS, s.Text)
	}
	return b.String()
}

func TestReadSubtitles(t *testing.T) {
	for _, tt := range []struct{ name, file, in, want string }{
		{
			"srt", "a.srt",
			"1\n00:00:01,000 --> 00:00:02,500\nBuy <i>now</i>,\n{\\an8}friends.\n\n2\n00:01:00,5 --> 01:00:00,000\nLater &amp; louder\n",
			"s1 1000-2500 Buy now, friends.\ns2 60500-3600000 Later & louder\n",
		},
		{"srt out of order, no numbers", "a.srt", "00:00:05.000 --> 00:00:06.000\nb\n\n00:00:01.000 --> 00:00:02.000\na\n", "s1 1000-2000 a\ns2 5000-6000 b\n"},
		{"srt without empty lines", "a.srt", "1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:02,000 --> 00:00:03,000\n42\n", "s1 1000-2000 a\ns2 2000-3000 42\n"},
		{"srt without length", "a.srt", "1\n00:00:01,000 --> 00:00:01,000\na\n", "s1 1000-1001 a\n"},
		{
			"vtt", "a.vtt",
			"WEBVTT - made by hand\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a remark\nof two lines\n\nintro\n00:01.000 --> 00:02.000 align:start position:0%\n<v Ann>We <b>never</b> lose.</v>\n",
			"s1 1000-2000 Ann: We never lose.\n",
		},
		{
			"captions that roll up", "a.vtt",
			"WEBVTT\n\n00:00.000 --> 00:02.000\n \nthis fund<00:00:01.000><c> cannot</c>\n\n00:02.000 --> 00:02.010\nthis fund cannot\n \n\n00:02.010 --> 00:04.000\nthis fund cannot\nlose<00:00:03.000><c> money</c>\n\n",
			"s1 0-2000 this fund cannot\ns2 2010-4000 lose money\n",
		},
		{"txt", "a.txt", "It cannot lose. Buy it today!\n\nThanks for watching\n", "s1 0-1200 It cannot lose.\ns2 1200-2400 Buy it today!\ns3 2400-3600 Thanks for watching\n"},
		{
			"txt with times", "a.txt", "[00:05] It cannot lose. Buy it.\n(1:00:00) Bye\n",
			"s1 5000-6200 It cannot lose.\ns2 6200-7000 Buy it.\ns3 3600000-3600400 Bye\n",
		},
		{"txt with close times", "a.txt", "00:01 one two three four\n00:02 five\n", "s1 1000-2000 one two three four\ns2 2000-2400 five\n"},
		{"txt with times on their own lines", "a.txt", "0:07\nHello there\n0:09\nBye\n", "s1 7000-7800 Hello there\ns2 9000-9400 Bye\n"},
		{"txt with ranges", "a.txt", "[00:01 - 00:03] one\n[00:03 - 00:04] two\n", "s1 1000-1400 one\ns2 3000-3400 two\n"},
		{"txt that only looks timed", "a.txt", "10:1 leverage is mad.\n", "s1 0-1600 10:1 leverage is mad.\n"},
		{"subtitles saved as txt", "a.txt", "1\n00:00:01,000 --> 00:00:02,000\na\n", "s1 1000-2000 a\n"},
		{"json of ours", "a.json", `{"segments":[{"id":"x","source":"screen","start_ms":5,"end_ms":9,"text":" AD "},{"start_ms":1,"end_ms":2,"text":"hi"},{"source":"description","text":"link"}]}`, "d1 0-0 link\ns1 1-2 hi\no1 5-9 AD\n"},
		{"json of Whisper", "a.json", `{"text":"hi","segments":[{"id":0,"start":0.5,"end":1.25,"text":" Hi","words":[{"word":"Hi","start":0.5}]}],"language":"en"}`, "s1 500-1250 Hi\n"},
		{"json of whisper.cpp", "a.json", `{"transcription":[{"timestamps":{"from":"x","to":"y"},"offsets":{"from":10,"to":20},"text":" Hi"}]}`, "s1 10-20 Hi\n"},
		{"json array", "a.json", `[{"start":1,"end":2,"text":"Hi"}]`, "s1 1000-2000 Hi\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			segments, err := media.ReadSubtitles(write(t, tt.file, tt.in), audit.Speech)
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(segments); got != tt.want {
				t.Errorf("got:\n%swant:\n%s", got, tt.want)
			}
		})
	}
}

func TestReadSubtitlesEncodings(t *testing.T) {
	const text = "1\r\n00:00:01,000 --> 00:00:02,000\r\nDécidé – 5 € »\r\n"
	units := utf16.Encode([]rune(text))
	little, big := "", ""
	for _, u := range units {
		little += string([]byte{byte(u), byte(u >> 8)})
		big += string([]byte{byte(u >> 8), byte(u)})
	}
	windows := strings.NewReplacer("é", "\xe9", "–", "\x96", "€", "\x80", "»", "\xbb").Replace(text)
	for name, content := range map[string]string{
		"utf-8": text, "utf-8 with mark": "\ufeff" + text, "utf-16le": "\xff\xfe" + little, "utf-16be": "\xfe\xff" + big,
		"utf-16le without mark": little, "utf-16be without mark": big, "windows-1252": windows, "old mac": strings.ReplaceAll(text, "\r\n", "\r"),
	} {
		segments, err := media.ReadSubtitles(write(t, "a.srt", content), audit.Screen)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := lines(segments); got != "o1 1000-2000 Décidé – 5 € »\n" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestReadSubtitlesBadInput(t *testing.T) {
	for _, tt := range []struct {
		name, file, in string
		words          []string
	}{
		{"bad time", "a.srt", "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:xx --> 00:00:03,000\nb\n", []string{"a.srt", "line 6", "00:00:xx"}},
		{"backwards", "a.srt", "1\n00:00:03,000 --> 00:00:02,000\na\n", []string{"line 2", "before"}},
		{"prose", "a.srt", "Dear all,\nthis is a letter.\n", []string{"line 1", "without a time"}},
		{"no text", "a.srt", "1\n00:00:01,000 --> 00:00:02,000\n\n", []string{"holds no text"}},
		{"only a head", "a.vtt", "WEBVTT\n", []string{"holds no text"}},
		{"empty", "a.txt", "", []string{"empty"}},
		{"spaces", "a.txt", "  \n\n", []string{"holds no text"}},
		{"binary", "a.txt", "ab\x00\x01\x02cdefghijklmnopqrst", []string{"not a text file"}},
		{"broken json", "a.json", "{\"segments\": [\n{\"text\": \"a\",}\n]}", []string{"line 2", "JSON"}},
		{"json of the wrong kind", "a.json", "{\"segments\": [\n{\"text\": 5}\n]}", []string{"line 2"}},
		{"json without times", "a.json", `[{"text":"a"}]`, []string{"segment 1 has no times"}},
		{"json without text", "a.json", `[{"start":1,"end":2}]`, []string{"segment 1 has no text"}},
		{"json with an unknown channel", "a.json", `[{"start":1,"end":2,"text":"a","source":"radio"}]`, []string{"segment 1", "radio"}},
		{"json with no segments", "a.json", `{"hello":"world"}`, []string{"holds no text"}},
		{"json backwards", "a.json", `[{"start":2,"end":1,"text":"a"}]`, []string{"segment 1 ends before"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := media.ReadSubtitles(write(t, tt.file, tt.in), audit.Speech)
			if err == nil {
				t.Fatal("it was taken")
			}
			t.Log(audit.SentenceOf(err))
			wantError(t, err, audit.CodeInput, tt.words...)
		})
	}
	_, err := media.ReadSubtitles(filepath.Join(t.TempDir(), "none.srt"), audit.Speech)
	wantError(t, err, audit.CodeInput, "There is no file")
	_, err = media.ReadSubtitles(t.TempDir(), audit.Speech)
	wantError(t, err, audit.CodeInput, "is a folder")
}

func TestDescriptionHasNoTime(t *testing.T) {
	segments, err := media.ReadSubtitles(write(t, "a.description.txt", "Sponsored by Acme. Links below.\nhttps://example.com/x\n"), audit.Description)
	if err != nil {
		t.Fatal(err)
	}
	want := "d1 0-0 Sponsored by Acme.\nd2 0-0 Links below.\nd3 0-0 https://example.com/x\n"
	if got := lines(segments); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func FuzzReadSubtitles(f *testing.F) {
	for _, seed := range []string{"1\n00:00:01,000 --> 00:00:02,000\na\n", "WEBVTT\n\nNOTE\n\n00:01.000 --> 00:02.000\nx", "[00:05] a. B.\n1:00\n", `[{"start":1,"end":2,"text":"a"}]`, "\xff\xfea\x00"} {
		for _, ext := range []string{".srt", ".txt", ".json"} {
			f.Add(seed, ext)
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content, ext string) {
		if ext != ".srt" && ext != ".txt" && ext != ".json" {
			return
		}
		path := filepath.Join(dir, "f"+ext)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		segments, err := media.ReadSubtitles(path, audit.Speech)
		if err != nil {
			if audit.CodeOf(err) != audit.CodeInput {
				t.Fatalf("%v", err)
			}
			return
		}
		last := int64(0)
		for _, s := range segments {
			if s.Text == "" || s.StartMS < last || (s.Source != audit.Description && s.EndMS <= s.StartMS) {
				t.Fatalf("%+v after %d", s, last)
			}
			last = s.StartMS
		}
	})
}

// What is written is read back the same.
func TestWriteTranscript(t *testing.T) {
	segments := []audit.Segment{
		{ID: "s1", Source: audit.Speech, StartMS: 1000, EndMS: 2500, Text: "Gains & <losses> --> both"},
		{ID: "s2", Source: audit.Speech, StartMS: 3_723_004, EndMS: 3_724_000, Text: "two\nlines"},
	}
	for format, want := range map[string]string{
		"srt": "1\n00:00:01,000 --> 00:00:02,500\nGains & <losses> --> both\n\n2\n01:02:03,004 --> 01:02:04,000\ntwo lines\n\n",
		"vtt": "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nGains &amp; &lt;losses&gt; --&gt; both\n\n01:02:03.004 --> 01:02:04.000\ntwo lines\n\n",
		"txt": "[00:00:01] Gains & <losses> --> both\n[01:02:03] two lines\n",
	} {
		var b strings.Builder
		if err := media.WriteTranscript(&b, format, segments); err != nil || b.String() != want {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
	var b strings.Builder
	wantError(t, media.WriteTranscript(&b, "doc", segments), audit.CodeUsage, "doc", "srt")
	if err := media.WriteTranscript(&b, "vtt", segments); err != nil {
		t.Fatal(err)
	}
	back, err := media.ReadSubtitles(write(t, "back.vtt", b.String()), audit.Speech)
	if err != nil || back[0].Text != segments[0].Text || back[1].StartMS != segments[1].StartMS {
		t.Fatalf("%v %v", back, err)
	}
}
