package config

import "testing"

// A value that is not applied is told with the server that it is for, where it stands, and what to
// do to have it.
func TestUntrustedValuesNameTheirServer(t *testing.T) {
	for want, u := range map[string]Untrusted{
		"p.jsonc:3: gopls.command is not applied: run lspine trust": {ID: "gopls", Field: "command", File: "p.jsonc", Line: 3, Hint: "run lspine trust"},
		"p.jsonc:9: passEnv is not applied: put it elsewhere":       {Field: "passEnv", File: "p.jsonc", Line: 9, Hint: "put it elsewhere"},
	} {
		if got := u.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
