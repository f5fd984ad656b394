// Package ui serves the page on which a person sees what goes on in a workspace: servers, diagnostics, sessions and the evidence.
// The page is static and for everybody; what it shows comes over one stream, from the operations of the catalog.
package ui

import (
	"embed"
	"net/http"
	"path"
	"strings"
)

//go:embed page
var files embed.FS

// types are the files of the page, with their media types. The first is the page itself.
var types = map[string]string{
	"index.html": "text/html; charset=utf-8",
	"style.css":  "text/css; charset=utf-8",
	"dom.js":     "text/javascript; charset=utf-8",
	"page.js":    "text/javascript; charset=utf-8",
	"stream.js":  "text/javascript; charset=utf-8",
	"list.js":    "text/javascript; charset=utf-8",
	"chart.js":   "text/javascript; charset=utf-8",
}

// policy lets the page load its own files and talk to its own server, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Static returns what serves a path of the page, nil if it is none: /ui, what is below it, and the same below /w/NAME, whether or not
// there is such a workspace. The page has no secrets, and is for everybody.
func Static(path string) http.Handler {
	name, ok := fileOf(path)
	if !ok {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		content, err := files.ReadFile("page/" + name)
		if err != nil {
			http.Error(w, "there is no such file", http.StatusNotFound) // a test sees that each is there
			return
		}
		h := w.Header()
		h.Set("Content-Type", types[name])
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		_, _ = w.Write(content) // who does not read learns nothing
	})
}

// local returns a path without the workspace that it may begin with.
func local(p string) (rest string, named bool) {
	if below, ok := strings.CutPrefix(p, "/w/"); ok {
		if i := strings.LastIndex(below, "/ui"); i > 0 {
			return below[i:], true
		}
	}
	return p, false
}

// fileOf returns the file of the page that is served at a path.
func fileOf(p string) (name string, ok bool) {
	rest, _ := local(p)
	if rest == "/ui" {
		return "index.html", true
	}
	dir, name := path.Split(rest)
	_, known := types[name]
	return name, dir == "/ui/" && known && name != "index.html"
}

// The paths that need a token like everything else.
const (
	eventsPath = "/ui/events"
	verifyPath = "/ui/verify"
)

// Route returns the pattern of the addresses that a path belongs to, "" if the page has nothing there.
func Route(p string) string {
	rest, named := local(p)
	if _, static := fileOf(p); static {
		rest = "/ui"
	} else if rest != eventsPath && rest != verifyPath {
		return ""
	}
	if named {
		return "/w/{workspace}" + rest
	}
	return rest
}

// IsStream reports whether a request is for events that come as long as the page is open.
func IsStream(r *http.Request) bool {
	rest, _ := local(r.URL.Path)
	return r.Method == http.MethodGet && rest == eventsPath
}
