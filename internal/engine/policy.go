package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/checking"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/result"
)

// A governed call is a request with what the policy needs to know about it.
type governed struct {
	operation string
	class     api.Class
	// edits reports that the call may change files although its class does not say so.
	edits bool
	// parts are the operations that it contains.
	parts []string
	// command is what the call is about to run although it is of another class, such as a command of a server, and runs
	// the operation that is for such commands; "" if it runs nothing.
	command, runs string
	request       any
	// origin is the caller, for the evidence.
	origin evidence.Origin
	// course is what becomes known of the call while it runs.
	course *course
}

// A course is what becomes known of a call while it runs. It belongs to the goroutine of the call.
type course struct {
	// counted is what was counted in the files that the call changed.
	counted checking.Counted
	// ran says that a server was told to execute a command, so that the call cannot be put again.
	ran bool
}

// classes returns all classes that the call needs permission for.
func (g *governed) classes() []api.Class {
	if g.edits {
		return []api.Class{g.class, api.Edit}
	}
	return []api.Class{g.class}
}

// permit asks the policy before the call does anything. It fails with a *[DeniedError] or, if a
// person must be asked first, an *[approvalError].
func (e *Engine) permit(ctx context.Context) error {
	if e.governed.operation == api.PolicyCheck.Name {
		return nil // even a denied call can be explained
	}
	subject := e.subject(ctx, e.governed.operation)
	if e.mentions(func(m *policy.Match) []string { return m.Path }) || e.mentions(func(m *policy.Match) []string { return m.Server }) {
		subject.Paths = e.pathsNamed(api.PathsOf(e.governed.request))
		subject.Servers = e.serversOf(subject.Paths, serverOf(e.governed.request))
	}
	return e.decide(ctx, subject)
}

// permitChanges asks the policy again once it is known which files a call changes. The files named
// in the request were decided on before, but a rename changes others too. Changes that stay in
// memory need no permission. Nobody is asked about what a command turns out to change, because it would run again.
// Paths are absolute, with symbolic links resolved.
func (e *Engine) permitChanges(ctx context.Context, paths []string) error {
	if !e.mentions(func(m *policy.Match) []string { return m.Path }) {
		return nil
	}
	if e.governed.course.ran {
		with := api.CallOf(ctx)
		with.Asks = false
		ctx = with.In(ctx)
	}
	subject := e.subject(ctx, e.governed.operation)
	subject.Paths = e.pathsNamed(paths)
	subject.Servers = e.serversOf(subject.Paths, serverOf(e.governed.request))
	return e.decide(ctx, subject)
}

func (e *Engine) subject(ctx context.Context, operation string) policy.Subject {
	return policy.Subject{Operation: operation, Client: api.CallOf(ctx).Client}
}

// mentions reports whether any of the user's rules has a certain kind of condition.
func (e *Engine) mentions(member func(*policy.Match) []string) bool {
	return slices.ContainsFunc(e.policy.Rules, func(r policy.Rule) bool { return len(member(&r.Match)) > 0 })
}

// mentionsPaths reports whether a rule is about paths.
func mentionsPaths(p *policy.Policy) bool {
	return slices.ContainsFunc(p.Rules, func(r policy.Rule) bool { return len(r.Match.Path) > 0 })
}

// pathsNamed returns the paths to match with rules for the names that a caller gives: the paths
// themselves, and the targets of symbolic links.
func (e *Engine) pathsNamed(names []string) (paths []policy.Path) {
	add := func(path string) {
		of := policy.Path{Absolute: filepath.ToSlash(path)}
		if fspath.Below(e.Root(), path) {
			of.Relative = filepath.ToSlash(e.workspace.Relative(path))
		}
		if !slices.Contains(paths, of) {
			paths = append(paths, of)
		}
	}
	for _, name := range names {
		path, err := fspath.Named(e.names.Base(), name)
		if err != nil {
			continue // no operation finds it either
		}
		add(path)
		if resolved, err := fspath.Follow(path); err == nil {
			add(resolved)
		}
	}
	return paths
}

// serversOf returns the ids of the servers that handle some files, and of the server that the
// request names.
func (e *Engine) serversOf(paths []policy.Path, named string) (ids []string) {
	if named != "" {
		ids = append(ids, named)
	}
	if !e.mentions(func(m *policy.Match) []string { return m.Server }) {
		return ids
	}
	for _, path := range paths {
		for _, c := range e.workspace.Candidates(filepath.FromSlash(path.Absolute)) {
			if !slices.Contains(ids, c.Definition.ID) {
				ids = append(ids, c.Definition.ID)
			}
		}
	}
	return ids
}

