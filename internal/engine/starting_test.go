package engine_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const asksForServers = `{"lsp": {"policy": [{"match": {"operation": "start_server"}, "action": "ask", "reason": "I want to know"}]}}`

// A person is who is asked, and says always the same.
type person struct {
	api.Caller
	said  api.Said
	asked []string
}

func (p *person) caller() api.Caller {
	return api.Asking{Caller: p.Caller, Ask: func(_ context.Context, q result.Question) (api.Said, error) {
		p.asked = append(p.asked, q.Text)
		return p.said, nil
	}}
}

// judged states how a check of main.toy comes out: the verdict of the file, and why a server said
// nothing.
func (r *ruled) judged(ctx context.Context, caller api.Caller) string {
	r.t.Helper()
	answer, err := api.Check.Do(ctx, caller, api.CheckRequest{Files: []string{"main.toy"}, TimeoutMS: 20_000})
	if err != nil {
		return err.Error()
	}
	text := answer.Verdict
	for _, s := range answer.Files[0].Servers {
		text = strings.TrimSpace(text + " " + s.Reason)
	}
	return text
}

func (r *ruled) started() bool {
	_, err := os.Stat(r.journal)
	return err == nil
}

// Where the policy wants it a person is asked before a server starts that his configuration does not
// name: once if he agrees, and once in a session if he does not. Nothing starts before, and where
// nobody answers the fallback decides.
func TestPersonIsAskedBeforeAServerStarts(t *testing.T) {
	question := "Start toy? It was found to fit files of this workspace, and your configuration does not name it. rule 1 of your policy (%s:1) asks first: I want to know"
	const rule = "; the question is of rule 1 of your policy (%s:1): I want to know"
	for said, want := range map[api.Said]struct {
		verdict   string
		questions int
	}{
		api.Yes:     {"clean", 1},
		api.No:      {"lsp_unavailable toy: start_server is not allowed: the user was asked, and did not agree" + rule, 1},
		api.Nothing: {"lsp_unavailable toy: start_server is denied: nobody could be asked, or nobody answered" + rule, 2},
	} {
		r := openRuled(t, plain, lsptest.Project, asksForServers)
		p := &person{Caller: r, said: said}
		first := r.judged(t.Context(), p.caller())
		if r.started() != (said == api.Yes) {
			t.Errorf("%s: started: %t", said, r.started())
		}
		second, verdict := r.judged(t.Context(), p.caller()), strings.ReplaceAll(want.verdict, "%s", r.rules)
		if diff := cmp.Diff([]string{verdict, verdict}, []string{first, second}); diff != "" || len(p.asked) != want.questions {
			t.Errorf("%s: %d questions %s", said, len(p.asked), diff)
		}
		if p.asked[0] != fmt.Sprintf(question, r.rules) {
			t.Errorf("asked %q", p.asked[0])
		}
		if said != api.No {
			continue
		}
		other := &person{Caller: r, said: api.Yes}
		if got := r.judged(api.Call{Session: "other"}.In(t.Context()), other.caller()); got != "clean" || len(other.asked) != 1 {
			t.Errorf("another session: %s, asked %q", got, other.asked)
		}
	}
}

