package cli_test

import (
	"os"
	"testing"

	"veristream/app/cli"
)

// The test's own binary is the worker, as the program is its own.
func TestMain(m *testing.M) {
	if os.Getenv("VERISTREAM_TEST_CLI") != "" || (len(os.Args) > 1 && os.Args[1] == "worker") {
		os.Exit(cli.New("test").Run(os.Args[1:]))
	}
	code := m.Run()
	if dir, err := shared(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}