// serverOf returns the server that a request names, "" if it names none.
func serverOf(request any) string { return memberOf(request, "Server") }

// memberOf returns the text of a member of a request, "" if it has none of that name.
func memberOf(request any, name string) string {
	v := reflect.ValueOf(request)
	if v.Kind() != reflect.Struct {
		return ""
	}
	if f := v.FieldByName(name); f.IsValid() && f.Kind() == reflect.String {
		return f.String()
	}
	return ""
}

// decide decides about the call, using the policy and the rule that its front adds.
func (e *Engine) decide(ctx context.Context, s policy.Subject) error {
	with := api.CallOf(ctx)
	d := e.strictest(s, &e.governed)
	if own := with.Permission; own.Action != "" {
		if by := e.policy.By(policy.Rule{Action: own.Action, Fallback: own.Fallback, Source: own.Source}); by.StricterThan(&d.Decision) {
			d = ruling{Decision: by}
		}
	}
	denied := &DeniedError{Operation: s.Operation, Part: d.part, Command: e.governed.command, Runs: e.governed.runs, Decision: d.Decision}
	if d.Number == 0 && d.Rule.Source != "" {
		denied.Advice = with.Permission.Advice
	}
	action, said := d.Action, ""
	if action == policy.Ask {
		id := e.governed.questionID(&d.Decision)
		answered := slices.IndexFunc(with.Answers, func(a api.Answer) bool { return a.Question == id })
		switch {
		case answered < 0 && with.Asks:
			e.recordDecision(ctx, &s, &d, "asking", false)
			return &approvalError{denied, result.Question{
				ID: id, Text: denied.questionText(), TimeoutMS: e.opts.Config.Settings.AskTimeout.Milliseconds(),
			}}
		case answered < 0:
			denied.Unasked, action = true, d.Fallback
		case with.Answers[answered].Said == api.Yes:
			action, said = policy.Allow, string(api.Yes)
		case with.Answers[answered].Said == api.No:
			denied.Refused, action, said = true, policy.Deny, string(api.No)
		default:
			denied.Unasked, action, said = true, d.Fallback, string(api.Nothing)
		}
	}
	e.recordDecision(ctx, &s, &d, said, action == policy.Allow)
	if action == policy.Allow {
		return nil
	}
	return denied
}

