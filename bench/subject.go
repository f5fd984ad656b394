package main

import (
	"context"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
)

// A Subject is one client under measurement, driving one server. All calls
// come from one goroutine.
type Subject interface {
	// Name is the heading of its column.
	Name() string
	// Start brings up the server for the project in root, an absolute path with
	// all links resolved. ctx bounds only the start.
	Start(ctx context.Context, root string) error
	// Edit gives the file (an absolute path below root) a new text, on disk if the
	// subject is for that, and returns the number of diagnostics of severity error
	// when they are complete: of that file, or of all files if the subject was
	// made for the whole workspace. The first Edit of a file opens it.
	Edit(ctx context.Context, file, text string) (errors int, err error)
	// Stop ends the server and waits for its end.
	Stop(ctx context.Context) error
}

// A contender makes subjects of one kind, for a project.
type contender struct {
	name string
	make func(spec raw.Spec, p project.Project) Subject
	// guesses says that its answers may be wrong; then they are counted, and else
	// nothing is measured.
	guesses bool
}

// contenders run side by side; ratios are to the first. This is where another
// client joins: a function in a file of its own (such as lspine.go), and a line
// here. spec.ID is the id of LSPine's registry; spec.Find says which executable
// the others run.
func contenders() []contender {
	return []contender{
		{"raw", newRaw, false},
		{"LSPine", newLSPine, false},
		{"plain", newPlain, true},
	}
}

// rawSubject is the raw client. It is what nothing can be much faster than.
type rawSubject struct {
	spec   raw.Spec
	whole  bool
	client *raw.Client
	opened map[string]bool
}

func newRaw(spec raw.Spec, p project.Project) Subject {
	if !p.Whole {
		spec = spec.EditedFileOnly()
	}
	return &rawSubject{spec: spec, whole: p.Whole, opened: map[string]bool{}}
}

// newPlain is a client that waits for what is published, and then for quiet.
func newPlain(spec raw.Spec, p project.Project) Subject {
	return &rawSubject{spec: spec.Plain(), whole: p.Whole, opened: map[string]bool{}}
}

func (s *rawSubject) Name() string { return "raw" }

func (s *rawSubject) Start(ctx context.Context, root string) error {
	var err error
	s.client, err = raw.Start(ctx, s.spec, root)
	return err
}

func (s *rawSubject) Edit(ctx context.Context, file, text string) (int, error) {
	change := s.client.Change
	if !s.opened[file] {
		change = s.client.Open
		s.opened[file] = true
	}
	diagnostics, err := change(ctx, file, text)
	if s.whole {
		return s.client.Errors(), err
	}
	return diagnostics.Errors(), err
}

func (s *rawSubject) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return s.client.Close(ctx)
}
