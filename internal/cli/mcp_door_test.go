package cli

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/gate"
)

// Over HTTP, whoever comes must say who he is: with a token, from whatever source, any address may be
// listened on; without one, only this machine's own, and only if the user lets everybody in. A socket is for
// the user alone, and needs neither.
//
// Requirement: HTTP-2, HTTP-3.
func TestWhoIsServedOverHTTP(t *testing.T) {
	const advice = "LSPINE_TOKEN=$(openssl rand -hex 32)"
	for _, c := range []struct {
		name  string
		flags httpFlags
		token string // of the environment
		want  string // message and hint of the error, "" if there is none
	}{
		{"a name", httpFlags{listen: "here", noAuth: true}, "", `--listen: "here" is no IP address|for example --listen 127.0.0.1, or --listen unix:/run/user/1000/lspine.sock`},
		{"a port below", httpFlags{listen: "127.0.0.1", port: -1, noAuth: true}, "", "--port: -1 is no port|ports are 1 to 65535; 0 chooses one"},
		{"a port above", httpFlags{listen: "127.0.0.1", port: 65536, noAuth: true}, "", "--port: 65536 is no port|ports are 1 to 65535; 0 chooses one"},
		{"everybody, from everywhere", httpFlags{listen: "0.0.0.0", noAuth: true}, "", "--no-auth: 0.0.0.0 can be reached from other machines|serve on 127.0.0.1 or ::1, or set a token: " + advice},
		{"nobody is asked", httpFlags{listen: "::1", port: 65535}, "", "--http: nobody would be asked who he is|set a token: " + advice + ", or --token-file FILE; or say --no-auth if every user of this machine may use it"},
		{"both", httpFlags{listen: "127.0.0.1", noAuth: true}, "t", "--no-auth: there is a token, too|leave out one of them"},
		{"two tokens", httpFlags{listen: "127.0.0.1", tokenFile: "f"}, "t", "--token: there are several tokens: in LSPINE_TOKEN or AGENT_LSP_TOKEN, --token or --token-file|give one, or a --token-file with all of them"},
		{"half of TLS", httpFlags{listen: "127.0.0.1", cert: "c"}, "t", "--tls-cert: a certificate and its key belong together|give both --tls-cert and --tls-key"},
		{"a socket without a name", httpFlags{listen: "unix:"}, "t", "--listen: unix: names no socket|for example --listen unix:/run/user/1000/lspine.sock"},
		{"half of OAuth", httpFlags{listen: "127.0.0.1", oauth: gate.OAuth{Issuer: "https://login.example"}}, "", `--oauth-issuer: the audience "" is no URL|for example --oauth-issuer https://login.example --oauth-jwks https://login.example/keys --oauth-audience https://lspine.example/mcp`},
		{"OAuth and everybody", httpFlags{listen: "127.0.0.1", noAuth: true, oauth: gate.OAuth{Issuer: "i"}}, "", "--no-auth: there is a token, too|leave out one of them"},
		{"OAuth", httpFlags{listen: "0.0.0.0", oauth: gate.OAuth{Issuer: "https://login.example", Keys: "https://login.example/keys", Audience: "https://lspine.example/mcp"}}, "", ""},
		{"everybody here", httpFlags{listen: "::1", port: 65535, noAuth: true}, "", ""},
		{"a token", httpFlags{listen: "0.0.0.0"}, "t", ""},
		{"a file", httpFlags{listen: "::", tokenFile: "f"}, "", ""},
		{"a flag", httpFlags{listen: "192.0.2.1", token: "t"}, "", ""},
		{"a socket", httpFlags{listen: "unix:/run/s"}, "", ""},
	} {
		got := ""
		_, err := c.flags.check(c.token)
		if usage := (*usageError)(nil); errors.As(err, &usage) {
			got = usage.message + "|" + usage.hint
		} else if err != nil {
			t.Errorf("%s: %v is no mistake of the user", c.name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The token is taken out of the environment: ours before that of agent-lsp, and neither is left for what we start.
func TestTokenOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		environ []string
		token   string
		left    []string
	}{
		{[]string{"A=1"}, "", []string{"A=1"}},
		{[]string{"AGENT_LSP_TOKEN=theirs", "A=1"}, "theirs", []string{"A=1"}},
		{[]string{"AGENT_LSP_TOKEN=theirs", "LSPINE_TOKEN=ours", "LSPINE_TOKENS=2"}, "ours", []string{"LSPINE_TOKENS=2"}},
		{[]string{"LSPINE_TOKEN=", "AGENT_LSP_TOKEN=theirs"}, "theirs", []string{}},
	} {
		token, streams := takeToken(&Streams{Environ: c.environ})
		if diff := cmp.Diff(c.left, streams.Environ); diff != "" || token != c.token {
			t.Errorf("%q: token %q: %s", c.environ, token, diff)
		}
	}
}
