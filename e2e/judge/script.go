package judge

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var scriptLine = regexp.MustCompile(`(?m)^([^\s(][^(\n]*)\((\d+,\d+)\): error (TS(\d+): .*)$`)

// scriptTruth asks the tsc of the TypeScript that a server works with, of every
// project of the tree. Projects that refer to others are built, in a copy.
func scriptTruth(t testing.TB, root, tsc string) Findings {
	r := newReport(root)
	copied := ""
	for _, name := range Files(t, root, ".json") {
		if filepath.Base(name) != "tsconfig.json" {
			continue
		}
		dir, args := filepath.Join(root, filepath.Dir(name)), []string{"--noEmit", "-p", "."}
		if content, err := os.ReadFile(filepath.Join(root, name)); err == nil && bytes.Contains(content, []byte(`"references"`)) {
			if copied == "" {
				copied = t.TempDir()
				if err := os.CopyFS(copied, os.DirFS(root)); err != nil {
					t.Fatal(err)
				}
			}
			dir, args = filepath.Join(copied, filepath.Dir(name)), []string{"-b"}
		}
		out := run(t, dir, tsc, append(args, "--pretty", "false")...)
		if copied != "" {
			out = bytes.ReplaceAll(out, []byte(copied), []byte(root))
		}
		// Where the syntax is wrong tsc does not look at types, in any file.
		for _, m := range scriptLine.FindAllStringSubmatch(string(out), -1) {
			if syntax := len(m[4]) == 4 && strings.HasPrefix(m[4], "1"); syntax {
				r.found.Add(Everywhere, fatal+m[3])
			}
		}
		r.lines(filepath.Join(root, filepath.Dir(name)), out, scriptLine)
	}
	for file := range r.found { // what a build writes and then finds wrong is nobody's source
		if _, err := os.Stat(filepath.Join(root, file)); file != Everywhere && err != nil {
			delete(r.found, file)
		}
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
