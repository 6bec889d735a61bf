package desk

import (
	"context"
	"os/exec"

	"veristream/app"
	"veristream/backend/audit"
	"veristream/backend/media"
)

// Inspect implements app.Inspector: the parts that an audit works with, as
// core found them.
func (d *desk) Inspect(ctx context.Context) []app.Installed {
	var out []app.Installed
	for _, tool := range []string{"ffmpeg", "ffprobe"} {
		version, err := media.Version(ctx, tool)
		if err != nil {
			out = append(out, app.Installed{Name: tool, State: "missing", Detail: audit.SentenceOf(err), Fix: "sudo apt install ffmpeg"})
			continue
		}
		out = append(out, app.Installed{Name: tool, State: "ok", Version: version})
	}
	if _, err := exec.LookPath("yt-dlp"); err != nil {
		out = append(out, app.Installed{Name: "yt-dlp", State: "warning", Detail: "It is needed for links only.", Fix: "build/setup"})
	}
	c, err := d.ready(ctx)
	if err != nil {
		return append(out, app.Installed{Name: "database", State: "missing", Detail: audit.SentenceOf(err)})
	}
	out = append(out, app.Installed{Name: "rule cards", State: "ok", Version: c.Pipeline.RulesVersion})
	for _, role := range []string{"whisper", "embedder", "reranker", "llm"} {
		m, ok := c.Pipeline.Models[role]
		switch {
		case !ok || m.Name == "none":
			out = append(out, app.Installed{Name: role, State: "missing", Detail: m.Note, Fix: "veristream models pull"})
		default:
			out = append(out, app.Installed{Name: role, State: "ok", Version: m.Name})
		}
	}
	return out
}

// Categories implements app.Namer.
func (d *desk) Categories(ctx context.Context) (map[string]string, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	titles := map[string]string{}
	for _, category := range c.Pipeline.Auditor.Data.Categories {
		titles[category.ID] = category.Title
	}
	return titles, nil
}
