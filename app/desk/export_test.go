package desk

import (
	"context"

	"veristream/app"
	"veristream/app/dirs"
)

// Open gives the parts of the window without a window.
func Open(ctx context.Context, d dirs.Dirs) (parts app.Parts, end func() error) {
	desk := begin(ctx, Options{Version: "test", Dirs: d})
	return desk.parts(), desk.close
}
