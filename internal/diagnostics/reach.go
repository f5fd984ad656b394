package diagnostics

import (
	"maps"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
)

// unjudged says why a check of the disk did not judge a file, or not all of it; "" if it did. It is the only place that
// decides that.
func (r *diskRun) unjudged(path string) string {
	if r.cargo == nil {
		return ""
	}
	return r.cargo.Unjudged(path)
}

// leftOutBeside is [Collector.LeftOutBeside].
func (s *stream) leftOutBeside(path string) string {
	s.mu.Lock()
	run := s.disk
	s.mu.Unlock()
	if run == nil || !run.over() || run.cargo == nil {
		return ""
	}
	return run.cargo.LeftOutBeside(path)
}

// ranCargo returns what cargo did in the check of the disk that is just over, nil if the server does not tell.
func (s *stream) ranCargo() *project.CargoRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.namesCrates == "" {
		return nil
	}
	var compiled, scripts, broken []string
	told := len(s.compiled) > 0
	for _, crates := range s.compiled {
		told = told && slices.ContainsFunc(crates, func(crate string) bool { return strings.HasPrefix(crate, lsp.CargoEnded) })
		for _, crate := range crates {
			if script, fails := strings.CutPrefix(crate, lsp.CargoScript); fails {
				name, _, _ := strings.Cut(script, " ")
				scripts = append(scripts, name)
			} else {
				compiled = append(compiled, crate)
			}
		}
	}
	for path, f := range s.files {
		if slices.ContainsFunc(f.pushed, func(d protocol.Diagnostic) bool { return d.Severity == protocol.SeverityError }) {
			broken = append(broken, path)
		}
	}
	slices.Sort(scripts)
	return project.NewCargoRun(told, compiled, scripts, broken)
}

// keepFound takes what was published during a check of the disk for the server's last findings in
// the files that it judged before, and that the check judged.
func (s *stream) keepFound(run *diskRun) {
	s.mu.Lock()
	paths := slices.Collect(maps.Keys(s.files))
	s.mu.Unlock()
	leftOut := make(map[string]bool)
	for _, path := range paths {
		if run.unjudged(path) != "" { // which reads files
			leftOut[path] = true
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leftOut = leftOut
	for path, f := range s.files {
		if s.checksDisk && f.last.known && !f.asked && !leftOut[path] && (f.pushedVersion == nil || *f.pushedVersion == f.version) {
			f.last.items = f.items
		}
	}
	if s.checksDisk && s.server != nil {
		if p := s.ledger.peekLocked(s.server.World()); p != nil {
			s.retellLocked(p)
		}
	}
}
