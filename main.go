// Veristream audits finance videos against US marketing rules. Without an
// argument it opens a window; package app/cli has the commands.
package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"

	"veristream/app/cli"
	"veristream/app/desk"
)

// version is set by the linker.
var version = "dev"

// The front end as `npm run build` makes it. Before that there is only a
// placeholder, and the window says so.
//
//go:embed all:frontend/dist
var dist embed.FS

// What the language model is told; reports carry it.
//
//go:embed backend/agent/prompts/*.txt
var prompts embed.FS

func main() {
	a := cli.New(version)
	told, err := fs.Sub(prompts, "backend/agent/prompts")
	if err != nil {
		panic(err) // the folder is embedded
	}
	a.Prompts = told
	a.Window = func(ctx context.Context, open []string) error {
		assets, err := fs.Sub(dist, "frontend/dist")
		if err != nil {
			return fmt.Errorf("find the front end: %w", err)
		}
		return desk.Run(ctx, desk.Options{Version: version, Dirs: a.Dirs, Assets: assets, Prompts: told, Open: open})
	}
	os.Exit(a.Run(os.Args[1:]))
}
