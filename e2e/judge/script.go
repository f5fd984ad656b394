package judge

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var scriptLine = regexp.MustCompile(`(?m)^([^\s(][^(\n]*)\((\d+,\d+)\): error (.*)$`)

// scriptTruth asks the tsc of the TypeScript that a server works with, of every
// project of the tree.
func scriptTruth(t testing.TB, root, tsc string) Findings {
	r := newReport(root)
	for _, name := range Files(t, root, ".json") {
		if filepath.Base(name) != "tsconfig.json" {
			continue
		}
		dir := filepath.Join(root, filepath.Dir(name))
		if content, err := os.ReadFile(filepath.Join(root, name)); err == nil && bytes.Contains(content, []byte(`"references"`)) {
			continue // what it refers to is asked for itself
		}
		r.lines(dir, run(t, dir, tsc, "--noEmit", "--pretty", "false", "-p", "."), scriptLine)
	}
	return r.found
}

// pythonTruth asks pyright's own command line.
func pythonTruth(t testing.TB, root, pyright string) Findings {
	var answer struct {
		GeneralDiagnostics []struct {
			File, Severity, Message string
			Range                   json.RawMessage
		}
	}
	if err := json.Unmarshal(run(t, root, pyright, "--outputjson"), &answer); err != nil {
		t.Fatal(err)
	}
	r := newReport(root)
	for _, d := range answer.GeneralDiagnostics {
		if d.Severity == "error" {
			r.add(d.File, string(d.Range), d.Message)
		}
	}
	return r.found
}
