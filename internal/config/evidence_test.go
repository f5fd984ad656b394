package config

import (
	"path/filepath"
	"runtime"
	"testing"
)

// The evidence is kept where the user says, else with the state of programs; nowhere if he says
// off, or if there is no folder for it.
func TestEvidenceFile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("paths of Linux")
	}
	for _, c := range []struct {
		said    string
		environ []string
		want    string
	}{
		{"", []string{"HOME=/h", "XDG_STATE_HOME=/s"}, "/s/lspine/evidence.jsonl"},
		{"", []string{"HOME=/h", "XDG_STATE_HOME=relative"}, "/h/.local/state/lspine/evidence.jsonl"},
		{"", []string{"HOME=/h"}, "/h/.local/state/lspine/evidence.jsonl"},
		{"", nil, ""},
		{"off", []string{"HOME=/h"}, ""},
		{"/var/log/e", nil, "/var/log/e"},
		{"~/e", []string{"HOME=/h"}, "/h/e"},
		{"~/e", nil, ""},
	} {
		s := Settings{Evidence: c.said}
		if got := s.EvidenceFile(c.environ); got != filepath.FromSlash(c.want) {
			t.Errorf("%q, %v: %q, want %q", c.said, c.environ, got, c.want)
		}
	}
	c, problems := layers{user: `{"lsp": {"evidence": "log"}}`}.load(t)
	if len(problems) != 1 || problems[0].Message != `"log" is not absolute` || c.Settings.Evidence != "" {
		t.Error(problems)
	}
}
