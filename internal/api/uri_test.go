package api

import (
	"testing"

	"github.com/lspine/lspine/internal/fspath"
)

// A path goes to a URI and back; what is no file URI of a rooted path is none.
func TestFileURI(t *testing.T) {
	path, uri := "/a b/é.go", "file:///a%20b/%C3%A9.go"
	if fspath.Here.Drives {
		path, uri = `C:\a b\é.go`, "file:///c%3A/a%20b/%C3%A9.go"
	}
	if got := FileURI(path); got != uri {
		t.Error(got)
	}
	if got, err := PathOf(uri); got != path || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, uri := range []string{"https://example.com/a", "untitled:1", "a.go", ""} {
		if got, err := PathOf(uri); err == nil {
			t.Errorf("%q is %q", uri, got)
		}
	}
}
