package service

import (
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// A host that declared five classes gets lsp_unavailable, with the reason, for a server that did not answer in time, and
// for one that is broken; one that did not gets unknown. None of them gets clean.
//
// Requirement: LSP-FH-006.
func TestFiveClasses(t *testing.T) {
	t.Parallel()
	mute := lsptest.Script{ID: "mute", Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.Hang())}}
	crashes := lsptest.Script{ID: "broken", Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.Crash(1))}}
	for _, five := range []bool{true, false} {
		k := openTalk(t, "-- a.toy --\n\n", func(c *config.Config, h *Host) {
			c.Settings.FirstTouchTimeout, h.FiveClasses = 2*time.Second, five
		}, lsptest.Script{}, mute, crashes)
		response := k.ask("lspine/check", `{"files":["a.toy"],"baseline":"none"}`)
		verdict := member[string](t, response, "verdict")
		status := statuses(t, k.ask("lsp/status", `{}`))
		if five {
			reason := member[string](t, response, "reason")
			if verdict != "lsp_unavailable" || !strings.Contains(reason, "mute: ") || !strings.Contains(reason, "broken: ") || status[0] != "broken unavailable idle toy" {
				t.Errorf("five classes: %s (%s), %s", verdict, reason, status)
			}
		} else if verdict != "unknown" || strings.Contains(response, `"result":{"root":"ROOT","verdict":"unknown","reason"`) || status[0] != "broken broken broken toy" {
			t.Errorf("all: %s, %s", verdict, status)
		}
	}
}
