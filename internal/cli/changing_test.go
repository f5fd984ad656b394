package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// Verbs that change files do what their flags say, print what it broke, and exit like a check of that. What is only
// shown, or is not clean, is not written.
func TestVerbsThatChangeFiles(t *testing.T) {
	t.Parallel()
	root := lsptest.Workspace(t, "-- toy.root --\n-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n")
	uri := func(name string) string { return string(protocol.URIFromPath(filepath.Join(root, name))) }
	const name = `[{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":10}},"newText":"aide"}]`
	const space = `[{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":4}},"newText":"  "}]`
	fill := strings.NewReplacer("$main", uri("main.toy"), "$lib", uri("lib.toy"), "$name", name).Replace
	s := &shop{t: t, root: root, configFile: writeConfig(t, lsptest.Script{
		Capabilities: json.RawMessage(`{"renameProvider":true,"codeActionProvider":true,"documentRangeFormattingProvider":true}`),
		Rules: []lsptest.Rule{
			lsptest.On("textDocument/rename", lsptest.Reply(fill(`{"changes":{"$lib":$name,"$main":$name}}`))),
			lsptest.On("textDocument/codeAction", lsptest.Reply(fill(`[{"title":"One","kind":"quickfix","edit":{"changes":{"$lib":$name}}},{"title":"Both","kind":"refactor","edit":{"changes":{"$lib":$name,"$main":$name}}}]`))),
			lsptest.On("textDocument/rangeFormatting", lsptest.Reply(space)),
		},
	})}
	patch := func(file, from, to string) string {
		return "diff --git a/" + file + " b/" + file + "\n--- a/" + file + "\n+++ b/" + file + "\n@@ -1 +1 @@\n-" + from + "\n+" + to + "\n"
	}
	inLib, inMain := patch("lib.toy", "def helper", "def aide"), patch("main.toy", "use helper", "use aide")
	const clean, broken = "\nLSP diagnostics after edit: no new errors.\n", "\nLSP diagnostics after edit: 1 new error.\n" +
		"Other files that this edit broke (1 of 1 shown):\n<diagnostics file=\"main.toy\">\nERROR [1:5] undefined: helper\n</diagnostics>\n"
	for _, c := range []struct {
		args, stdin string
		want        outcomeOf
		files       string // main.toy and lib.toy, afterwards
	}{
		{"edit --dry-run", inLib, outcomeOf{exitDiagnostics, "Preview, nothing is written: edit of lib.toy (+1 -1 lines).\n" + inLib + broken, ""}, "use helper def helper"},
		{"edit --if-clean", inLib, outcomeOf{exitDiagnostics, "Not applied, because it is not clean: edit of lib.toy (+1 -1 lines).\n" + inLib + broken, ""}, "use helper def helper"},
		{"edit --if-clean --dry-run", inLib, outcomeOf{exitUsage, "", "lspine: if any flags in the group [dry-run if-clean] are set none of the others can be; [dry-run if-clean] were all set\n"}, "use helper def helper"},
		{"rename lib.toy:1:5 aide --exclude main.toy --dry-run", "", outcomeOf{
			exitDiagnostics, "note: left out by exclude_globs: 1 place in 1 file (main.toy 1)\n" +
				"Preview, nothing is written: renaming of helper to aide: 1 place in 1 file (lib.toy 1).\n" + inLib + broken, "",
		}, "use helper def helper"},
		{"fix lib.toy:1 --only refactor", "", outcomeOf{exitClean, "lib.toy: 1 action\n1. Both (refactor)\n" + inLib + inMain + "next: fixes with the same arguments and apply: 1, title: \"Both\"\n", ""}, "use helper def helper"},
		{"fix lib.toy --apply 1 --if-clean", "", outcomeOf{exitDiagnostics, "Not applied, because it is not clean: application of \"One\" in lib.toy.\n" + inLib + broken, ""}, "use helper def helper"},
		{"fix lib.toy --title Both", "", outcomeOf{exitClean, "Applied \"Both\" in lib.toy, main.toy.\n" + clean, ""}, "use aide def aide"},
		{"format main.toy:1 --dry-run", "", outcomeOf{exitClean, "Preview, nothing is written: formatting of main.toy (+1 -1 lines).\n" + patch("main.toy", "use aide", "use  aide") + clean, ""}, "use aide def aide"},
		{"rename --file main.toy first.toy --dry-run", "", outcomeOf{
			exitClean, "note: toy does not say what must follow when a file moves: only the file is renamed, and only if that breaks nothing\n" +
				"Preview, nothing is written: renaming of main.toy to first.toy.\ndiff --git a/main.toy b/first.toy\nrename from main.toy\nrename to first.toy\n" + clean, "",
		}, "use aide def aide"},
	} {
		s.stdin = c.stdin
		got := s.run(strings.Fields(c.args)...)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, diff)
		}
		var files []string
		for _, name := range []string{"main.toy", "lib.toy"} {
			files = append(files, strings.TrimSuffix(read(t, filepath.Join(root, name)), "\n"))
		}
		if diff := cmp.Diff(c.files, strings.Join(files, " ")); diff != "" {
			t.Errorf("%s leaves the files (-want +got):\n%s", c.args, diff)
		}
	}
}
