package judge

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An error in what a macro of the library wrote is one of the line that uses the macro, and one in
// a file of the project is one of that.
func TestRustSpanOwn(t *testing.T) {
	span := func(file string, line int, from *rustSpan) *rustSpan {
		s := &rustSpan{FileName: file, LineStart: line}
		if from != nil {
			s.Expansion = &struct{ Span rustSpan }{*from}
		}
		return s
	}
	root := t.TempDir()
	library := filepath.Join(filepath.Dir(root), "library", "macros.rs")
	for _, tt := range []struct {
		name string
		span *rustSpan
		want rustSpan
	}{
		{"its own", span("src/a.rs", 3, nil), *span(filepath.Join(root, "src", "a.rs"), 3, nil)},
		{"a macro of its own", span("src/a.rs", 3, span("src/b.rs", 4, nil)), *span(filepath.Join(root, "src", "a.rs"), 3, span("src/b.rs", 4, nil))},
		{"a macro of the library", span(library, 1, span(library, 2, span("src/b.rs", 4, nil))), *span(filepath.Join(root, "src", "b.rs"), 4, nil)},
		{"the library", span(library, 1, nil), *span(library, 1, nil)},
	} {
		if diff := cmp.Diff(tt.want, tt.span.own(root)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
