package checking_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/render"
)

// openWatchful opens an engine that waits only half a second for a server that does nothing.
func openWatchful(t *testing.T, script lsptest.Script) *enginetest.Shop {
	t.Helper()
	lsptest.NeedProcessorTime(t, runtime.GOOS != "darwin")
	root := lsptest.Workspace(t, lsptest.Project)
	cfg := enginetest.Configure(t, root)
	cfg.Servers = registry.Table{script.Definition(t)}
	return enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir(), Still: 500 * time.Millisecond})
}

// A server that hangs while it is asked about a file is restarted and asked again: the answer is
// complete, and says so. A check that follows servers waits for that.
func TestCheckOfAServerThatHangs(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]lsptest.Mode{"pushes": lsptest.PushVersioned, "pulls": lsptest.Pull} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openWatchful(t, lsptest.Script{Mode: mode, Rules: []lsptest.Rule{lsptest.OnNth("textDocument/didChange", 1, lsptest.Stall())}})
			s.Check(api.CheckRequest{Files: []string{"main.toy"}})
			s.Write("main.toy", "use nothing\n")
			result, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: []string{"main.toy"}})
			if err != nil {
				t.Fatal(err)
			}
			answer := result.Files[0].Servers[0]
			if answer.Freshness != "fresh" || len(result.Files[0].Diagnostics) != 1 {
				t.Errorf("%s", render.Brief(&result))
			}
			if text := render.Brief(&result); !strings.Contains(text, "did nothing for") || !strings.Contains(text, "it was restarted") || !strings.Contains(answer.Note, "it was restarted") {
				t.Errorf("it does not say so:\n%s", text)
			}
			again := s.Check(api.CheckRequest{Files: []string{"main.toy"}})
			if again.Files[0].Servers[0].Note != "" {
				t.Errorf("it says so again: %s", render.Brief(&again))
			}
		})
	}
}

// The same holds for a request about a symbol.
func TestQuestionToAServerThatHangs(t *testing.T) {
	t.Parallel()
	s := openWatchful(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/references", 2, lsptest.Stall())}})
	ask := func() (places int, text string) {
		result := enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: "lib.toy:1:5"}})
		return result.Total, render.Brief(&result)
	}
	wanted, _ := ask()
	if places, text := ask(); places != wanted || !strings.Contains(text, "it was restarted") {
		t.Errorf("%d places, want %d:\n%s", places, wanted, text)
	}
}

// A server that works while it starts is waited for beyond the deadline of the first touch,
// by a check; one that does nothing is not.
func TestStartIsFollowed(t *testing.T) {
	t.Parallel()
	lsptest.NeedProcessorTime(t, runtime.GOOS != "darwin")
	for name, tt := range map[string]struct {
		action lsptest.Action
		want   string
	}{"works": {lsptest.Work(4000), "fresh"}, "does nothing": {lsptest.Pause(4000), "indexing"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", tt.action)}}, lsptest.Project)
			s.Config.Settings.FirstTouchTimeout, s.Config.Settings.PatienceLimit = 2*time.Second, 30*time.Second
			s = s.Reopen(func(*enginetest.Options) {})
			result := enginetest.Do(t, s, api.Check, api.CheckRequest{Files: []string{"main.toy"}})
			if answer := result.Files[0].Servers[0]; answer.Freshness != tt.want {
				t.Errorf("%s, want %s: %s", answer.Freshness, tt.want, answer.Reason)
			}
		})
	}
}
