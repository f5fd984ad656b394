package checking

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
)

// large is a small module that is configured to be a large project.
const large = `
-- .lspine.jsonc --
{"lsp": {"largeProjectFiles": 1}}
-- go.mod --
module m

go 1.24
-- lib/lib.go --
package lib

// Sum adds.
func Sum(a, b int) int {
	return a + b
}

func total() int { return Sum(1, 2) }
-- lib/lib_test.go --
package lib_test

import (
	"testing"

	"m/lib"
)

func TestSum(t *testing.T) { _ = lib.Sum(1, 2) }
-- use/use.go --
package use

import "m/lib"

var Result = lib.Sum(1, 2)
-- last/last.go --
package last

import "m/use"

var number int = use.Result
-- other/other.go --
package other

import "m/lib"

var Other = lib.Sum
-- free/free.go --
package free

func Free() {}
`

// What was not heard of the rest in time is not known, and never counts as nothing; nor
// does it where there is no file to ask by.
func TestLargeProjectRestInTime(t *testing.T) {
	s := openReal(t, large, "gopls")
	s.check("lib/lib.go")
	ed, err := s.newEdition(api.Writing{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ed.plan.Write(filepath.Join(s.root, "lib/lib.go"), "package lib\n\nfunc wrong( {\n"); err != nil {
		t.Fatal(err)
	}
	ed.changes, ed.since, ed.unproven = ed.plan.Changes(), ed.collector.Now(), true
	own, _ := ed.own(true, false)
	over, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	for _, files := range [][]diagnostics.File{own, nil} {
		ed.unknown = nil
		if _, _, err := ed.rest(over, time.Now(), files); err != nil || len(ed.unknown) != 1 {
			t.Errorf("%d files: %q, %v", len(files), ed.unknown, err)
		}
	}
	ed.unproven, ed.unknown = false, nil
	if _, _, err := ed.rest(t.Context(), time.Now(), own); err != nil || len(ed.unknown) != 0 {
		t.Errorf("proven: %q, %v", ed.unknown, err)
	}
}
