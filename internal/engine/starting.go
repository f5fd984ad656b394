package engine

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/result"
)

// A starting remembers what the policy, and people who were asked, decided about starting servers.
type starting struct {
	mu sync.Mutex
	// allowed are the ids of the servers that may start; refused are those that the user of a
	// session declined.
	allowed map[string]bool
	refused map[string]map[string]bool
	// calls are the calls in progress. A server may be started for several of them, or for one that
	// has ended, so a start does not belong to one call.
	calls map[*inquirer]bool
	// recorded are the decisions already in the evidence.
	recorded map[decided]bool
}

// A decided start is the decision about one server in one session.
type decided struct {
	session, server, said string
	allowed               bool
}

func newStarting() starting {
	return starting{
		allowed: make(map[string]bool), refused: make(map[string]map[string]bool),
		calls: make(map[*inquirer]bool), recorded: make(map[decided]bool),
	}
}

// An inquirer is a call that may need servers.
type inquirer struct {
	with   api.Call
	origin evidence.Origin
	// starts reports that the call is about servers, so the decision about it applies to their
	// start.
	starts bool
	// asks reports that the call can be repeated, so a person can be asked.
	asks bool
	// waiting are the questions that the call has to ask, one per server.
	waiting []*approvalError
}

// A verdict is what a call implies for the start of a server.
type verdict struct {
	decision policy.Decision
	said     string
	allowed  bool
	refused  bool
	// unasked reports that the call cannot ask anybody, so the fallback decided.
	unasked bool
	// question is what must be asked first, nil if nothing.
	question *approvalError
}

// repeatable reports whether the call can be repeated after it ended with a question, because it
// has not changed or remembered anything.
func (g *governed) repeatable() bool {
	return g.class == api.Read && !g.edits && g.operation != api.CloseTurn.Name && g.operation != api.Simulate.Name
}

// expectStarts records that a call may need servers until done is called. done returns the question
// that must be asked before a server that the call needs may start, nil if there is none. A call
// that cannot be repeated is asked beforehand, about the servers for the files it names.
func (e *Engine) expectStarts(ctx context.Context) (done func() error, err error) {
	with := api.CallOf(ctx)
	k := &inquirer{
		with: with, origin: origin(ctx), asks: with.Asks && e.governed.repeatable(),
		starts: e.governed.operation == api.Servers.Name && e.governed.class == api.Admin,
	}
	st := &e.starting
	st.mu.Lock()
	st.calls[k] = true
	st.mu.Unlock()
	done = func() error {
		st.mu.Lock()
		defer st.mu.Unlock()
		delete(st.calls, k)
		if len(k.waiting) == 0 {
			return nil
		}
		return k.waiting[0]
	}
	if with.Asks && !k.asks {
		if question := e.askBefore(ctx, with); question != nil {
			_ = done()
			return nil, question
		}
	}
	return done, nil
}

// askBefore returns the question about the first server that a call may need and that has not been
// decided on, nil if there is none.
func (e *Engine) askBefore(ctx context.Context, with api.Call) error {
	asking := &inquirer{with: with, origin: origin(ctx), asks: true}
	needed := e.neededServers(ctx)
	st := &e.starting
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, id := range needed {
		if st.allowed[id] || e.opts.Config.Chosen(id) {
			continue
		}
		v := e.verdictLocked(asking, id)
		if v.question != nil {
			e.recordLocked(asking, id, &v)
			return v.question
		}
		if v.said != "" { // what a person said holds for the session
			e.settleLocked(asking, id, &v)
		}
	}
	return nil
}

// neededServers returns the ids of the servers for the files that a call names. If it names none,
// it returns the servers that the files of the workspace need.
func (e *Engine) neededServers(ctx context.Context) (ids []string) {
	add := func(c *roots.Candidate) {
		if c.Unavailable == nil && !slices.Contains(ids, c.Definition.ID) {
			ids = append(ids, c.Definition.ID)
		}
	}
	if e.governed.class == api.Execute && !e.governed.edits {
		return nil // it runs other programs
	}
	paths := e.pathsNamed(api.PathsOf(e.governed.request))
	for _, path := range paths {
		for _, c := range e.workspace.Candidates(filepath.FromSlash(path.Absolute)) {
			add(&c)
		}
	}
	if len(paths) == 0 {
		samples, _ := e.workspace.Samples(ctx, "") // the operation itself reports a failure to read the workspace
		for i := range samples {
			add(&samples[i].Candidate)
		}
	}
	return ids
}

