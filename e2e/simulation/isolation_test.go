package simulation

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// Few rounds, unless more are asked for by -rapid.checks.
func init() {
	for name, value := range map[string]string{"rapid.checks": "3", "rapid.nofailfile": "true", "rapid.shrinktime": "20s"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

// A tongue is how files of a language are written that declare a function each, and use that of
// another file. No two texts declare the same: what a server says it declares tells which text it has.
type tongue struct {
	server, ending string
	// others are files that the project needs besides.
	others string
	// text declares the function "base", and the word alone, and uses base of another module;
	// if it is wrong, with a text where a number is wanted.
	text func(word, other string, wrong bool) string
}

var tongues = []tongue{
	{"gopls", ".go", "-- go.mod --\nmodule m\n\ngo 1.24\n", func(word, other string, wrong bool) string {
		self, _, _ := strings.Cut(word, "_")
		return fmt.Sprintf("package m\n\nfunc base_%s(n int) int { return n }\n\nfunc %s() int { return base_%s(%s) }\n", self, word, other, number(wrong))
	}},
	{"typescript", ".ts", "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true}}\n", script},
	{"typescript-language-server", ".ts", "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true}}\n", script},
	{"pyright", ".py", "-- pyrightconfig.json --\n{}\n", func(word, other string, wrong bool) string {
		self, _, _ := strings.Cut(word, "_")
		return fmt.Sprintf("import %s\n\n\ndef base_%s(n: int) -> int:\n    return n\n\n\ndef %s() -> int:\n    return %s.base_%s(%s)\n", other, self, word, other, other, number(wrong))
	}},
}

func script(word, other string, wrong bool) string {
	self, _, _ := strings.Cut(word, "_")
	return fmt.Sprintf("import * as m from \"./%s\";\n\nexport function base_%s(n: number): number { return n; }\n\nexport function %s(): number { return m.base_%s(%s); }\n", other, self, word, other, number(wrong))
}

func number(wrong bool) string {
	if wrong {
		return `"x"`
	}
	return "1"
}

var modules = []string{"a", "b", "c", "d"}

// A house is an engine over files of a tongue, with the texts on disk and in sessions.
type house struct {
	*enginetest.Shop
	tongue
	disk     map[string]string // by module
	sessions map[string]map[string]string
	made     int // texts so far
}

// Whatever sessions hold, and whoever evaluates, edits, asks or writes to the disk in whatever
// order, and though a server is killed in between: no answer outside of a session comes from a session's text, and
// after each step servers hold of each document what is on disk.
//
// Requirement: AGENT-25.
func TestNobodyHearsOfASession(t *testing.T) {
	for _, lang := range tongues {
		t.Run(lang.server, func(t *testing.T) {
			t.Parallel()
			h := &house{tongue: lang, disk: make(map[string]string)}
			archive := lang.others
			for i, m := range modules {
				h.disk[m] = h.fresh(m, modules[(i+1)%len(modules)], false)
				archive += "-- " + m + lang.ending + " --\n" + h.disk[m]
			}
			h.Shop = enginetest.OpenReal(t, archive, lang.server)
			killed := false
			rapid.Check(t, func(r *rapid.T) {
				h.sessions = make(map[string]map[string]string)
				for n := range rapid.IntRange(10, 14).Draw(r, "steps") {
					steps := []string{"create", "step", "step", "evaluate", "evaluate", "chain", "chain", "check", "references", "edit", "others", "commit", "discard"}
					step := rapid.SampledFrom(steps).Draw(r, "step")
					if n == 6 && !killed {
						step, killed = "kill", true
					}
					h.do(r, step)
					h.compare(r, step)
				}
				for session := range h.sessions {
					simulate(t, h, api.SimulateRequest{Action: "destroy", Session: session})
				}
			})
		})
	}
}

// fresh returns a text of a module that was never there.
func (h *house) fresh(module, other string, wrong bool) string {
	h.made++
	return h.text(fmt.Sprintf("%s_%d", module, h.made), other, wrong)
}

// draw returns a module, and a new text for it.
func (h *house) draw(r *rapid.T) (module, text string) {
	module = rapid.SampledFrom(modules).Draw(r, "module")
	others := slices.DeleteFunc(slices.Clone(modules), func(m string) bool { return m == module })
	return module, h.fresh(module, rapid.SampledFrom(others).Draw(r, "other"), rapid.Bool().Draw(r, "wrong"))
}

func (h *house) file(module string) string { return module + h.ending }

// session draws one of the sessions, "" if there are none.
func (h *house) session(r *rapid.T) string {
	names := slices.Sorted(maps.Keys(h.sessions))
	if len(names) == 0 {
		return ""
	}
	return rapid.SampledFrom(names).Draw(r, "session")
}

// do carries out one step.
func (h *house) do(r *rapid.T, step string) {
	session := h.session(r)
	of := api.SimulateRequest{Session: session}
	switch step {
	case "kill":
		h.kill(r, session)
		return
	case "check", "references": // compare asks
		return
	case "edit":
		module, text := h.draw(r)
		enginetest.Do(h.T, h, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{writing(h.file(module), text)}})
		h.disk[module] = text
		return
	case "others":
		module, text := h.draw(r)
		h.Write(h.file(module), text)
		h.disk[module] = text
		return
	}
	if session == "" || step == "create" {
		h.sessions[simulate(h.T, h, api.SimulateRequest{Action: "create"}).Session] = make(map[string]string)
		return
	}
	switch step {
	case "step":
		module, text := h.draw(r)
		of.Action, of.Edits = "edit", edits(writing(h.file(module), text))
		if _, read := h.sessions[session][module]; !read {
			h.sessions[session][module] = h.disk[module]
		}
		simulate(h.T, h, of)
	case "evaluate":
		of.Action = "evaluate"
		h.try(r, of)
	case "chain":
		of.Action = "chain"
		for range rapid.IntRange(2, 4).Draw(r, "edits") {
			module, text := h.draw(r)
			of.Edits = append(of.Edits, edits(writing(h.file(module), text))...)
			if _, read := h.sessions[session][module]; !read {
				h.sessions[session][module] = h.disk[module]
			}
		}
		h.try(r, of)
	case "commit":
		of.Action = "commit"
		of.Apply = true
		if answer, done := h.try(r, of); done {
			for _, c := range answer.Changes {
				module := strings.TrimSuffix(c.Path, h.ending)
				h.disk[module] = h.Read(c.Path)
			}
			delete(h.sessions, session)
		}
	case "discard":
		of.Action = "discard"
		simulate(h.T, h, of)
		delete(h.sessions, session)
	}
}

// kill ends the servers, while the session, if there is one, is evaluated. What comes of that is not
// taken for harmless unless all is known.
func (h *house) kill(r *rapid.T, session string) {
	var evaluating sync.WaitGroup
	if session != "" {
		evaluating.Go(func() {
			answer, err := api.Simulate.Do(h.T.Context(), h, api.SimulateRequest{Action: "evaluate", Session: session, Limits: api.Limits{TimeoutMS: 60_000}})
			if e := answer.Evaluation; err == nil && e.Confidence != result.HighConfidence && slices.Contains(harmless, e.Verdict) {
				h.T.Errorf("the servers were killed: %+v", e)
			}
		})
	}
	for _, server := range h.Workspace().Running() {
		process, err := os.FindProcess(server.Info().Pid)
		if err == nil {
			err = process.Kill()
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			r.Fatal(err)
		}
		<-server.Done() // what was killed may have something left to say
	}
	evaluating.Wait()
}

// try runs a step that fails if, and only if, the disk is not what the session read, or it holds
// nothing to write.
func (h *house) try(r *rapid.T, req api.SimulateRequest) (answer result.Simulation, done bool) {
	req.TimeoutMS = 60_000
	stale := false
	read := h.sessions[req.Session]
	for module, text := range read {
		stale = stale || h.disk[module] != text
	}
	answer, err := api.Simulate.Do(h.T.Context(), h, req)
	switch {
	case err == nil && stale:
		r.Errorf("%s of a session over other texts: %+v", req.Action, answer)
	case err != nil && !(stale && result.ErrorOf(err).Kind == result.Stale) && !(len(read) == 0 && req.Action == "commit"):
		r.Errorf("%s: %v", req.Action, err)
	case err == nil && answer.Evaluation != nil && answer.Evaluation.Confidence != result.HighConfidence && answer.Status != result.SimulationDirty:
		r.Errorf("%s: %+v", req.Action, answer.Evaluation)
	}
	return answer, err == nil
}

// compare asks servers, and what is known of files, for what only the texts on disk have.
func (h *house) compare(r *rapid.T, step string) {
	var files []string
	for _, m := range modules {
		files = append(files, h.file(m))
		if got := h.Read(h.file(m)); got != h.disk[m] {
			r.Fatalf("after %s the disk has of %s\n%s\nwant\n%s", step, m, got, h.disk[m])
		}
	}
	if step != "others" && step != "kill" { // else nobody has looked yet; a look mends what a step left
		h.compareDocuments(r, step)
	}
	check := h.Check(api.CheckRequest{Files: files, Baseline: "none", MaxBytes: -1, TimeoutMS: 60_000, Severities: []string{"error"}})
	for i, m := range modules {
		wrong := strings.Contains(h.disk[m], `("x")`)
		if got := len(check.Files[i].Diagnostics) > 0; got != wrong || check.Incomplete {
			r.Errorf("after %s the check says of\n%s\n%+v", step, h.disk[m], check.Files[i])
		}
	}
	for _, m := range modules {
		uses := 0
		for _, text := range h.disk {
			uses += strings.Count(text, "base_"+m+"(") // one of them declares it
		}
		places := enginetest.Do(h.T, h, api.References, api.ReferencesRequest{Selector: api.Selector{At: h.file(m) + " base_" + m}})
		if places.Total != uses-1 {
			r.Errorf("after %s there are %d uses of base_%s, want %d: %+v", step, places.Total, m, uses-1, places)
		}
	}
	h.compareDocuments(r, step)
}

// compareDocuments asks each server what its documents declare: the words of the texts on disk.
func (h *house) compareDocuments(r *rapid.T, step string) {
	for _, server := range h.Workspace().Running() {
		for _, path := range server.OpenDocuments() {
			module, ours := strings.CutSuffix(filepath.Base(path), h.ending)
			if !ours || h.disk[module] == "" {
				continue
			}
			symbols, err := server.Symbols(h.T.Context(), path)
			if err != nil {
				r.Fatal(err)
			}
			if !slices.ContainsFunc(symbols, func(s protocol.Symbol) bool {
				return strings.HasPrefix(s.Name, module+"_") && strings.Contains(h.disk[module], s.Name+"()")
			}) {
				r.Errorf("after %s %s holds of %s %+v, the disk\n%s", step, server.Definition().ID, module, symbols, h.disk[module])
			}
		}
	}
}
