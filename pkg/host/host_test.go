package host_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/pkg/host"
	"github.com/lspine/lspine/pkg/session"
	"github.com/lspine/lspine/pkg/types"
)

func TestMain(m *testing.M) { lsptest.Main(m, host.Supervise, lsptest.Examples("gopls")) }

// opened is a host over a workspace, under rules of the policy.
func opened(t *testing.T, archive, config string, ask func(context.Context, types.Question) types.Said) (h *host.Host, root string) {
	t.Helper()
	t.Setenv("LSPINE_CONFIG", "")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	root = lsptest.Workspace(t, archive)
	h, err := host.Open(host.Options{Root: root, Config: []byte(config), Name: "test", Evidence: "off", Ask: ask})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	if diff := cmp.Diff([]string(nil), h.Problems()); diff != "" {
		t.Fatal(diff)
	}
	return h, root
}

const askAboutEdits = `{"askTimeout":100,"policy":[{"match":{"class":"edit","client":"host/test"},"action":"ask","fallback":"deny"}]}`

// A question of the policy is put to the user of the host, whose word decides; who says nothing in
// time has said nothing, and the fallback decides.
func TestAsk(t *testing.T) {
	for name, c := range map[string]struct {
		ask  func(context.Context, types.Question) types.Said
		kind types.Kind
	}{
		"yes":     {func(context.Context, types.Question) types.Said { return types.Yes }, ""},
		"no":      {func(context.Context, types.Question) types.Said { return types.No }, "denied"},
		"silence": {func(ctx context.Context, _ types.Question) types.Said { <-ctx.Done(); return types.Yes }, "denied"},
		"nobody":  {nil, "denied"},
	} {
		t.Run(name, func(t *testing.T) {
			h, root := opened(t, "-- note.txt --\nold\n", askAboutEdits, c.ask)
			text := "new\n"
			_, err := h.Edit(t.Context(), types.EditRequest{Edits: []types.FileEdit{{File: "note.txt", Content: &text}}})
			kind := types.Kind("")
			if err != nil {
				kind = types.ErrorOf(err).Kind
			}
			want := map[types.Kind]string{"": "new\n", "denied": "old\n"}[c.kind]
			if now, err := os.ReadFile(root + "/note.txt"); kind != c.kind || err != nil || string(now) != want {
				t.Errorf("the edit ended with kind %q (want %q) and left %q", kind, c.kind, now)
			}
		})
	}
}

// Conversations over one host have turns and simulations of their own, which end with them.
func TestSessions(t *testing.T) {
	h, _ := opened(t, "-- note.txt --\nold\n", "{}", nil)
	one, other := h.Session("one"), h.Session("other")
	text := "new\n"
	made, err := one.Simulate(t.Context(), session.Request{Action: session.Create, Label: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.Simulate(t.Context(), session.Request{Action: session.Add, Session: made.Session, Edits: []session.Edit{{FileEdit: types.FileEdit{File: "note.txt", Content: &text}}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := one.BeginTurn(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = other.CloseTurn(t.Context(), types.CloseTurnRequest{})
	if of := types.ErrorOf(err); of == nil || of.Kind != "argument" {
		t.Errorf("the turn of another conversation: %v", err)
	}
	count := func(h *host.Host) int {
		listed, err := h.Simulate(t.Context(), session.Request{Action: session.List})
		if err != nil {
			t.Fatal(err)
		}
		return len(listed.Sessions)
	}
	if got := []int{count(one), count(other)}; !cmp.Equal(got, []int{1, 0}) {
		t.Errorf("the conversations see %v simulations", got)
	}
	if err := one.Close(t.Context()); err != nil || count(h.Session("one")) != 0 {
		t.Errorf("a conversation of that name finds what was there before it (%v)", err)
	}
}

// What is no configuration is an error that says so; what is no workspace, too.
func TestOpenRefuses(t *testing.T) {
	for _, opts := range []host.Options{{Root: t.TempDir(), Config: []byte("{")}, {Root: t.TempDir() + "/none", Evidence: "off"}} {
		if h, err := host.Open(opts); err == nil {
			t.Errorf("%+v was opened", opts)
			_ = h.Close(context.Background())
		}
	}
}

// The deadline of a call is that of its context.
func TestDeadline(t *testing.T) {
	h, _ := opened(t, "-- note.txt --\nold\n", "{}", nil)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, err := h.BeginTurn(ctx)
	if of := types.ErrorOf(err); of == nil || of.Kind != "timeout" {
		t.Errorf("%v", err)
	}
}

// A host for a program with five classes never gets unknown, and gets the reason instead; one for others gets it as it is.
//
// Requirement: LSP-FH-006.
func TestFiveClasses(t *testing.T) {
	h := host.New(answering{types.Check{Verdict: types.Unknown, Files: []types.File{{Path: "a", Verdict: types.Unknown, Servers: []types.Answer{{Server: "one", Freshness: "timeout"}}}}}})
	for name, want := range map[string][]string{"all": {"unknown", ""}, "five": {"lsp_unavailable", "one: timeout"}} {
		of := h
		if name == "five" {
			of = h.FiveClasses()
		}
		check, err := of.Check(t.Context(), types.CheckRequest{})
		if diff := cmp.Diff(want, []string{check.Files[0].Verdict, check.Files[0].Reason}); diff != "" || err != nil || check.Verdict != want[0] {
			t.Error(name, diff, err)
		}
	}
}

// answering is a caller that knows one answer.
type answering struct{ check types.Check }

func (a answering) Call(_ context.Context, _ string, _, res any) error {
	answer := res.(*types.Check)
	*answer = a.check
	answer.Files = append([]types.File(nil), a.check.Files...)
	return nil
}
