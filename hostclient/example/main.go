// Command example is an agent's tool loop that embeds the service: it reads tool calls from
// standard input, one line of JSON each, and writes what the model would read.
//
//	{"tool": "edit", "file": "a.go", "old": "x", "new": "y"}
//	{"tool": "write", "file": "a.go", "content": "package a\n"}
//	{"tool": "apply_patch", "changes": [{"file": "a.go", "content": "…"}, {"file": "b.go", "delete": true}]}
//	{"tool": "/lsp status"}
//
// It starts `lspine service`, or the command given as its arguments.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/hostclient"
)

func main() {
	root, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx := context.Background()
	client := hostclient.New(hostclient.Options{Root: root, Config: json.RawMessage(os.Getenv("LSP_CONFIG")), Command: os.Args[1:]})
	client.Start(ctx) // /lsp status reports failures
	Loop(ctx, &Agent{root, client}, os.Stdin, os.Stdout)
	client.Shutdown(ctx)
}

// An Agent has tools.
type Agent struct {
	Root string
	LSP  *hostclient.Client
}

// A Call is a call of a tool.
type Call struct {
	Tool    string   `json:"tool"`
	File    string   `json:"file"`
	Old     string   `json:"old"`
	New     string   `json:"new"`
	Content string   `json:"content"`
	Changes []Change `json:"changes"`
}

// A Change is what a patch does to one file: it writes, deletes or renames it.
type Change struct {
	File     string  `json:"file"`
	Content  *string `json:"content"`
	Delete   bool    `json:"delete"`
	RenameTo string  `json:"rename_to"`
}

// Loop answers calls until there are no more.
func Loop(ctx context.Context, a *Agent, in io.Reader, out io.Writer) {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var c Call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			fmt.Fprintln(out, "Error:", err)
			continue
		}
		text, err := a.Run(ctx, c)
		if err != nil {
			text = "Error: " + err.Error()
		}
		fmt.Fprintln(out, text)
	}
}

// Run runs a tool. It writes the file first; the text reports that success whatever happens to the
// diagnostics.
func (a *Agent) Run(ctx context.Context, c Call) (string, error) {
	path := filepath.Join(a.Root, c.File)
	switch c.Tool {
	case "edit":
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if strings.Count(string(text), c.Old) != 1 {
			return "", fmt.Errorf("%s: the text is not there once", c.File)
		}
		changed := strings.Replace(string(text), c.Old, c.New, 1)
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			return "", err
		}
		own := a.LSP.CheckFile(ctx, path, &changed)
		return hostclient.AppendDiagnostics("Edited "+c.File+".", own, nil, hostclient.Limits{}), nil
	case "write":
		if err := os.WriteFile(path, []byte(c.Content), 0o644); err != nil {
			return "", err
		}
		before := a.LSP.Epoch(ctx)
		own := a.LSP.CheckFile(ctx, path, &c.Content)
		others := a.LSP.DiagnosticsAfter(ctx, before, 250*time.Millisecond)
		if others == nil {
			others = map[string][]hostclient.Diagnostic{}
		}
		delete(others, path)
		return hostclient.AppendDiagnostics("Wrote "+c.File+".", own, others, hostclient.Limits{}), nil
	case "apply_patch":
		return a.patch(ctx, c.Changes)
	case "/lsp status":
		return a.LSP.StatusText(ctx), nil
	}
	return "", fmt.Errorf("there is no tool %q", c.Tool)
}

// patch makes all changes, and then checks the written files, all at once. It does not check files
// that are only deleted or renamed, so these start no server.
func (a *Agent) patch(ctx context.Context, changes []Change) (string, error) {
	var written []string
	for _, c := range changes {
		path := filepath.Join(a.Root, c.File)
		var err error
		switch {
		case c.Delete:
			err = os.Remove(path)
		case c.RenameTo != "":
			err = os.Rename(path, filepath.Join(a.Root, c.RenameTo))
		case c.Content != nil:
			err = os.WriteFile(path, []byte(*c.Content), 0o644)
			written = append(written, path)
		}
		if err != nil {
			return "", err
		}
	}
	found := make([][]hostclient.Diagnostic, len(written))
	var asking sync.WaitGroup
	for i, path := range written {
		asking.Go(func() { found[i] = a.LSP.CheckFile(ctx, path, nil) })
	}
	asking.Wait()
	text := fmt.Sprintf("Patched %d files.", len(changes))
	for _, own := range found {
		text = hostclient.AppendDiagnostics(text, own, nil, hostclient.Limits{})
	}
	return text, nil
}
