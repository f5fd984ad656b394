package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// examine reports on one server: what is known before it starts, then how the start went.
func (v *run) examine(p subject) result.ServerReport {
	d := &p.Definition
	r := result.ServerReport{
		ID: d.ID, Root: p.Root, Marker: p.Marker, Files: p.files, Binary: p.Binary, Args: p.Args, Proven: d.Tested == registry.CI,
		Symptoms: []result.Symptom{},
	}
	for _, s := range d.Diagnostics.Strategies {
		r.Strategies = append(r.Strategies, string(s))
	}
	add := func(symptoms ...result.Symptom) { r.Symptoms = append(r.Symptoms, symptoms...) }
	if d.Disabled {
		add(v.disabled(p))
		return r
	}
	binary, version := v.binary(p)
	r.Version = version
	add(binary)
	rooted := p.Marker != "" || d.SingleFile
	if rooted {
		add(v.rooted(p))
	} else {
		add(v.rootless(p))
	}
	add(v.history(p)...)
	if p.Unavailable != nil {
		if p.Unavailable.State == roots.Untrusted && binary.Level == result.LevelOK {
			add(result.Symptom{Level: result.LevelNote, Step: "trust", Message: "it does not start: " + p.Unavailable.Reason, Next: "lspine trust"})
		}
		return r
	}
	add(v.project(p)...)
	add(v.try(p, &r)...)
	return r
}

// disabled reports where a server was switched off.
func (v *run) disabled(p subject) result.Symptom {
	id, settings := p.Definition.ID, v.opts.Config.Settings
	s := result.Symptom{Level: result.LevelNote, Step: "configuration"}
	source := v.opts.Config.Source("lsp.servers." + id + ".enabled")
	switch {
	case !settings.Enabled:
		source = v.opts.Config.Source("lsp")
		s.Message = fmt.Sprintf("disabled with all others (%s)", source)
	case v.opts.Config.Unregistered(id):
		source = v.opts.Config.Source("lsp.policyMode")
		s.Message = fmt.Sprintf("not started: lsp.policyMode is %s (%s), and your own configuration does not name it", settings.PolicyMode, source)
	case source.Layer != config.LayerBuiltin:
		s.Message = fmt.Sprintf("disabled (%s)", source)
	case !settings.AutoDetect:
		source = v.opts.Config.Source("lsp.autoDetect")
		s.Message = fmt.Sprintf("disabled: lsp.autoDetect is false (%s), and no configuration names it", source)
	default:
		s.Message = "disabled"
	}
	s.Next = changing(source)
	return s
}

// binary reports which program is started. version is "" if it cannot be determined.
func (v *run) binary(p subject) (s result.Symptom, version string) {
	d := &p.Definition
	s = result.Symptom{Level: result.LevelOK, Step: "binary"}
	configured := ""
	source := v.commandSource(p)
	if source.Layer != config.LayerBuiltin {
		configured = fmt.Sprintf(" (%s)", source)
	}
	if d.Connect != "" {
		s.Message = "somebody else runs it at " + d.Connect + configured
		return s, ""
	}
	var obstacles []string
	for _, search := range p.Searched {
		if search.Obstacle == "" {
			s.Message = search.Path + configured
			if name, found := roots.PackageVersion(search.Path); found != "" {
				version = found
				s.Message += fmt.Sprintf(" (%s %s)", name, found)
			}
			return s, version
		}
		obstacles = append(obstacles, search.Obstacle)
	}
	s.Level, s.Next = result.LevelProblem, v.anew(p)
	if d.Optional || p.stray && configured == "" {
		s.Level = result.LevelNote
	}
	s.Message = strings.Join(obstacles, ", ") + configured
	if strings.Contains(s.Message, "not found in PATH") {
		s.Details = []string{"looked in " + strings.Join(v.opts.Workspace.SearchPath(), " ")}
		if len(v.opts.Workspace.SearchPath()) == 0 {
			s.Details = []string{"PATH names no folder"}
		}
	}
	for _, other := range d.Install {
		if configured == "" && other != s.Next {
			s.Details = append(s.Details, "or: "+other)
		}
	}
	if s.Next == "" {
		s.Next = "lspine servers"
		if len(d.Install) == 0 {
			s.Details = append(s.Details, "nothing is known of how to install it")
		}
	}
	return s, ""
}

func (v *run) rooted(p subject) result.Symptom {
	s := result.Symptom{Level: result.LevelOK, Step: "root", Message: fmt.Sprintf("%s (%s)", v.opts.Names.Relative(p.Root), p.Marker)}
	if p.Marker == "" {
		s.Message = v.opts.Names.Relative(p.Root) + " (that of the workspace)"
		if len(p.Definition.Roots) > 0 {
			s.Message = fmt.Sprintf("%s (that of the workspace; no %s in or above %s)", v.opts.Names.Relative(p.Root),
				workspace.AnyOf(p.Definition.Roots), v.opts.Names.Relative(filepath.Dir(p.probe)))
		}
	}
	return s
}

