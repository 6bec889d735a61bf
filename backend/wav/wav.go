// Package wav reads the one kind of sound file that the stages share: 16-bit
// mono PCM in a RIFF (or RF64) file. It is a leaf and imports the standard
// library only.
package wav

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// Rate is the sample rate that the stages use.
const Rate = 16000

// ErrFormat says that a file is not 16-bit mono PCM.
var ErrFormat = errors.New("not a 16-bit mono PCM WAV file")

// Reader reads samples at any place of a file.
type Reader struct {
	f       *os.File
	rate    int
	start   int64 // of the samples, in bytes
	samples int64
}

// Open opens a file and finds its samples.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{f: f}
	if err := r.parse(); err != nil {
		f.Close()
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return r, nil
}

// Close closes the file.
func (r *Reader) Close() error { return r.f.Close() }

// Rate gives the samples in a second.
func (r *Reader) Rate() int { return r.rate }

// Samples gives the length in samples.
func (r *Reader) Samples() int64 { return r.samples }

// DurationMS gives the length in milliseconds.
func (r *Reader) DurationMS() int64 { return r.samples * 1000 / int64(r.rate) }

func (r *Reader) parse() error {
	var head [12]byte
	if _, err := io.ReadFull(r.f, head[:]); err != nil {
		return ErrFormat
	}
	if id := string(head[:4]); (id != "RIFF" && id != "RF64") || string(head[8:]) != "WAVE" {
		return ErrFormat
	}
	stat, err := r.f.Stat()
	if err != nil {
		return err
	}
	at, haveFormat := int64(len(head)), false
	for {
		var chunk [8]byte
		if _, err := r.f.ReadAt(chunk[:], at); err != nil {
			return ErrFormat
		}
		size := int64(binary.LittleEndian.Uint32(chunk[4:]))
		at += int64(len(chunk))
		switch string(chunk[:4]) {
		case "fmt ":
			var format [16]byte
			if _, err := r.f.ReadAt(format[:], at); err != nil {
				return ErrFormat
			}
			channels, bits := binary.LittleEndian.Uint16(format[2:]), binary.LittleEndian.Uint16(format[14:])
			r.rate = int(binary.LittleEndian.Uint32(format[4:]))
			if channels != 1 || bits != 16 || r.rate == 0 {
				return ErrFormat
			}
			haveFormat = true
		case "data":
			if !haveFormat {
				return ErrFormat
			}
			// A writer that was cut off, or RF64, leaves a size that is not true.
			if rest := stat.Size() - at; size > rest || size == 0 {
				size = rest
			}
			r.start, r.samples = at, size/2
			return nil
		}
		at += size + size%2
	}
}

// Read fills buf with the samples from index from on, and says how many there
// were; fewer than asked for means that the file ends there.
func (r *Reader) Read(buf []int16, from int64) (int, error) {
	n := min(int64(len(buf)), r.samples-from)
	if n <= 0 || from < 0 {
		return 0, nil
	}
	raw := make([]byte, 2*n)
	if _, err := r.f.ReadAt(raw, r.start+2*from); err != nil {
		return 0, fmt.Errorf("read samples: %w", err)
	}
	for i := range n {
		buf[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
	}
	return int(n), nil
}

// ReadMS gives the samples between two times.
func (r *Reader) ReadMS(fromMS, toMS int64) ([]int16, error) {
	from, to := fromMS*int64(r.rate)/1000, toMS*int64(r.rate)/1000
	to = min(to, r.samples)
	if to <= from {
		return nil, nil
	}
	buf := make([]int16, to-from)
	n, err := r.Read(buf, from)
	return buf[:n], err
}
