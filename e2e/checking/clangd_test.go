package checking

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

// Several files that belong together change on disk at once, behind the back of
// clangd, which has them open: the next answer is of how they are now.
func TestClangdSeesManyChangesAtOnce(t *testing.T) {
	s := enginetest.OpenReal(t, `
-- lib.h --
#pragma once
int total(int a, int b);
-- lib.cc --
#include "lib.h"
int total(int a, int b) { return a + b; }
-- app.cc --
#include "lib.h"
int use() { return total(1, 2); }
-- more.cc --
#include "lib.h"
int more() { return total(3, 4) + total(5, 6); }
`, "clangd")
	names := []string{"lib.cc", "app.cc", "more.cc"}
	var commands []string
	for _, name := range names {
		commands = append(commands, `{"directory":"`+s.Folder+`","command":"c++ -I. -c `+name+`","file":"`+name+`"}`)
	}
	s.Write("compile_commands.json", "["+strings.Join(commands, ",")+"]")
	texts := make(map[string]string)
	for _, name := range append(names, "lib.h") {
		texts[name] = s.Read(name)
	}
	for range 3 {
		if found := enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: "lib.h total"}}); found.Total != 3 {
			t.Fatalf("%d references, want 3:\n%s", found.Total, render.Brief(&found))
		}
		renamed := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "lib.h total"}, NewName: "whole"})
		if len(renamed.Changes) != 4 || len(renamed.Others) != 0 {
			t.Fatalf("%s", render.Brief(&renamed))
		}
		for name, text := range texts {
			s.Write(name, text)
		}
	}
}

// What is asked about by name is answered in the same way each time, whatever the server publishes about files that changed
// beside it, and that it is shown with it.
func TestFilesAskedAboutBesideAChangedOne(t *testing.T) {
	s := enginetest.OpenReal(t, "-- compile_flags.txt --\n-I.\n-- lib.h --\nint f(int n);\n-- user.cpp --\n#include \"lib.h\"\nint u(void) { return f(1); }\n-- old.cpp --\nint old(void) { return missing; }\n", "clangd")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Write("user.cpp", "#include \"lib.h\"\nint u(void) { return f(1, 2); }\n")
	var got []string
	for i := range 3 {
		r, err := api.Check.Do(api.Call{Session: fmt.Sprint("command line ", i), Last: true}.In(t.Context()), s.Engine, api.CheckRequest{
			Files: []string{"old.cpp", "lib.h"}, Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: 60_000, WaitLimitMS: 60_000,
		})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, render.Brief(&r))
	}
	const want = "old.cpp:1:24: error: Use of undeclared identifier 'missing' (undeclared_var_use) [older]\n1 older error (2 files checked)"
	if diff := cmp.Diff([]string{want, want, want}, got); diff != "" {
		t.Errorf("asked three times (-want +got):\n%s", diff)
	}
}
