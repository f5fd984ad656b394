package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What grep would print counts with names, line numbers and line ends; of other files
// nothing does. What would be read are the files that an answer names, each once.
func TestCostsOfOtherWays(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"a.go": "func Load()\nLoader\n Load()\n", "sub/b.go": "Load\n", "c.txt": "Load\n"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := len("a.go:1:func Load()\n") + len("a.go:3: Load()\n") + len("sub/b.go:1:Load\n")
	if got, err := grep(root, `\bLoad\b`); got != want || err != nil {
		t.Errorf("%d, %v; want %d", got, err, want)
	}
	a := asked{root: root}
	for structured, want := range map[string]int{
		`{"files":[{"path":"a.go"},{"path":"sub/b.go"},{"path":"a.go"}]}`: 27 + 5, `{"total":0}`: 5,
	} {
		if got, err := a.read(&called{Structured: json.RawMessage(structured)}, "sub/b.go"); got != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", structured, got, err, want)
		}
	}
	text := ledger{rows: []cost{{"every use", 100, 350, 1000}}}.markdown()
	if !strings.Contains(text, "| every use | 100 | 350 (3.5×) | 1000 (10.0×) |\n") {
		t.Error(text)
	}
}
