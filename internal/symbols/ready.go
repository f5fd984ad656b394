package symbols

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/protocol"
)

// loadingWords are in the titles of the works of servers that have not loaded
// the project; entries of the registry name theirs exactly.
var loadingWords = []string{"index", "load", "initializ", "setting up", "import", "scan", "resolv", "fetch", "roots"}

// loading says what a server does that makes its answers incomplete, or "".
func loading(s Server) string {
	for _, w := range s.Works() {
		if isLoading(s, w.Title) {
			return strings.TrimSpace(w.Title + " " + w.Message)
		}
	}
	return ""
}

func isLoading(s Server, title string) bool {
	if isFailure(title) {
		return false
	}
	if titles := s.Definition().Loading; len(titles) > 0 {
		return slices.ContainsFunc(titles, func(t string) bool { return strings.HasPrefix(title, t) })
	}
	return slices.ContainsFunc(loadingWords, func(word string) bool { return strings.Contains(strings.ToLower(title), word) })
}

// isFailure reports whether the title of a work is no work: gopls keeps "Error loading
// workspace" up until it can load it.
func isFailure(title string) bool { return strings.HasPrefix(title, "Error") }

// loads counts how often a server began to load.
func loads(s Server) int {
	n := 0
	for title, begins := range s.Begins() {
		if isLoading(s, title) {
			n += begins
		}
	}
	return n
}

// interruptions counts how often a server began to load or ceased to be ready. rust-analyzer
// says the latter at once, and begins to load only when one of its threads is free.
func interruptions(s Server) int { return loads(s) + s.Losses() }

// loadsOfLast counts how often a server began to load since the last of its projects
// was new.
func loadsOfLast(s Server) int {
	several, ok := s.(interface{ BegunSince() map[string]int })
	if !ok {
		return loads(s)
	}
	n := 0
	for title, begins := range several.BegunSince() {
		if isLoading(s, title) {
			n += begins
		}
	}
	return n
}

// ofOpenFiles returns the project file that a server lacks to know more than its open files, "" if
// it knows more.
func ofOpenFiles(s Server) string {
	by := s.Definition().LoadsBy
	if len(by) == 0 {
		return ""
	}
	roots := []string{s.Root()}
	if several, ok := s.(interface{ Roots() []string }); ok {
		roots = several.Roots()
	}
	for _, root := range roots {
		names := slices.Concat(by, s.Definition().Elsewhere)
		for dir := root; ; dir, names = filepath.Dir(dir), by { // what it finds by itself it finds above as well
			for _, name := range names {
				if found, _ := fs.Glob(os.DirFS(dir), name); len(found) > 0 {
					return ""
				}
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return by[0]
}

// KnowsOpenFilesAlone reports whether a server knows no files but the open ones, because a project
// file is missing (such as a compilation database).
func KnowsOpenFilesAlone(s Server) bool { return ofOpenFiles(s) != "" }

// ofOneFile are the questions that need no other file of the project.
var ofOneFile = map[string]bool{
	"textDocument/documentSymbol": true, "textDocument/foldingRange": true, "textDocument/documentHighlight": true,
	"textDocument/semanticTokens": true, "textDocument/codeLens": true, "textDocument/formatting": true, "textDocument/rangeFormatting": true,
}

// ofProject are the questions that are about every file of the project.
var ofProject = map[string]bool{
	"textDocument/references": true, Implementation: true, "workspace/symbol": true,
	"textDocument/prepareCallHierarchy": true, "textDocument/prepareTypeHierarchy": true,
	"textDocument/rename": true, protocol.WillRenameFiles: true,
}

// OfProject reports whether a question is about every file of the project.
func OfProject(method string) bool { return ofProject[method] }

// allOrNothing are the questions whose answer is of no use, and does harm, if the
// server did not know the whole project.
var allOrNothing = map[string]bool{"textDocument/rename": true, protocol.WillRenameFiles: true}

// announceGrace bounds the wait for a server that announces its loading and has
// not, from the moment that it has a document: it may find nothing to load.
const announceGrace = 2 * time.Second

// loadGrace bounds the wait for a server that says in its log when it knows the
// files of the project: another version may say it in other words.
const loadGrace = 20 * time.Second

// awaitReady waits until a server has loaded what a method needs. If it has not
// when three quarters of the time to the deadline are over, it returns what the
// server is doing, so that there is time left to ask for what it knows. began is
// how often it had begun to load or ceased to be ready by then.
func awaitReady(ctx context.Context, s Server, method string) (doing string, began int) {
	if ofOneFile[method] {
		return "", 0
	}
	doing, began = awaitLoaded(ctx, s)
	if doing == "" && ofProject[method] {
		doing = trouble(s)
	}
	return doing, began
}

// trouble returns why a server could not load the project, in its own words, if it
// said so: then it knows open files at most.
func trouble(s Server) string {
	word := ""
	if troubled, says := s.(interface{ Trouble() string }); says {
		word, _, _ = strings.Cut(strings.TrimSpace(troubled.Trouble()), "\n")
	}
	if unwell, says := s.(interface{ Unwell() string }); says && word == "" {
		word = unwell.Unwell()
	}
	for _, w := range s.Works() {
		if word == "" && isFailure(w.Title) {
			word, _, _ = strings.Cut(strings.TrimSpace(w.Title+": "+w.Message), "\n")
			word = strings.TrimSuffix(word, ":")
		}
	}
	if word == "" {
		return ""
	}
	return notAble + word
}

// complaints returns what a server says is wrong with the project or with itself.
func complaints(s Server) []string {
	if complaining, says := s.(interface{ Complaints() []string }); says {
		return complaining.Complaints()
	}
	return nil
}

// notAble begins what a server says that will not be ready as the project is.
const notAble = "not able to load the project: "

// awaitLoaded is awaitReady for a question about more than one file.
func awaitLoaded(ctx context.Context, s Server) (doing string, began int) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*3/4)
		defer cancel()
	}
	if s.Definition().AnnouncesLoading && ofOpenFiles(s) == "" {
		awaitEvent(ctx, s, announceGrace, func() bool { return loadsOfLast(s) > 0 })
	}
	said := s.Definition().Readiness != nil
	if !said {
		awaitEvent(ctx, s, loadGrace, s.Loaded)
	}
	for {
		changed := s.WorksChanged()
		began = interruptions(s)
		if doing = loading(s); said {
			doing = "" // of that it speaks as well; when it is ready, it says
			if !s.Loaded() {
				doing = cmp.Or(loading(s), "loading the project")
			}
		}
		if doing == "" && ctx.Err() != nil && !s.Loaded() {
			return "the files of the project", began // its grace is not over
		}
		if doing == "" {
			return "", began
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return doing, began
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
