package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/hostclient"
	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

const beLSPine = "EXAMPLE_BE_LSPINE"

func TestMain(m *testing.M) {
	lsptest.Main(m,
		func() { lsp.Supervise(os.Args) },
		func() {
			if os.Getenv(beLSPine) != "" && os.Getenv("LSPTEST_SCRIPT") == "" {
				os.Exit(cli.Main(os.Args))
			}
		})
}

// agent returns an agent over a toy workspace, and where its server keeps a journal.
func agent(t *testing.T, archive string, script lsptest.Script) (*Agent, string) {
	t.Helper()
	script.JournalFile = filepath.Join(t.TempDir(), "journal")
	d := script.Definition(t)
	env := make(map[string]string)
	for _, variable := range d.Env {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	config, err := json.Marshal(map[string]any{"servers": map[string]any{d.ID: map[string]any{
		"command": d.Commands[0].Binary, "args": []string{}, "env": env, "extensions": []string{".toy"}, "roots": d.Roots,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	root := lsptest.Workspace(t, "-- toy.root --\n"+archive)
	client := hostclient.New(hostclient.Options{
		Root: root, Config: config, Command: []string{os.Args[0], "service"},
		Env: []string{beLSPine + "=1", "GORACE=atexit_sleep_ms=0", "XDG_CONFIG_HOME=" + t.TempDir()},
	})
	client.Start(t.Context())
	t.Cleanup(func() { client.Shutdown(context.Background()) })
	return &Agent{root, client}, script.JournalFile
}

func (a *Agent) says(t *testing.T, call, want string) {
	t.Helper()
	var out bytes.Buffer
	Loop(t.Context(), a, strings.NewReader(call+"\n"), &out)
	if diff := cmp.Diff(want+"\n", out.String()); diff != "" {
		t.Errorf("%s:\n%s", call, diff)
	}
}

const (
	inThis  = "\n\nLSP errors detected in this file, please fix:\n"
	inOther = "\n\nLSP errors detected in other files:\n"
)

func block(file string, lines ...string) string {
	return "<diagnostics file=\"" + file + "\">\n" + strings.Join(lines, "\n") + "\n</diagnostics>"
}

// The tools of an agent: an edit shows the edited file alone, a write others as well, a patch
// each file that it wrote. What is deleted or renamed is not asked about, and what has no
// server is written all the same.
//
// Requirement: REQ-DIAG-010, REQ-DIAG-015, REQ-DIAG-017, REQ-DIAG-020, REQ-DIAG-030, REQ-DIAG-040, REQ-DIAG-045, REQ-DIAG-050,
// REQ-SCOPE-010, REQ-SCOPE-020, REQ-SCOPE-025, REQ-GRACE-010, REQ-LIFE-010, REQ-LIFE-020, REQ-STATUS-010, REQ-EXCL-020,
// BR-1, BR-2, BR-3, BR-10, BR-11, BR-17, BR-18, BR-19, BR-36, BR-75, BR-76, BR-77, EC-36, EC-37, EC-38, EC-39.
func TestTools(t *testing.T) {
	a, journal := agent(t, "-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n-- old.toy --\nERROR old\n-- gone.toy --\nERROR gone\n", lsptest.Script{})
	a.says(t, `{"tool":"apply_patch","changes":[{"file":"gone.toy","delete":true},{"file":"old.toy","rename_to":"moved.toy"}]}`, "Patched 2 files.")
	a.says(t, `{"tool":"write","file":"notes.txt","content":"ERROR"}`, "Wrote notes.txt.")
	a.says(t, `{"tool":"write","file":"binary.toy","content":"ERROR\u0000"}`, "Wrote binary.toy.")
	if got := lsptest.ReadJournal(t, journal); len(got) > 0 {
		t.Fatalf("a server was started: %+v", got)
	}
	if err := os.Remove(filepath.Join(a.Root, "moved.toy")); err != nil {
		t.Fatal(err)
	}
	a.says(t, `{"tool":"edit","file":"main.toy","old":"use helper","new":"use helper\nERROR <T>"}`, "Edited main.toy."+inThis+block("main.toy", "ERROR [2:1] &lt;T&gt;"))
	a.says(t, `{"tool":"edit","file":"main.toy","old":"\nERROR <T>","new":""}`, "Edited main.toy.")
	a.says(t, `{"tool":"edit","file":"lib.toy","old":"helper","new":"other"}`, "Edited lib.toy.")
	a.says(t, `{"tool":"write","file":"lib.toy","content":"def another\nERROR here\n"}`,
		"Wrote lib.toy."+inThis+block("lib.toy", "ERROR [2:1] here")+inOther+block("main.toy", "ERROR [1:5] undefined: helper"))
	a.says(t, `{"tool":"apply_patch","changes":[{"file":"lib.toy","content":"def helper\n"},{"file":"a.toy","content":"ERROR a\n"},{"file":"b.toy","content":"ERROR b\n"}]}`,
		"Patched 3 files."+inThis+block("a.toy", "ERROR [1:1] a")+inThis+block("b.toy", "ERROR [1:1] b"))
	a.says(t, `{"tool":"edit","file":"none.toy","old":"a","new":"b"}`, "Error: open "+a.Root+"/none.toy: no such file or directory")
	a.LSP.Shutdown(t.Context())
	a.says(t, `{"tool":"write","file":"a.toy","content":"ERROR still\n"}`, "Wrote a.toy.")
	a.says(t, `{"tool":"/lsp status"}`, "LSP unavailable: service was shut down")
	if text, err := os.ReadFile(filepath.Join(a.Root, "a.toy")); err != nil || string(text) != "ERROR still\n" {
		t.Errorf("%s, %v", text, err)
	}
}
