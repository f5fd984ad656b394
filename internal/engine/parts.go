package engine

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/policy"
)

// A ruling is a decision about a call.
type ruling struct {
	policy.Decision
	// part is the operation that the rule names, if the call only contains it.
	part string
}

// strictest returns the decision about a call: the strictest of those about each class that it needs and, where a rule
// of the user names an operation that the call contains, of those about that part. Rules that name no operation are
// about the call as a whole, whose class may be another than that of a part; and one that names the operation of the call
// itself comes before later ones about its parts.
func (e *Engine) strictest(s policy.Subject, g *governed) (strictest ruling) {
	for i, class := range g.classes() {
		s.Class = policy.Class(class.String())
		if d := e.policy.Decide(s); i == 0 || d.StricterThan(&strictest.Decision) {
			strictest.Decision = d
		}
	}
	if len(g.parts) == 0 || !e.mentions(func(m *policy.Match) []string { return m.Operation }) {
		return strictest
	}
	whole := strictest.Decision
	named := whole.Number > 0 && len(whole.Rule.Match.Operation) > 0
	for _, op := range api.Operations() {
		if !slices.Contains(g.parts, op.Name) {
			continue
		}
		part := governed{class: op.Class, edits: op.Edits}
		s.Operation = op.Name
		for _, class := range part.classes() {
			s.Class = policy.Class(class.String())
			d := e.policy.Decide(s)
			if names := len(d.Rule.Match.Operation) > 0; !names || named && whole.Number < d.Number {
				continue
			}
			if d.StricterThan(&strictest.Decision) {
				strictest = ruling{d, op.Name}
			}
		}
	}
	return strictest
}

// permitParts decides about parts that the call can leave out. Nobody is asked: what a question comes to where nobody
// answers decides.
func (e *Engine) permitParts(ctx context.Context, parts []string) error {
	g := e.governed
	g.parts = parts
	with := api.CallOf(ctx)
	with.Asks = false
	return e.forCall(g).permit(with.In(ctx))
}

// permitCommand asks the policy again before a server is told to execute a command. What a call would run is not known
// from its request: an action that is chosen may carry a command, and which server declares one is known only then. now
// says that the server is told right after this.
func (e *Engine) permitCommand(ctx context.Context, server, command string, now bool) (err error) {
	g := e.governed
	defer func() { g.course.ran = g.course.ran || now && err == nil }()
	switch {
	case g.class != api.Execute:
		g = g.running(command+" of "+server, api.ExecuteCommand.Name)
		g.edits = true
	case !e.mentions(func(m *policy.Match) []string { return m.Server }):
		return nil // it was decided as what it is
	}
	subject := e.subject(ctx, g.operation)
	subject.Paths, subject.Servers = e.pathsNamed(api.PathsOf(g.request)), []string{server}
	return e.forCall(g).decide(ctx, subject)
}

// permitBuild asks the policy before a call that reads runs a tool that builds the project. Nobody is asked: such a call
// has an answer without the tool.
func (e *Engine) permitBuild(ctx context.Context, tool string) error {
	with := api.CallOf(ctx)
	with.Asks = false
	mine := e.forCall(e.governed.running(tool, api.Build.Name))
	return mine.permit(with.In(ctx))
}

// running returns the call as one that is about to run a command, as an operation does that it contains then.
func (g governed) running(command, operation string) governed {
	g.class, g.command, g.runs = api.Execute, command, operation
	g.parts = append(slices.Clone(g.parts), operation)
	return g
}
