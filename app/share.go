package app

import (
	"time"

	"veristream/backend/pipeline"
)

// weight is what each stage takes of a whole audit, roughly: measured on a
// one-minute video with the small models. It only moves a bar.
var weight = map[pipeline.Stage]float64{
	pipeline.StageProbe:      1,
	pipeline.StageAudio:      2,
	pipeline.StageTranscribe: 30,
	pipeline.StageScreen:     25,
	pipeline.StageScreening:  5,
	pipeline.StageJudge:      32,
	pipeline.StageTests:      2,
	pipeline.StageVerify:     3,
}

// shareOf gives how much of an audit is done, from 0 to 1.
func shareOf(stages []pipeline.Progress) float64 {
	var done, all float64
	for _, s := range stages {
		w := weight[s.Stage]
		all += w
		switch {
		case s.State == pipeline.Done || s.State == pipeline.Skipped:
			done += w
		case s.State == pipeline.Runs && s.Total > 0:
			done += w * min(1, max(0, float64(s.Done)/float64(s.Total)))
		}
	}
	if all == 0 {
		return 0
	}
	return done / all
}

// leftOf gives the time that is left, or 0 while it cannot be known. Stages
// overlap, so the slowest one that runs decides; what still waits is counted
// from the time that the running ones have taken for their weight.
func leftOf(stages []pipeline.Progress) time.Duration {
	var left, took time.Duration
	var waits, moved float64
	for _, s := range stages {
		switch s.State {
		case pipeline.Runs:
			if s.Left == 0 {
				return 0
			}
			left = max(left, s.Left)
			took += s.Elapsed
			if s.Total > 0 {
				moved += weight[s.Stage] * float64(s.Done) / float64(s.Total)
			}
		case pipeline.Done:
			if !s.Cached {
				took += s.Elapsed
				moved += weight[s.Stage]
			}
		case pipeline.Waits:
			waits += weight[s.Stage]
		}
	}
	if left > 0 && moved > 0 {
		left += time.Duration(waits / moved * float64(took))
	}
	return left
}

// freshStages lists every stage as waiting.
func freshStages() []pipeline.Progress {
	all := pipeline.Stages()
	stages := make([]pipeline.Progress, len(all))
	for i, s := range all {
		stages[i] = pipeline.Progress{Stage: s, State: pipeline.Waits}
	}
	return stages
}
