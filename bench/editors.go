package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// editors write files, in the order of contenders.
func editors() []contender {
	return []contender{
		{"raw", newRawEditor, false},
		{"LSPine", newEditor, false},
	}
}

// checkers ask about files that others write, in the order of contenders. Of the raw
// client it is the same whoever writes the file.
func checkers() []contender {
	return []contender{
		{"raw", newRawEditor, false},
		{"LSPine", newChecker, false},
	}
}

// checker is LSPine's check of a file that others wrote.
type checker struct{ lspine }

func newChecker(spec raw.Spec, p project.Project) Subject {
	return &checker{*newLSPine(spec, p).(*lspine)}
}

func (s *checker) Edit(ctx context.Context, file, text string) (int, error) {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return 0, err
	}
	result, err := api.Check.Do(ctx, s.engine, api.CheckRequest{Files: []string{file}, TimeoutMS: 120_000, MaxBytes: -1})
	if err != nil {
		return 0, err
	}
	if result.Incomplete {
		return 0, fmt.Errorf("%s is not judged as a whole: %q", file, result.Unknown)
	}
	return count(result.Files) + count(result.Others), nil
}

// rawEditor writes the file, tells the server, and asks about the users that it
// was told of, all at once.
type rawEditor struct {
	rawSubject
	users []string
}

func newRawEditor(spec raw.Spec, p project.Project) Subject {
	subject := rawSubject{spec: spec.Everywhere(), whole: p.Whole, opened: make(map[string]bool)}
	return &rawEditor{subject, p.Users} // also of one file alone: an edit wants to know what it broke
}

func (s *rawEditor) Edit(ctx context.Context, file, text string) (int, error) {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return 0, err
	}
	found, err := s.rawSubject.Edit(ctx, file, text)
	if err != nil || len(s.users) == 0 {
		return found, err
	}
	for _, user := range s.users { // once: they stay open
		if !s.spec.OpenOnly || s.opened[user] {
			continue
		}
		content, err := os.ReadFile(user)
		if err != nil {
			return 0, err
		}
		if _, err := s.client.Open(ctx, user, string(content)); err != nil {
			return 0, err
		}
		s.opened[user] = true
	}
	own, err := s.client.Check(ctx, file)
	counts := []int{own.Errors()}
	failures := []error{err}
	var mu sync.Mutex
	var asked sync.WaitGroup
	for _, user := range s.users {
		asked.Go(func() {
			diagnostics, err := s.client.Check(ctx, user)
			mu.Lock()
			defer mu.Unlock()
			counts, failures = append(counts, diagnostics.Errors()), append(failures, err)
		})
	}
	asked.Wait()
	total := 0
	for _, n := range counts {
		total += n
	}
	return total, errors.Join(failures...)
}

// editor is LSPine's edit.
type editor struct {
	lspine
	// broken are the errors that are there, by path.
	broken map[string]int
	whole  bool
}

func newEditor(spec raw.Spec, p project.Project) Subject {
	return &editor{*newLSPine(spec, p).(*lspine), make(map[string]int), p.Whole}
}

func (s *editor) Edit(ctx context.Context, file, text string) (int, error) {
	name, err := filepath.Rel(s.engine.Root(), file)
	if err != nil {
		return 0, err
	}
	answer, err := api.EditFiles.Do(ctx, s.engine, api.EditRequest{
		Edits:   []api.FileEdit{{File: name, Content: &text}},
		Writing: api.Writing{Limits: api.Limits{TimeoutMS: 120_000}},
	})
	if err != nil {
		return 0, err
	}
	for _, a := range answer.Files[0].Servers {
		if a.Server == s.id && a.Freshness != "fresh" {
			return 0, fmt.Errorf("%s: %s is %s: %s", name, a.Server, a.Freshness, a.Reason)
		}
	}
	for _, files := range [][]result.File{answer.Files, answer.Others} {
		for _, f := range files {
			s.broken[f.Path] = len(f.Diagnostics) + f.Older
		}
	}
	if !s.whole {
		return s.broken[answer.Files[0].Path], nil
	}
	total := 0
	for _, n := range s.broken {
		total += n
	}
	return total, nil
}