// mayStart decides whether a server that is not running may start.
func (e *Engine) mayStart(id string) error {
	if e.opts.Config.Chosen(id) {
		return nil
	}
	st := &e.starting
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.allowed[id] {
		return nil
	}
	calls := make([]*inquirer, 0, len(st.calls))
	for k := range st.calls {
		calls = append(calls, k)
	}
	if len(calls) == 0 { // the call that needed the server has ended
		calls = append(calls, &inquirer{})
	}
	verdicts, asked := make([]verdict, len(calls)), false
	for i, k := range calls {
		verdicts[i] = e.verdictLocked(k, id)
		asked = asked || verdicts[i].question != nil || verdicts[i].refused
	}
	for i, k := range calls { // the fallback of a call that cannot ask must not decide for one that can
		if v := &verdicts[i]; v.allowed && !(v.unasked && asked) {
			e.settleLocked(k, id, v)
			return nil
		}
	}
	var denied error
	for i, k := range calls {
		v := &verdicts[i]
		if v.question == nil {
			if v.unasked && asked {
				continue
			}
			e.settleLocked(k, id, v)
			denied = cmp.Or(denied, v.unavailable(id))
			continue
		}
		same := func(w *approvalError) bool { return w.question.ID == v.question.question.ID }
		if !slices.ContainsFunc(k.waiting, same) {
			k.waiting = append(k.waiting, v.question)
			e.recordLocked(k, id, v)
		}
		denied = v.unavailable(id)
	}
	return denied
}

// unavailable returns why a server does not start.
func (v *verdict) unavailable(id string) error {
	reason := ""
	if v.question != nil {
		reason = "it is not started before the user was asked: " + v.question.question.Text
	} else {
		unasked := !v.refused && v.decision.Action == policy.Ask
		reason = (&DeniedError{Operation: startServer, Decision: v.decision, Refused: v.refused, Unasked: unasked}).Error()
	}
	return &roots.UnavailableError{ID: id, State: roots.Unavailable, Reason: reason}
}

// verdictLocked returns what a call implies for the start of a server.
func (e *Engine) verdictLocked(k *inquirer, id string) (v verdict) {
	if k.starts {
		return verdict{allowed: true, decision: policy.Decision{Action: policy.Allow}}
	}
	d := e.policy.Decide(policy.Subject{Operation: startServer, Class: policy.Admin, Servers: []string{id}, Client: k.with.Client})
	v = verdict{decision: d, allowed: d.Action == policy.Allow}
	if d.Action != policy.Ask {
		return v
	}
	about := governed{operation: startServer, request: id}
	question := about.questionID(&d)
	answered := slices.IndexFunc(k.with.Answers, func(a api.Answer) bool { return a.Question == question })
	switch {
	case answered >= 0 && k.with.Answers[answered].Said == api.Yes:
		v.said, v.allowed = string(api.Yes), true
	case answered >= 0 && k.with.Answers[answered].Said == api.No, e.starting.refused[k.with.Session][id]:
		v.said, v.refused = string(api.No), true
	case answered >= 0:
		v.said, v.allowed = string(api.Nothing), d.Fallback == policy.Allow
	case k.asks:
		text := "Start " + id + "? It was found to fit files of this workspace, and your configuration does not name it. " + d.Asks()
		v.said, v.question = "asking", &approvalError{
			&DeniedError{Operation: startServer, Decision: d},
			result.Question{ID: question, Text: text, TimeoutMS: e.opts.Config.Settings.AskTimeout.Milliseconds()},
		}
	default:
		v.unasked = true
		v.allowed = d.Fallback == policy.Allow && !k.with.Asks
	}
	return v
}

// settleLocked remembers a decision for as long as it is valid: permission to start a server for
// everybody, a user's refusal for the session.
func (e *Engine) settleLocked(k *inquirer, id string, v *verdict) {
	st := &e.starting
	switch {
	case v.allowed:
		st.allowed[id] = true
	case v.refused:
		if st.refused[k.with.Session] == nil {
			st.refused[k.with.Session] = make(map[string]bool)
		}
		st.refused[k.with.Session][id] = true
	}
	e.recordLocked(k, id, v)
}

// recordLocked records a decision about starting a server in the evidence, once.
func (e *Engine) recordLocked(k *inquirer, id string, v *verdict) {
	d := &v.decision
	of := decided{k.with.Session, id, v.said, v.allowed}
	if e.opts.Evidence == nil || d.Action == policy.Allow && d.Number == 0 || e.starting.recorded[of] {
		return
	}
	e.starting.recorded[of] = true
	e.opts.Evidence.Record(k.origin, &evidence.Decision{
		Operation: startServer, Class: api.Admin.String(), Server: id, Action: string(d.Action), Said: v.said, Allowed: v.allowed,
		Rule: d.Number, Source: d.Rule.Source, Reason: d.Rule.Reason,
	})
}

// forget forgets the decisions of a session's user.
func (st *starting) forget(session string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	delete(st.refused, session)
	maps.DeleteFunc(st.recorded, func(d decided, _ bool) bool { return d.session == session })
}
