package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// OpenEvidence opens the log named by the configuration and the environment, for [Options]. It
// returns nil if no log is wanted. version and program are those of this process.
func OpenEvidence(cfg *config.Config, environ []string, version, program string) *evidence.Log {
	settings := &cfg.Settings
	file := settings.EvidenceFile(environ)
	if file == "" || !settings.Enabled {
		return nil
	}
	var secrets []string
	for _, variable := range environ {
		if name, value, _ := strings.Cut(variable, "="); roots.LooksSecret(name, value) || slices.Contains(settings.HideEnv, name) {
			secrets = append(secrets, value)
		}
	}
	return evidence.Open(evidence.Options{
		Path: file, MaxBytes: int64(settings.EvidenceMaxSize) << 20, Contents: settings.EvidenceContents, Secrets: secrets,
		Version: version, Program: program,
	})
}

// maxListed limits the entries of each list in an event.
const maxListed = 100

// origin returns who made the call of ctx, for use in events.
func origin(ctx context.Context) evidence.Origin {
	with := api.CallOf(ctx)
	return evidence.Origin{Session: with.Session, Client: with.Client}
}

// A batch collects the requests to language servers of one call until the call ends. Requests after
// that are recorded one by one.
type batch struct {
	mu   sync.Mutex
	over bool
	of   []*evidence.QueryBatch
}

type batchKey struct{}

// recordExchange records a request to a language server, in the batch of its call if there is one.
func (e *Engine) recordExchange(ctx context.Context, x lsp.Exchange) {
	log := e.opts.Evidence
	b, _ := ctx.Value(batchKey{}).(*batch)
	if b == nil {
		log.Record(evidence.Origin{}, e.withExchange(nil, &x)[0])
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		log.Record(origin(ctx), e.withExchange(nil, &x)[0])
		return
	}
	b.of = e.withExchange(b.of, &x)
}

// withExchange adds a request to the entry of its server.
func (e *Engine) withExchange(of []*evidence.QueryBatch, x *lsp.Exchange) []*evidence.QueryBatch {
	root := e.workspace.Relative(x.Root)
	i := slices.IndexFunc(of, func(q *evidence.QueryBatch) bool { return q.Server == x.ID && q.Root == root })
	if i < 0 {
		i = len(of)
		of = append(of, &evidence.QueryBatch{Server: x.ID, Version: x.Version, Root: root, Outcome: evidence.Responded})
	}
	q := of[i]
	j := slices.IndexFunc(q.Queries, func(query evidence.Query) bool { return query.Method == x.Method })
	if j < 0 {
		j = len(q.Queries)
		q.Queries = append(q.Queries, evidence.Query{Method: x.Method})
	}
	query := &q.Queries[j]
	query.Count++
	switch {
	case x.Err == nil:
	case errors.Is(x.Err, context.DeadlineExceeded), errors.Is(x.Err, context.Canceled):
		query.TimedOut++
		if q.Outcome == evidence.Responded {
			q.Outcome = evidence.TimedOut
		}
	default:
		query.Failed++
		q.Outcome = evidence.Failed
	}
	if x.Path != "" && len(q.Targets) < maxListed {
		if path := e.workspace.Relative(x.Path); !slices.Contains(q.Targets, path) {
			q.Targets = append(q.Targets, path)
		}
	}
	q.Bytes += int64(x.Bytes)
	q.DurationMS = math.Round(10*(q.DurationMS+float64(x.Took.Microseconds())/1000)) / 10
	return of
}

// unrecorded are operations that only wait, over and over, for what is recorded itself.
var unrecorded = []string{api.Events.Name, api.Sessions.Name}

// beginRecord begins the record of a call, which must run with the returned context. end records
// the outcome; its answer is nil if the call failed.
func (e *Engine) beginRecord(ctx context.Context) (recorded context.Context, end func(answer result.Result, err error)) {
	if e.opts.Evidence == nil || slices.Contains(unrecorded, e.governed.operation) {
		return ctx, func(result.Result, error) {}
	}
	b, began, with := &batch{}, time.Now(), api.CallOf(ctx)
	return context.WithValue(ctx, batchKey{}, b), func(answer result.Result, err error) {
		e.recordCall(b, with, time.Since(began), answer, err)
	}
}

// recordRefused records a call that is not carried out because of what is wrong with its request.
func (e *Engine) recordRefused(ctx context.Context, g governed, err error) {
	_, end := e.forCall(g).beginRecord(ctx)
	end(nil, err)
}

