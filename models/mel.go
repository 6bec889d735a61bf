package models

import "math"

// melFilters makes the triangular filters that Whisper's spectrogram uses:
// 16 kHz, windows of 400 samples, the scale and the area norm of Slaney's
// Auditory Toolbox (the defaults of librosa.filters.mel). The steps and their
// precision follow numpy's, so that the same bits come out; the conversions
// around the products keep a compiler from fusing them.
func melFilters(mels int) []float32 {
	const rate, window = 16000, 400
	const bins = 1 + window/2
	edges := make([]float64, mels+2)
	low, high := hzToMel(0), hzToMel(rate/2)
	step := (high - low) / float64(mels+1)
	for i := range edges {
		edges[i] = melToHz(float64(float64(i)*step) + low)
	}
	edges[mels+1] = melToHz(high)
	out := make([]float32, mels*bins)
	for m := range mels {
		left, right := edges[m+1]-edges[m], edges[m+2]-edges[m+1]
		norm := 2 / (edges[m+2] - edges[m])
		for k := range bins {
			hz := float64(k) * (1.0 / (window * (1.0 / rate)))
			up, down := -(edges[m]-hz)/left, (edges[m+2]-hz)/right
			w := float32(math.Min(up, down))
			if w < 0 { // not math.Max: the first filter begins with numpy's -0
				w = 0
			}
			out[m*bins+k] = float32(float64(w) * norm)
		}
	}
	return out
}

const (
	linearStep = 200.0 / 3 // Hz per mel below 1 kHz
	logStart   = 1000.0
)

func hzToMel(hz float64) float64 {
	if hz < logStart {
		return hz / linearStep
	}
	return logStart/linearStep + math.Log(hz/logStart)/logStep()
}

func melToHz(mel float64) float64 {
	const start = logStart / linearStep
	if mel < start {
		return linearStep * mel
	}
	return logStart * math.Exp(float64(logStep()*(mel-start)))
}

func logStep() float64 { return math.Log(6.4) / 27 }