// questionID returns the id of the question whether a call may run. An answer to it is valid only for
// this request, this command and this rule.
func (g *governed) questionID(d *policy.Decision) string {
	request, err := json.Marshal(g.request)
	if err != nil {
		request = fmt.Append(nil, g.request) // the request came from JSON
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %q %s", g.operation, g.command, d.Number, d.Rule.Source, request))
	return hex.EncodeToString(sum[:12])
}

// A DeniedError says that the policy does not allow a call.
type DeniedError struct {
	Operation string
	// Part is the operation that the rule names, if the call only contains it.
	Part string
	// Command is what the call would run, if that is what was decided about, and Runs the operation that is for that.
	Command, Runs string
	Decision      policy.Decision
	// Refused reports that a person was asked and said no; Unasked, that nobody could be asked or
	// nobody answered.
	Refused, Unasked bool
	// Advice is what the user can do if the rule is not part of the policy.
	Advice string
}

func (e *DeniedError) Error() string {
	text := e.Operation
	if e.Decision.Path != "" {
		text += " of " + e.Decision.Path
	}
	switch {
	case e.Command != "":
		text += ", which runs the command " + e.Command + ","
	case e.Part != "":
		text += ", which contains " + e.Part + ","
	}
	switch why := e.Decision.Why(); {
	case e.Refused:
		text += " is not allowed: the user was asked, and did not agree; the question is of " + why
	case e.Unasked:
		text += " is denied: nobody could be asked, or nobody answered; the question is of " + why
	default:
		text += " is denied by " + why
	}
	if e.Decision.Rule.Reason != "" {
		text += ": " + e.Decision.Rule.Reason
	}
	return text
}

// questionText returns the question to a person who may allow the call.
func (e *DeniedError) questionText() string {
	text := e.Decision.Asks()
	switch {
	case e.Command != "":
		return "run the command " + e.Command + "? " + text
	case e.Part != "":
		return e.Operation + " contains " + e.Part + "; " + text
	}
	return text
}

// Kind returns result.Denied.
func (e *DeniedError) Kind() result.Kind { return result.Denied }

// Hint says what to do.
func (e *DeniedError) Hint() string {
	if e.Advice != "" {
		return e.Advice
	}
	check := strings.TrimSpace("lspine policy check " + cmp.Or(e.Runs, e.Part, e.Operation) + " " + e.Decision.Path)
	if e.Decision.Number > 0 {
		return "only the user can change that rule; " + check + " explains it"
	}
	return `only the user can allow it, by a rule in "policy" of the own configuration; ` + check + " explains it"
}

// Data identifies the rule.
func (e *DeniedError) Data() result.Data {
	r := e.Decision.Rule
	return result.Data{Path: e.Decision.Path, Rule: result.Rule{Number: e.Decision.Number, Source: r.Source, Reason: r.Reason}}
}

// An approvalError says that a person must be asked before a call can run.
type approvalError struct {
	denied   *DeniedError
	question result.Question
}

func (e *approvalError) Error() string {
	return e.denied.Operation + ": the user has to be asked first: " + e.question.Text
}

// Kind returns result.NeedsApproval.
func (e *approvalError) Kind() result.Kind { return result.NeedsApproval }

// Data holds the question.
func (e *approvalError) Data() result.Data {
	data := e.denied.Data()
	data.Question = e.question
	return data
}

// startServer is the operation that the policy is asked about before a server starts that the
// user's own configuration does not name. It is not in the catalog: calls of many operations need
// servers.
const startServer = "start_server"

// idleRules returns a problem for each rule that never matches because it names an operation that does
// not exist.
func idleRules(rules []policy.Rule) (problems []config.Problem) {
	for i, r := range rules {
		for _, glob := range r.Match.Operation {
			known := policy.Fits(glob, startServer) || slices.ContainsFunc(api.Operations(), func(op api.Operation) bool {
				return policy.Fits(glob, op.Name)
			})
			if !known {
				problems = append(problems, config.Problem{
					Layer: config.LayerUser, Name: r.Source, Key: "lsp.policy",
					Message: fmt.Sprintf("rule %d is about %q, and there is no such operation", i+1, glob),
					Hint:    "lspine policy check NAME lists the operations where it knows none of that name",
				})
			}
		}
	}
	return problems
}

// PolicyCheck returns what the policy would decide about calls of an operation, without making the
// calls.
func (e *Engine) PolicyCheck(ctx context.Context, req api.PolicyRequest) (result.Policy, error) {
	all := append(api.Operations(), api.Operation{Name: startServer, Class: api.Admin})
	if class := slices.Index(policy.Classes, policy.Class(req.Class)); req.Class != "" && class >= 0 {
		all = append(all, api.Operation{Name: req.Operation, Class: api.Class(class)})
	}
	i := slices.IndexFunc(all, func(op api.Operation) bool { return op.Name == req.Operation })
	if i < 0 {
		var names []string
		for _, op := range all {
			names = append(names, op.Name)
		}
		return result.Policy{}, &api.ArgumentError{
			Argument: "operation", Reason: fmt.Sprintf("there is no %q", req.Operation), Advice: "operations are " + strings.Join(names, ", "),
		}
	}
	s := e.subject(ctx, req.Operation)
	if req.Client != "" {
		s.Client = req.Client
	}
	if req.Path != "" {
		s.Paths = e.pathsNamed([]string{req.Path})
		s.Servers = e.serversOf(s.Paths, "")
	}
	called := governed{class: all[i].Class, edits: all[i].Edits}
	if all[i].Parts != nil {
		called.parts = all[i].Parts(json.RawMessage("{}"))
	}
	d := e.strictest(s, &called)
	answer := result.Policy{
		Operation: req.Operation, Class: all[i].Class.String(), Path: req.Path, Client: s.Client, Mode: string(e.policy.Mode),
		Action: string(d.Action), Why: d.Why(), Number: d.Number, Source: d.Rule.Source, Reason: d.Rule.Reason,
	}
	if req.Operation == api.Fixes.Name {
		answer.Notes = append(answer.Notes,
			"an action that runs a command of a server also needs permission for class execute, as execute_command does")
	}
	for _, p := range idleRules(e.policy.Rules) {
		answer.Notes = append(answer.Notes, p.Error())
	}
	if d.part != "" {
		answer.Notes = append(answer.Notes, req.Operation+" contains "+d.part+", and the rule is about that")
	}
	if d.Action == policy.Ask {
		answer.Fallback = string(d.Fallback)
	}
	if req.Operation == api.PolicyCheck.Name {
		answer.Action, answer.Fallback, answer.Why = string(policy.Allow), "", "it only explains, and is always allowed"
	}
	return answer, nil
}