// recordCall records the requests that a finished call sent to servers, and then the call itself.
func (e *Engine) recordCall(b *batch, with api.Call, took time.Duration, answer result.Result, err error) {
	log, of, from := e.opts.Evidence, result.ErrorOf(err), evidence.Origin{Session: with.Session, Client: with.Client}
	b.mu.Lock()
	b.over = true
	asked := b.of
	b.mu.Unlock()
	for _, q := range asked {
		q.Operation = e.governed.operation
		log.Record(from, q)
	}
	if of != nil && of.Kind == result.NeedsApproval {
		return // the caller repeats it with the answer
	}
	if with.Own && e.governed.class == api.Read {
		return
	}
	called := &evidence.ToolCall{
		Operation: e.governed.operation, Tool: toolOf(&with, e.governed.operation), Mode: modeOf(e.governed.request),
		Root: e.Root(), Success: err == nil, DurationMS: took.Milliseconds(),
	}
	if log.Contents() {
		called.Request, _ = json.Marshal(e.governed.request) // the request came from JSON
	}
	if of != nil {
		called.ErrorKind, called.Error = string(of.Kind), of.Message
	}
	var more []evidence.Event
	if err == nil {
		more = e.outcome(called, answer)
	}
	w, base, named := e.workspace, e.names.Base(), api.PathsOf(e.governed.request) // without the request, which may contain whole files
	log.RecordLater(from, func() evidence.Event {
		called.Files = pathsOf(w, base, named)
		return called
	})
	for _, event := range more {
		log.Record(from, event)
	}
}

// toolOf returns what the client called, "" if it is the operation itself.
func toolOf(with *api.Call, operation string) string {
	if with.Tool == operation {
		return ""
	}
	return with.Tool
}

// modeOf returns how a request wants its changes to be made, "" if it does not say.
func modeOf(request any) string { return memberOf(request, "Mode") }

// pathsOf returns the files that a request names, relative to the root. If a name may have a symbol
// after the file, it is the file, provided that it exists.
func pathsOf(w *workspace.Workspace, base string, named []string) (paths []string) {
	for _, name := range named {
		path, err := fspath.Named(base, name)
		if err != nil || len(paths) == maxListed {
			continue
		}
		if strings.Contains(name, " ") {
			if _, err := os.Lstat(path); err != nil {
				continue
			}
		}
		paths = append(paths, w.Relative(path))
	}
	return paths
}

// recordWritten records changes that were written.
func (e *Engine) recordWritten(changes []edit.Change) {
	if e.opts.Evidence == nil {
		return
	}
	w, operation, contents := e.workspace, e.governed.operation, e.opts.Evidence.Contents()
	e.opts.Evidence.RecordLater(e.governed.origin, func() evidence.Event {
		written := &evidence.Applied{Operation: operation}
		for i := range changes {
			written.Files = append(written.Files, changedBy(w, &changes[i], contents))
		}
		return written
	})
}

// changedBy returns what becomes of a file; with the begins of the texts if contents may be recorded.
func changedBy(w *workspace.Workspace, c *edit.Change, contents bool) evidence.Changed {
	changed := evidence.Changed{File: w.Relative(c.Path)}
	if c.From != "" {
		changed.From = w.Relative(c.From)
	}
	if !c.Created {
		changed.Before = hashOf(c.Before)
	}
	if !c.Deleted {
		changed.After = hashOf(c.After)
	}
	for _, r := range c.Replaced() {
		if len(changed.Replaced) == maxListed {
			changed.More++
			continue
		}
		lines := evidence.Replaced{Line: r.Line, OldLines: edit.CountLines(r.Old), NewLines: edit.CountLines(r.New)}
		if contents {
			lines.Old, lines.New = beginOf(r.Old), beginOf(r.New)
		}
		changed.Replaced = append(changed.Replaced, lines)
	}
	return changed
}

// maxText limits the begins of texts in an event, in bytes.
const maxText = 400

// beginOf returns the begin of a text that can be recorded.
func beginOf(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// recordDecision records a decision of the policy unless a built-in rule allowed the call.
func (e *Engine) recordDecision(ctx context.Context, s *policy.Subject, d *ruling, said string, allowed bool) {
	if e.opts.Evidence == nil || d.Action == policy.Allow && d.Number == 0 {
		return
	}
	e.opts.Evidence.Record(origin(ctx), &evidence.Decision{
		Operation: s.Operation, Part: d.part, Command: e.governed.command, Class: e.governed.class.String(), Path: d.Path,
		Action: string(d.Action), Said: said, Allowed: allowed,
		Rule: d.Number, Source: d.Rule.Source, Reason: d.Rule.Reason,
	})
}

// watchServers records the events of language servers, until ctx ends or the workspace is closed.
func (e *Engine) watchServers(ctx context.Context) {
	for after := uint64(0); ; {
		list, last, err := e.workspace.Events(ctx, after)
		for _, event := range list {
			if event.Kind == workspace.FilesChanged {
				continue // of no server
			}
			e.opts.Evidence.Record(evidence.Origin{}, &evidence.Lifecycle{
				Server: event.Key.ID, Root: filepath.ToSlash(e.workspace.Relative(event.Key.Root)), Change: string(event.Kind),
				Source: e.opts.Config.SourceOfServer(event.Key.ID), Reason: event.Reason,
			})
		}
		if err != nil || ctx.Err() != nil {
			return
		}
		after = last
	}
}
