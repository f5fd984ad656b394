package checking

import (
	"strings"
	"testing"

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
