package roots

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// A file with more errors than clang reports by itself has them all reported, so that
// an edit is not said to have made the error that there are too many.
func TestManyErrors(t *testing.T) {
	lsptest.Require(t, "clangd")
	var body strings.Builder
	for i := range 40 {
		fmt.Fprintf(&body, "  undefined%d;\n", i)
	}
	text := "void f() {\n" + body.String() + "}\n"
	w := plant(t, shape{files: map[string]string{"compile_flags.txt": "-std=c++17\n", "a.cc": text}}, "clangd")
	f := w.check(t, "a.cc")
	if got := strings.Count(messages(f.Diagnostics), "undeclared identifier"); got != 40 || len(f.Diagnostics) != 40 {
		t.Errorf("of 40 errors %d are reported: %s", got, messages(f.Diagnostics))
	}
	more := text + "void g() { undefined40; }\n"
	result := w.edit(t, api.FileEdit{File: "a.cc", Content: &more})
	if got := messages(result.Files[0].Diagnostics); strings.Count(got, ": ") != 1 || !strings.Contains(got, "undefined40") {
		t.Errorf("new is %q", got)
	}
}
