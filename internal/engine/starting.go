package engine

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// startServer is what the policy is asked about before a server starts that the user's own
// configuration does not name. It is no operation of the catalog: calls of many operations need
// servers.
const startServer = "start_server"

// A starting keeps what the policy, and people who were asked, said of the start of servers.
type starting struct {
	mu sync.Mutex
	// allowed are the ids of servers that may start, refused those that a person of a session does
	// not want.
	allowed map[string]bool
	refused map[string]map[string]bool
	// calls are those that are carried out: who starts a server for several of them, or for one
	// that has ended, has no call of its own.
	calls map[*inquirer]bool
	// recorded are the decisions that are on record.
	recorded map[decided]bool
}

// A decided start is what was said of one server in one session.
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
	// starts says that servers are what the call is about, so that the decision about it holds.
	starts bool
	// asks says that a person can be asked by the call: it can be put again.
	asks bool
	// waiting are the questions that it has to ask, one for each server.
	waiting []*approvalError
}

// A verdict is what a call says about the start of a server.
type verdict struct {
	decision policy.Decision
	said     string
	allowed  bool
	refused  bool
	// unasked says that nobody can be asked by the call, so that the fallback decides.
	unasked bool
	// question is what has to be asked first, nil if nothing has.
	question *approvalError
}

// repeatable reports whether the call can be put again after it ended with a question: it has
// changed nothing, and remembered nothing.
func (g *governed) repeatable() bool {
	return g.class == api.Read && !g.edits && g.operation != api.CloseTurn.Name && g.operation != api.Simulate.Name
}

// expectStarts notes that a call may need servers, until done is called, which returns the question
// that has to be asked before one that it needs may start; nil if there is none. A call that cannot
// be put again is asked beforehand, about the servers of the files that it names.
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

// askBefore returns the question about the first server that a call may need and that nobody has
// decided about; nil if there is none.
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
		if v.said != "" { // what a person said is good for the session
			e.settleLocked(asking, id, &v)
		}
	}
	return nil
}

// neededServers returns the ids of the servers of the files that a call names or, if it names none,
// of all that the files of the workspace need.
func (e *Engine) neededServers(ctx context.Context) (ids []string) {
	add := func(c *workspace.Candidate) {
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
		samples, _ := e.workspace.Samples(ctx, "") // who cannot look at the workspace says so later
		for i := range samples {
			add(&samples[i].Candidate)
		}
	}
	return ids
}

// mayStart decides whether a server may start that does not run.
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
	if len(calls) == 0 { // the one that needed it has ended
		calls = append(calls, &inquirer{})
	}
	verdicts, asked := make([]verdict, len(calls)), false
	for i, k := range calls {
		verdicts[i] = e.verdictLocked(k, id)
		asked = asked || verdicts[i].question != nil || verdicts[i].refused
	}
	for i, k := range calls { // a call that can ask nobody decides nothing for one that can
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
		reason = (&DeniedError{Operation: startServer, Decision: v.decision, Refused: v.refused, Unasked: !v.refused && v.decision.Action == policy.Ask}).Error()
	}
	return &workspace.UnavailableError{ID: id, State: workspace.Unavailable, Reason: reason}
}

// verdictLocked returns what a call says about the start of a server.
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
	question := about.question(&d)
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

// settleLocked remembers what was decided, as long as it holds: for everybody that a server may
// start, for a session that its user does not want it.
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

// recordLocked records a decision about the start of a server, unless it is on record.
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

// forget forgets what the person of a session said.
func (st *starting) forget(session string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	delete(st.refused, session)
	maps.DeleteFunc(st.recorded, func(d decided, _ bool) bool { return d.session == session })
}