// history describes a server that is no longer started because it ended too often.
func (v *run) history(p subject) []result.Symptom {
	for _, status := range v.opts.Workspace.Statuses() {
		if status.ID == p.Definition.ID && status.Root == p.Key().Root && status.State == roots.Broken {
			return []result.Symptom{{
				Level: result.LevelProblem, Step: "history", Message: fmt.Sprintf("it was given up after %d failures: %s", status.Crashes, firstLine(status.Reason)),
				Details: linesAfterFirst(status.Reason), Next: fmt.Sprintf(`the operation servers with {"action":"restart","server":%q}`, p.Definition.ID),
			}}
		}
	}
	return nil
}

// try starts the server, opens the probe in it, and stops the server.
func (v *run) try(p subject, r *result.ServerReport) []result.Symptom {
	collector := diagnostics.New(diagnostics.Options{Timeout: v.timeout, FirstTouch: v.timeout, Patience: v.timeout})
	defer collector.Close()
	began := time.Now()
	server, err := v.opts.Workspace.Try(v.work, p.Candidate, collector.Observe(diagnostics.Key(p.Key())))
	if err != nil {
		return []result.Symptom{v.failed(p, err, time.Since(began))}
	}
	defer func() { _ = server.Close(v.whole) }() // the outcome no longer matters
	info := server.Info()
	r.Version = cmp.Or(info.Version, r.Version)
	symptoms := []result.Symptom{
		{Level: result.LevelOK, Step: "start", Message: "the process starts", TookMS: info.Started.Sub(began).Milliseconds()},
		{Level: result.LevelOK, Step: "initialize", Message: strings.TrimSpace("it answers as " + cmp.Or(info.Name, p.Definition.ID) + " " + r.Version), TookMS: time.Since(info.Started).Milliseconds()},
	}
	if p.Definition.Connect != "" {
		symptoms[0].Message = "it takes the connection"
	}
	symptoms = append(symptoms, v.show(collector, server.Server, p, r))
	for _, said := range server.Complaints() {
		symptoms = append(symptoms, result.Symptom{Level: result.LevelNote, Step: "word", Message: "it says: " + said})
	}
	return append(symptoms, strategiesOf(p), operationsOf(server.Server, r))
}

// failed reports why a server could not be started, and in which phase.
func (v *run) failed(p subject, err error, took time.Duration) result.Symptom {
	s := result.Symptom{Level: result.LevelProblem, Step: "start", Message: err.Error(), Next: v.byHand(p), TookMS: took.Milliseconds()}
	var failure *lsp.ServerError
	if errors.As(err, &failure) {
		if s.Step = "start"; failure.Phase == "initialize" {
			s.Step = failure.Phase
		}
		s.Message, s.Details = failure.Err.Error(), linesOf(failure.Stderr)
	}
	var frame *jsonrpc.FrameError
	var refused *jsonrpc.ResponseError
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		s.Message = fmt.Sprintf("time-out: no answer to initialize within %v; it was ended", took.Round(100*time.Millisecond))
		if s.Step == "start" {
			s.Message = fmt.Sprintf("time-out: it did not start within %v", took.Round(100*time.Millisecond))
		}
		s.Next = v.again(p.probe, 4)
	case errors.As(err, &frame):
		s.Message, s.Next = "it does not speak LSP: "+frame.Error(), v.anew(p)
	case errors.As(err, &mistyped):
		s.Message, s.Next = fmt.Sprintf("its answer makes no sense: a %s where another value belongs", mistyped.Value), v.anew(p)
	case errors.As(err, &syntax):
		s.Message, s.Next = "its answer makes no sense: "+s.Message, v.anew(p)
	case errors.As(err, &refused):
		s.Message = "it refused: " + refused.Error()
	case p.Definition.Connect != "":
		s.Next = v.anew(p)
	}
	return s
}

// show opens the probe and waits for the server's diagnostics.
func (v *run) show(collector *diagnostics.Collector, server *lsp.Server, p subject, r *result.ServerReport) result.Symptom {
	name := v.opts.Names.Relative(p.probe)
	r.Probe = name
	s := result.Symptom{Level: result.LevelProblem, Step: "probe"}
	content, err := v.opts.Workspace.Read(p.probe)
	if err != nil {
		s.Message, s.Next = err.Error(), restate.Hint(err)
		return s
	}
	deadline, _ := v.work.Deadline()
	limit := max(time.Until(deadline), time.Millisecond)
	began := time.Now()
	report, err := collector.Check(v.whole, diagnostics.Request{
		Files: []diagnostics.File{{Path: p.probe, Content: content, Sources: []diagnostics.Source{{
			Key: diagnostics.Key(p.Key()), Setup: v.opts.Setup.Of(&p.Definition, p.Key()), Obtain: func(context.Context) (diagnostics.Server, error) { return server, nil },
		}}}},
		Timeout: limit, FirstTouch: limit, NoBaseline: true,
	})
	if err != nil {
		s.Message = err.Error()
		return s
	}
	answer := report.Files[0].Answers[0]
	s.TookMS = time.Since(began).Milliseconds()
	r.Freshness = string(answer.Freshness)
	for _, item := range answer.Items {
		if item.Severity == protocol.SeverityError {
			r.Errors++
		}
	}
	v.heard(&s, p, name, answer, r.Errors)
	return s
}

