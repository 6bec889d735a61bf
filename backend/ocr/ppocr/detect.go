package ppocr

import (
	"image"
	"math"
	"slices"

	ort "github.com/yalue/onnxruntime_go"
)

const (
	// detectWidth bounds the picture that the detector sees, in pixels of its longer side.
	detectWidth = 960
	// A pixel is text above pixelThreshold; a region is text when its pixels' mean is above regionThreshold.
	pixelThreshold  = 0.3
	regionThreshold = 0.5
	// The detector marks the core of a line; unclip widens it by area * unclip / circumference.
	unclip = 1.6
	// leastSide drops specks, in pixels of the detector's picture.
	leastSide  = 3
	maxRegions = 120 // more is a texture, not text
)

var (
	imageMean      = [3]float32{0.485, 0.456, 0.406}
	imageDeviation = [3]float32{0.229, 0.224, 0.225}
)

// detect marks the lines of text on a picture.
func (e *Engine) detect(img *image.RGBA) ([]image.Rectangle, error) {
	w, h := detectorSize(img.Rect.Dx(), img.Rect.Dy())
	data := planes(img, img.Rect, w, h, imageMean, imageDeviation)
	heat, _, err := run(e.detector, ort.NewShape(1, 3, int64(h), int64(w)), data)
	if err != nil {
		return nil, err
	}
	sx, sy := float64(img.Rect.Dx())/float64(w), float64(img.Rect.Dy())/float64(h)
	var out []image.Rectangle
	for _, r := range regions(heat, w, h) {
		box := r.box
		grow := float64(box.Dx()*box.Dy()) * unclip / float64(2*(box.Dx()+box.Dy()))
		grown := image.Rect(
			int(math.Floor((float64(box.Min.X)-grow)*sx)), int(math.Floor((float64(box.Min.Y)-grow)*sy)),
			int(math.Ceil((float64(box.Max.X)+grow)*sx)), int(math.Ceil((float64(box.Max.Y)+grow)*sy)),
		).Intersect(img.Rect)
		if grown.Dx() >= 4 && grown.Dy() >= 4 {
			out = append(out, grown)
		}
	}
	return out, nil
}

// detectorSize gives a size of which both sides are multiples of 32.
func detectorSize(w, h int) (int, int) {
	scale := math.Min(1, detectWidth/float64(max(w, h)))
	round := func(v int) int { return max(32, int(math.Round(float64(v)*scale/32))*32) }
	return round(w), round(h)
}

// region is a connected stretch of text pixels.
type region struct {
	box   image.Rectangle
	score float64
}

// regions finds connected text pixels in a heat map, the surest first.
func regions(heat []float32, w, h int) []region {
	seen := make([]bool, w*h)
	var out []region
	var queue []int
	for start, v := range heat[:w*h] {
		if v <= pixelThreshold || seen[start] {
			continue
		}
		box := image.Rectangle{Min: image.Pt(w, h)} // image.Rect would swap the corners
		sum, n := 0.0, 0
		seen[start] = true
		queue = append(queue[:0], start)
		for len(queue) > 0 {
			at := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			x, y := at%w, at/w
			sum += float64(heat[at])
			n++
			box.Min.X, box.Min.Y = min(box.Min.X, x), min(box.Min.Y, y)
			box.Max.X, box.Max.Y = max(box.Max.X, x+1), max(box.Max.Y, y+1)
			for _, d := range [8][2]int{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}} {
				nx, ny := x+d[0], y+d[1]
				if nx < 0 || ny < 0 || nx >= w || ny >= h {
					continue
				}
				if next := ny*w + nx; !seen[next] && heat[next] > pixelThreshold {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
		// A frame around a picture fills little of its box; a line of text most of it.
		filled := float64(n) / float64(box.Dx()*box.Dy())
		if score := sum / float64(n); score >= regionThreshold && filled > 0.25 && min(box.Dx(), box.Dy()) >= leastSide {
			out = append(out, region{box, score})
		}
	}
	if len(out) > maxRegions {
		slices.SortStableFunc(out, func(a, b region) int { return int(math.Copysign(1, b.score-a.score)) })
		out = out[:maxRegions]
	}
	slices.SortStableFunc(out, func(a, b region) int { return a.box.Min.Y - b.box.Min.Y })
	return out
}
