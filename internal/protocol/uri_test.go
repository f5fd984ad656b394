package protocol

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
)

// A path becomes a URI of plain ASCII and comes back as it was.
//
// Requirement: AGENT-43.
func TestURIsOfPathsRoundTrip(t *testing.T) {
	for _, path := range []string{
		"/", "/a/b.go", "/with space/a b.go", "/ünï/文/😀.go", "/a+b/c++.cc", "/a#b/c#", "/100%/a%20b",
		"/node_modules/@types/x.d.ts", "/app/[slug]/page.tsx", "/a?b", "/a:b", "/a;b,c", "/a&b=c", `/a\b`, "/a\"b'c`", "/~x", "/.hidden",
	} {
		uri := fspath.Linux.URI(path)
		if !strings.HasPrefix(uri, "file:///") || strings.ContainsAny(uri, " #?\"") {
			t.Errorf("%q became %q", path, uri)
		}
		for _, c := range []byte(uri) {
			if c >= 0x80 {
				t.Errorf("%q became %q, which is not ASCII", path, uri)
				break
			}
		}
		if got, err := fspath.Linux.Path(uri); got != path || err != nil {
			t.Errorf("%q became %q and that %q, %v", path, uri, got, err)
		}
	}
}

// However a server spells the URI of a file, its path is the same.
func TestSpellingsOfAURI(t *testing.T) {
	for want, spellings := range map[string][]string{
		"/a b/c+d.go":  {"file:///a%20b/c+d.go", "file:///a%20b/c%2Bd.go", "file:///a%20b/c%2bd.go", "file:///a b/c+d.go"},
		"/x/[id].ts":   {"file:///x/[id].ts", "file:///x/%5Bid%5D.ts", "file:///x/%5bid%5d.ts"},
		"/n/@t/x.ts":   {"file:///n/@t/x.ts", "file:///n/%40t/x.ts"},
		"/é.go":        {"file:///é.go", "file:///%C3%A9.go", "file:///%c3%a9.go"},
		"/a/b.go":      {"file:///a/./b.go", "file:///a//b.go", "file:///a/x/../b.go", "file:/a/b.go", "file:///a/b.go/", "FILE:///a/b.go"},
		"/100%25/a.go": {"file:///100%2525/a.go"},
	} {
		for _, spelling := range spellings {
			got, err := fspath.Linux.Path(spelling)
			if err != nil || got != want {
				t.Errorf("%s is %q, %v; want %q", spelling, got, err, want)
			}
		}
	}
}

// What names no file on this machine has no path.
func TestURIsWithoutAPath(t *testing.T) {
	for _, uri := range []string{
		"", "untitled:Untitled-1", "http://example.com/a.go", "jdt://contents/rt.jar/java.lang/Object.class",
		"zipfile:///a.zip::b.rb", "vscode-notebook-cell:/a.ipynb#W0", "a.go", "/a.go", "file:", "file:a.go",
	} {
		if path, err := DocumentURI(uri).Path(); err == nil {
			t.Errorf("%q has the path %q", uri, path)
		}
	}
}

// What is no file has its URI for a path.
func TestVirtual(t *testing.T) {
	for path, want := range map[string]bool{
		"jdt://contents/java.base/java.lang/String.class?=x": true, "deno:/https/deno.land/a.ts": true, "zipfile:///a.zip::b": true,
		"/a/b.go": false, "a.go": false, `C:\a.go`: false, "C:/a.go": false, "a/b:c.go": false, "": false,
	} {
		if got := IsVirtual(path); got != want {
			t.Errorf("%q: %t", path, got)
		}
		if want && string(URIFromPath(path)) != path {
			t.Errorf("%q has the URI %q", path, URIFromPath(path))
		}
	}
	if got := VirtualName("jdt://contents/a.class?=x"); got != "jdt://contents/a.class" {
		t.Errorf("it is shown as %q", got)
	}
}