// heard adds to the symptom what the server reported about the probe.
func (v *run) heard(s *result.Symptom, p subject, name string, answer diagnostics.Answer, errs int) {
	found := foundIn(errs, len(answer.Items)-errs)
	reason, rest := firstLine(answer.Reason), linesAfterFirst(answer.Reason)
	defer func() { s.Next = cmp.Or(answer.Lack.Next, s.Next) }()
	switch answer.Freshness {
	case diagnostics.Fresh:
		s.Level, s.Message = result.LevelOK, fmt.Sprintf("%s: a complete answer: %s", name, found)
	case diagnostics.Partial:
		s.Level, s.Message = result.LevelNote, fmt.Sprintf("%s: an answer that may be incomplete: %s", name, found)
		if reason != "" {
			s.Message += "; " + reason
		}
		s.Details = rest
	case diagnostics.Timeout, diagnostics.Indexing:
		s.Message = fmt.Sprintf("%s: time-out: no diagnostics within the time that was left", name)
		if answer.Freshness == diagnostics.Indexing {
			s.Message = strings.TrimSuffix(fmt.Sprintf("%s: time-out: it still loads the project; %s", name, reason), "; ")
		}
		s.Details, s.Next = rest, v.again(p.probe, 4)
	default:
		s.Message, s.Details, s.Next = fmt.Sprintf("%s: no answer: %s", name, reason), rest, v.byHand(p)
		if n := setup.NeedOf(&p.Definition, p.probe); n != nil && !n.Met(v.opts.Workspace.Root(), p.probe) {
			s.Next = v.opts.Setup.Within(p.Root, n.Next(p.Root))
		} else if ended := (*lsp.ServerError)(nil); !errors.As(answer.Err, &ended) && p.Marker != "" {
			s.Next = openEditor(filepath.Join(p.Root, p.Marker), 0) // it runs but does not know the file
		}
	}
}

// foundIn returns the numbers of errors and of other diagnostics as text.
func foundIn(errs, others int) string {
	switch {
	case errs+others == 0:
		return "nothing is wrong with it"
	case errs == 0:
		return fmt.Sprintf("no error, lesser findings: %d", others)
	case others == 0:
		return fmt.Sprintf("errors: %d", errs)
	}
	return fmt.Sprintf("errors: %d, lesser findings: %d", errs, others)
}

// completeness says what each strategy waits for.
var completeness = map[registry.Strategy]string{
	registry.Pull:             "it is asked for them, and answers when it has them (pull)",
	registry.DiagnosisCommand: "a command of its own makes them, and is answered after them (command)",
	registry.Progress:         "its progress ends (progress)",
	registry.Barrier:          "it publishes them before it answers a request that was sent after the text (barrier)",
	registry.Versioned:        "it publishes them with the version of the text (versioned)",
	registry.Settled:          "it publishes them, and is quiet for a while; may be incomplete (settled)",
}

// strategiesOf reports how we know that the diagnostics of a server are complete.
func strategiesOf(p subject) result.Symptom {
	d := &p.Definition.Diagnostics
	s := result.Symptom{Level: result.LevelOK, Step: "answers", Message: "by what the server declares (pull, versioned or settled)"}
	if len(d.FileStrategies) > 0 {
		s.Message = completeness[d.FileStrategies[0]] + "; with the files that use it: " + completeness[d.Strategies[0]]
	} else if len(d.Strategies) > 0 {
		s.Message = completeness[d.Strategies[0]]
	}
	if d.Disk != nil {
		s.Message += "; " + d.Disk.Method + " for what is on disk"
	}
	if p.Definition.Tested != registry.CI {
		s.Details = []string{"no test of ours runs this server"}
	}
	return s
}

// operationsOf reports which operations the server supports.
func operationsOf(server *lsp.Server, r *result.ServerReport) result.Symptom {
	c := capabilitiesOf(server)
	r.Operations, r.Missing = c.Operations, c.Missing
	s := result.Symptom{Level: result.LevelOK, Step: "operations", Message: fmt.Sprintf("%d of %d", len(c.Operations), len(c.Operations)+len(c.Missing))}
	if len(c.Operations) > 0 {
		s.Message += ": " + strings.Join(c.Operations, " ")
	}
	if len(c.Missing) > 0 && len(c.Operations) > 0 {
		s.Details = []string{"not offered: " + strings.Join(c.Missing, " ")}
	}
	return s
}

func linesOf(text string) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

func linesAfterFirst(text string) []string {
	_, rest, _ := strings.Cut(text, "\n")
	return slices.Clip(linesOf(rest))
}
