package core

import (
	"veristream/app/batch"
	"veristream/backend/store"
)

// JobOf gives the audit that a job of the queue asks for.
func JobOf(j store.Job, r batch.Request) Job {
	job := Job{Path: j.Input, Facts: r.Facts, AsOf: r.AsOf, Language: r.Language, NoLLM: r.NoLLM, Fresh: r.Fresh}
	if j.Title != batch.TitleOf(j.Input) {
		job.Title = j.Title
	}
	if r.Admit {
		job.Limits = &Limits{}
	}
	return job
}
