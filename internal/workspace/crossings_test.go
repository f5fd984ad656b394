package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Which files come into others follows from the texts: what packages that import "C" have beside them and include, what Go files
// embed, and whether there is a build script. What was found once counts for as long as the workspace is open.
func TestCrossings(t *testing.T) {
	root := lsptest.Workspace(t, `
-- go.mod --
module m
-- c/a.go --
package c

// #include "../lib/one.h"
import "C"
-- c/beside.c --
-- lib/one.h --
#include <deep/two.h>
-- inc/deep/two.h --
-- other/two.h --
-- cpp/one.hpp --
-- page/p.go --
package page

//go:embed style.css all:static
var x string
-- page/style.css --
-- page/other.css --
-- page/static/deep/a.js --
-- page/odd.h --
`)
	w, err := Open(Options{Root: root, Servers: registry.Builtin()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	files := map[language.Crossing][]string{
		language.Cgo:          {"c/beside.c", "lib/one.h", "inc/deep/two.h", "other/two.h", "cpp/one.hpp", "gone/c.h"},
		language.GoEmbedding:  {"page/style.css", "page/other.css", "page/static/deep/a.js", "page/odd.h", "cpp/one.hpp", "gone/gone.css"},
		language.BuildScripts: {"a.c"},
	}
	crosses := func() map[string]bool {
		found := make(map[string]bool)
		for crossing, names := range files {
			for _, name := range names {
				found[name] = found[name] || w.Crosses(crossing, filepath.Join(root, filepath.FromSlash(name)))
			}
		}
		return found
	}
	expect := func(when string, more, wantMore bool, want map[string]bool) {
		t.Helper()
		if diff := cmp.Diff(want, crosses()); diff != "" || more != wantMore {
			t.Errorf("%s: more was found %t, not %t (-want +got):\n%s", when, more, wantMore, diff)
		}
	}
	all := make(map[string]bool)
	for name := range crosses() {
		all[name] = true
	}
	expect("before anybody looked", false, false, all)
	now := map[string]bool{
		"c/beside.c": true, "lib/one.h": true, "inc/deep/two.h": true, "other/two.h": false, "cpp/one.hpp": false, "gone/c.h": false,
		"page/style.css": true, "page/other.css": false, "page/static/deep/a.js": true, "page/odd.h": true, "gone/gone.css": false, "a.c": false,
	}
	expect("now", w.FindCrossings(nil), true, now)
	expect("nothing has changed", w.FindCrossings(nil), false, now)
	now["gone/c.h"], now["gone/gone.css"] = true, true
	former := map[string][]byte{filepath.Join(root, "gone", "a.go"): []byte("package gone\n\n//go:embed *.css\nvar x string\n\nimport \"C\"\n")}
	former[filepath.Join(root, "gone", "b.go")] = []byte("package gone\n\nimport \"C\"\n")
	expect("of former texts", w.FindCrossings(former), true, now)
	if err := os.WriteFile(filepath.Join(root, "build.rs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	now["a.c"] = true
	expect("with a build script", w.FindCrossings(nil), true, now)
}
