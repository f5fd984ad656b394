package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Patches are judged side by side: each by itself, against the disk, which stays as it is; the exit
// code is that of the worst.
func TestSimulateJudgesPatchesSideBySide(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- lib.toy --\ndef helper\n-- main.toy --\nuse helper\n", lsptest.Script{})
	for name, patch := range map[string]string{
		"breaks": "--- a/lib.toy\n+++ b/lib.toy\n@@ -1 +1 @@\n-def helper\n+def aide\n",
		"whole":  "--- a/lib.toy\n+++ b/lib.toy\n@@ -1 +1 @@\n-def helper\n+def aide\n--- a/main.toy\n+++ b/main.toy\n@@ -1 +1 @@\n-use helper\n+use aide\n",
		"wrong":  "--- a/lib.toy\n+++ b/lib.toy\n@@ -1 +1 @@\n-def other\n+def aide\n",
	} {
		lsptest.WriteFile(t, filepath.Join(s.root, name+".patch"), patch)
	}
	got := s.run("simulate", "breaks.patch", "whole.patch", "wrong.patch")
	golden(t, "simulate.golden", got.stdout)
	s.expect("three patches", got, 2, got.stdout, "lspine: clean: whole.patch; breaks: breaks.patch; cannot be applied: wrong.patch")
	got = s.run("simulate", "whole.patch", "breaks.patch", "--json")
	s.expect("as JSON", got, 1, got.stdout)
	type judged struct {
		Patch      string
		Evaluation struct{ Verdict, Confidence string }
	}
	var all []judged
	if err := json.Unmarshal([]byte(got.stdout), &all); err != nil {
		t.Fatal(err)
	}
	want := []judged{{Patch: "whole.patch"}, {Patch: "breaks.patch"}}
	want[0].Evaluation.Verdict, want[0].Evaluation.Confidence = "clean", "high"
	want[1].Evaluation.Verdict, want[1].Evaluation.Confidence = "new_errors", "high"
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	s.stdin = "--- a/lib.toy\n+++ b/lib.toy\n@@ -1 +1,2 @@\n def helper\n+def more\n"
	got = s.run("simulate", "-")
	s.expect("from standard input", got, 0, got.stdout, "lspine: clean: -")
	s.expect("no such patch", s.run("simulate", "none.patch"), 2, "", "none.patch", "name a patch")
	if text, err := os.ReadFile(filepath.Join(s.root, "lib.toy")); err != nil || string(text) != "def helper\n" {
		t.Errorf("lib.toy is %q, %v", text, err)
	}
}
