package ui

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) }, func() {
		if len(os.Args) > 1 && os.Args[1] == "daemon" { // one that a test has started
			os.Exit(cli.Main(os.Args))
		}
	})
}

// environment is that of a person whose folders are all in home.
func environment(home string, more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_RUNTIME_DIR=" + home,
		"GOCACHE=" + os.Getenv("GOCACHE"), "LSPINE_DAEMON=never", "LSPINE_TRUST=always",
	}, more...)
}

// serve runs a command of lspine in this process, for a person whose folders are all in home, and returns the rest of the first line
// with a word that the command writes, or that line if it begins with the word. The command ends with the test, with exit code 0.
func serve(t *testing.T, home, word string, environ []string, args ...string) (rest string) {
	t.Helper()
	said, writer := io.Pipe()
	ctx, interrupt := context.WithCancel(context.WithoutCancel(t.Context()))
	code := make(chan int, 1)
	go func() { // received below
		code <- cli.Run(ctx, args, &cli.Streams{
			In: strings.NewReader(""), Out: writer, Err: writer, Dir: home, Environ: environment(home, environ...),
		})
		_ = writer.Close()
	}()
	lines := bufio.NewScanner(said)
	found := false
	for !found && lines.Scan() {
		before, after, has := strings.Cut(lines.Text(), word)
		if rest, found = after, has; has && before == "" {
			rest = word + after
		}
	}
	drained := make(chan struct{})
	go func() { // joined below
		defer close(drained)
		for lines.Scan() {
			t.Log(lines.Text())
		}
	}()
	t.Cleanup(func() {
		interrupt()
		<-drained
		if got := <-code; got != 0 {
			t.Errorf("exit code %d", got)
		}
	})
	if !found {
		t.Fatal("it does not serve")
	}
	return rest
}

// serveUI serves the page of a folder, and returns its address with the token.
func serveUI(t *testing.T, root string, flags ...string) string {
	t.Helper()
	return serve(t, t.TempDir(), "http://", nil, append([]string{"ui", "--root", root}, flags...)...)
}

// configured writes a person's configuration with the toy server.
func configured(t *testing.T, script lsptest.Script) (flag, file string) {
	t.Helper()
	d := script.Definition(t)
	env := make(map[string]string)
	for _, variable := range d.Env {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	text, err := json.Marshal(map[string]any{"lsp": map[string]any{"servers": map[string]any{
		d.ID: map[string]any{"command": []string{d.Commands[0].Binary}, "args": []string{}, "env": env, "extensions": []string{".toy"}, "roots": d.Roots},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "config.jsonc")
	lsptest.WriteFile(t, file, string(text))
	return "--config", file
}
