package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/result"
)

// lspine is LSPine's engine in this process, through the same door as its
// fronts.
type lspine struct {
	id     string
	scope  string
	saved  bool // a new text is written first: its server judges what is on disk
	engine *engine.Engine
}

func newLSPine(spec raw.Spec, p project.Project) Subject {
	s := &lspine{id: spec.ID, scope: "file", saved: p.Saved}
	if p.Whole {
		s.scope = "dependants"
	}
	return s
}

func (s *lspine) Name() string { return "LSPine" }

func (s *lspine) Start(_ context.Context, root string) error {
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always", "LSPINE_REFERENCE_CACHE=off"}})
	var err error
	s.engine, err = engine.New(engine.Options{Root: root, Config: cfg, Problems: problems, Only: []string{s.id}, StateFolder: root + ".state"})
	return err
}

func (s *lspine) Edit(ctx context.Context, file, text string) (int, error) {
	name, err := filepath.Rel(s.engine.Root(), file)
	if err != nil {
		return 0, err
	}
	request := api.CheckRequest{Files: []string{name}, Scope: s.scope, TimeoutMS: 120_000, MaxBytes: -1}
	if s.saved {
		err = os.WriteFile(file, []byte(text), 0o600)
	} else {
		request.Contents = map[string]string{name: text}
	}
	if err != nil {
		return 0, err
	}
	result, err := api.Check.Do(ctx, s.engine, request)
	if err != nil {
		return 0, err
	}
	checked := result.Files[0]
	if checked.Error != nil {
		return 0, errors.New(checked.Error.Message)
	}
	for _, a := range checked.Servers {
		if a.Server == s.id && a.Freshness != "fresh" {
			return 0, fmt.Errorf("%s: %s is %s: %s", name, a.Server, a.Freshness, a.Reason)
		}
	}
	if s.scope == "file" {
		return len(checked.Diagnostics), nil
	}
	known, err := api.Diagnostics.Do(ctx, s.engine, api.DiagnosticsRequest{})
	return count(known.Files), err
}

func count(files []result.File) int {
	n := 0
	for i := range files {
		n += len(files[i].Diagnostics)
	}
	return n
}

func (s *lspine) Stop(ctx context.Context) error { return s.engine.Close(ctx) }
