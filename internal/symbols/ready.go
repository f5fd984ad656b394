package symbols

import (
	"context"
	"strings"
	"time"
)

// loadingWords are in the titles of the works of servers that have not loaded
// the project; entries of the registry name theirs exactly.
var loadingWords = []string{"index", "load", "initializ", "setting up", "import", "scan", "resolv", "fetch", "roots"}

// loading says what a server does that makes its answers incomplete, or "".
func loading(s Server) string {
	titles := s.Definition().Loading
	for _, w := range s.Works() {
		text := strings.TrimSpace(w.Title + " " + w.Message)
		for _, title := range titles {
			if strings.HasPrefix(w.Title, title) {
				return text
			}
		}
		if len(titles) > 0 {
			continue
		}
		for _, word := range loadingWords {
			if strings.Contains(strings.ToLower(w.Title), word) {
				return text
			}
		}
	}
	return ""
}

// ofOneFile are the questions that need no other file of the project.
var ofOneFile = map[string]bool{
	"textDocument/documentSymbol": true, "textDocument/foldingRange": true, "textDocument/documentHighlight": true,
	"textDocument/semanticTokens": true,
}

// announceGrace bounds the wait for a server that announces its loading and has
// not, from the moment that it has a document: it may find nothing to load.
const announceGrace = 2 * time.Second

// loadGrace bounds the wait for a server that says in its log when it knows the
// files of the project: another version may say it in other words.
const loadGrace = 20 * time.Second

// awaitReady waits until a server has loaded what a method needs. If it has not
// when three quarters of the time to the deadline are over, it returns what the
// server is doing, so that there is time left to ask for what it knows.
func awaitReady(ctx context.Context, s Server, method string) string {
	if ofOneFile[method] {
		return ""
	}
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*3/4)
		defer cancel()
	}
	awaitEvent(ctx, s, announceGrace, func() bool { return !s.Definition().AnnouncesLoading || s.Begun(s.Definition().Loading) })
	awaitEvent(ctx, s, loadGrace, s.Loaded)
	for {
		changed := s.WorksChanged()
		doing := loading(s)
		if doing == "" && ctx.Err() != nil && !s.Loaded() {
			return "the files of the project" // its grace is not over
		}
		if doing == "" {
			return ""
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return doing
		}
	}
}

// awaitEvent waits until something has come true that comes with a change of the
// server's works, at most for a grace from the moment that it has a document.
func awaitEvent(ctx context.Context, s Server, grace time.Duration, come func() bool) {
	if come() {
		return
	}
	ctx, cancel := context.WithDeadline(ctx, s.FirstOpened().Add(grace))
	defer cancel()
	for {
		changed := s.WorksChanged()
		if come() {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