// Who cannot be asked gets what the fallback says, and a denial names its rule; what the user's own
// configuration names is not asked about.
func TestServersWithoutAQuestion(t *testing.T) {
	for name, c := range map[string]struct{ rules, want string }{
		"fallback deny":  {asksForServers, "lsp_unavailable toy: start_server is denied: nobody could be asked, or nobody answered; the question is of rule 1 of your policy (FILE:1): I want to know"},
		"fallback allow": {strings.Replace(asksForServers, `"ask"`, `"ask", "fallback": "allow"`, 1), "clean"},
		"denied":         {strings.Replace(asksForServers, `"ask"`, `"deny"`, 1), "lsp_unavailable toy: start_server is denied by rule 1 of your policy (FILE:1): I want to know"},
		"named":          {strings.Replace(asksForServers, `"policy"`, `"servers": {"toy": {"command": "toy", "extensions": [".toy"]}}, "policy"`, 1), "clean"},
		"by class":       {`{"lsp": {"policyMode": "sensitive"}}`, "lsp_unavailable toy: start_server is denied: nobody could be asked, or nobody answered; the question is of the built-in rule for class admin, mode sensitive: it changes which servers run"},
		"other server":   {strings.Replace(asksForServers, `"start_server"`, `"start_server", "server": "gopls"`, 1), "clean"},
	} {
		r := openRuled(t, plain, lsptest.Project, c.rules)
		if diff := cmp.Diff(strings.ReplaceAll(c.want, "FILE", r.rules), r.judged(t.Context(), r)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A call that cannot be put again, because it has done something by then, asks first.
func TestEditsAskBeforeServersStart(t *testing.T) {
	r := openRuled(t, plain, lsptest.Project, asksForServers)
	text := "def other\n"
	edit := api.EditRequest{Edits: []api.FileEdit{{File: "lib.toy", Content: &text}}}
	unheard := api.Call{Asks: true}.In(t.Context())
	if _, err := api.EditFiles.Do(unheard, r, edit); result.ErrorOf(err) == nil || result.ErrorOf(err).Kind != result.NeedsApproval || r.text("lib.toy") != "def helper\n" || r.started() {
		t.Errorf("%v; the file is %q", err, r.text("lib.toy"))
	}
	p := &person{Caller: r, said: api.Yes}
	answer, err := api.EditFiles.Do(t.Context(), p.caller(), edit)
	if err != nil || len(p.asked) != 1 || answer.Verdict == result.LSPUnavailable || r.text("lib.toy") != text {
		t.Errorf("%v; asked %q; verdict %s", err, p.asked, answer.Verdict)
	}
}

// What the policy says of servers that nobody named is explained as that of an operation.
func TestPolicyOfServersIsExplained(t *testing.T) {
	r := openRuled(t, plain, lsptest.Project, asksForServers)
	got, err := api.PolicyCheck.Do(t.Context(), r, api.PolicyRequest{Operation: "start_server"})
	want := result.Policy{
		Operation: "start_server", Class: "admin", Mode: "interactive", Action: "ask", Fallback: "deny", Reason: "I want to know",
		Why: "rule 1 of your policy (" + r.rules + ":1)", Number: 1, Source: r.rules + ":1",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// A call that cannot ask anybody, such as the one by which a front waits for events, and a list of
// the servers do not let a server start that somebody else has to be asked about.
func TestOtherCallsDoNotLetServersStart(t *testing.T) {
	for name, wait := range map[string]func(ctx context.Context, r *ruled){
		"events": func(ctx context.Context, r *ruled) {
			_, _ = api.Events.Do(ctx, r, api.EventsRequest{TimeoutMS: 60_000})
		},
		"servers": func(ctx context.Context, r *ruled) {
			for ctx.Err() == nil {
				_, _ = api.Servers.Do(ctx, r, api.ServersRequest{Action: "list"})
			}
		},
	} {
		r := openRuled(t, plain, lsptest.Project, strings.Replace(asksForServers, `"ask"`, `"ask", "fallback": "allow"`, 1))
		ctx, cancel := context.WithCancel(t.Context())
		begun, ended := make(chan struct{}), make(chan struct{})
		progress := api.Call{Progress: func(context.Context, api.Progress) {
			select {
			case <-begun:
			default:
				close(begun)
			}
		}}
		go func() {
			defer close(ended)
			wait(progress.In(ctx), r)
		}()
		if name == "events" {
			<-begun
		}
		p := &person{Caller: r, said: api.No}
		for range 5 {
			session := api.Call{Session: fmt.Sprint(len(p.asked))}.In(t.Context())
			if got := r.judged(session, p.caller()); !strings.HasPrefix(got, "lsp_unavailable") || r.started() {
				t.Errorf("%s: %s, started: %t", name, got, r.started())
			}
		}
		if len(p.asked) != 5 {
			t.Errorf("%s: asked %d times", name, len(p.asked))
		}
		cancel()
		<-ended
	}
}
