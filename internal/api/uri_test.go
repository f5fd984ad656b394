package api

import "testing"

// A path goes to a URI and back; what is no file URI of a rooted path is none.
func TestFileURI(t *testing.T) {
	const uri = "file:///a%20b/%C3%A9.go"
	if got := FileURI("/a b/é.go"); got != uri {
		t.Error(got)
	}
	if got, err := PathOf(uri); got != "/a b/é.go" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, uri := range []string{"https://example.com/a", "untitled:1", "a.go", ""} {
		if got, err := PathOf(uri); err == nil {
			t.Errorf("%q is %q", uri, got)
		}
	}
}
