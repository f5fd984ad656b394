package service

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What a host configures wrongly is told by the field and in the words that hosts know.
//
// Requirement: REQ-START-040, EC-32.
func TestBootstrapErrors(t *testing.T) {
	const config = `{"workspaceRoot":"/w","config":`
	for value, want := range map[string]string{
		``:                                   "LSP_BOOTSTRAP environment variable is required",
		`{`:                                  "LSP_BOOTSTRAP must be valid JSON",
		`/home/you`:                          "LSP_BOOTSTRAP must be valid JSON",
		`[]`:                                 "LSP_BOOTSTRAP must be a JSON object",
		`"/w"`:                               "LSP_BOOTSTRAP must be a JSON object",
		`null`:                               "LSP_BOOTSTRAP must be a JSON object",
		`{}`:                                 "LSP_BOOTSTRAP.workspaceRoot must be a non-empty string",
		`{"workspaceRoot":""}`:               "LSP_BOOTSTRAP.workspaceRoot must be a non-empty string",
		`{"workspaceRoot":7}`:                "LSP_BOOTSTRAP.workspaceRoot must be a non-empty string",
		`{"workspaceRoot":"/w","asks":1}`:    "LSP_BOOTSTRAP.asks must be a boolean",
		`{"workspaceRoot":"/w","classes":6}`: `LSP_BOOTSTRAP.classes must be "five" or "all"`,
		config + `7}`:                        "LSP_BOOTSTRAP.config must be an object",
		config + `[]}`:                       "LSP_BOOTSTRAP.config must be an object",
		config + `true}`:                     "LSP_BOOTSTRAP.config must be an object",
		config + `{"servers":true}}`:         "LSP_BOOTSTRAP.config.servers must be an array",
		config + `{"servers":[7]}}`:          "LSP_BOOTSTRAP.config.servers[0] must be an object",
		config + `{"servers":[{}]}}`:         "LSP_BOOTSTRAP.config.servers[0].id must be a non-empty string",
		config + `{"servers":[{"id":"a","command":"b"},{"id":""}]}}`:         "LSP_BOOTSTRAP.config.servers[1].id must be a non-empty string",
		config + `{"servers":[{"id":"a"}]}}`:                                 "LSP_BOOTSTRAP.config.servers[0].command must be a non-empty string",
		config + `{"servers":[{"id":"a","command":7}]}}`:                     "LSP_BOOTSTRAP.config.servers[0].command must be a non-empty string",
		config + `{"servers":[{"id":"a","command":"b","args":"c"}]}}`:        "LSP_BOOTSTRAP.config.servers[0].args must be an array of strings",
		config + `{"servers":[{"id":"a","command":"b","args":[7]}]}}`:        "LSP_BOOTSTRAP.config.servers[0].args must be an array of strings",
		config + `{"servers":[{"id":"a","command":"b","extensions":".c"}]}}`: "LSP_BOOTSTRAP.config.servers[0].extensions must be an array of strings",
		config + `{"navigationTools":"no"}}`:                                 "LSP_BOOTSTRAP.config.navigationTools must be a boolean",
		config + `{"diagnosticsTimeoutMs":"1"}}`:                             "LSP_BOOTSTRAP.config.diagnosticsTimeoutMs must be a number",
		config + `{"firstTouchTimeoutMs":0}}`:                                "LSP_BOOTSTRAP.config.firstTouchTimeoutMs must be a finite positive number",
		config + `{"requestTimeout":-1}}`:                                    "LSP_BOOTSTRAP.config.requestTimeout must be a finite positive number",
		config + `{"navigationTimeoutMs":1e300}}`:                            "LSP_BOOTSTRAP.config.navigationTimeoutMs must be a finite positive number",
		config + `{"paths":"both"}}`:                                         `LSP_BOOTSTRAP.config.paths must be "absolute" or "relative"`,
	} {
		b, err := ReadBootstrap(value)
		var wrong *BootstrapError
		if b != nil || !errors.As(err, &wrong) || err.Error() != want {
			t.Errorf("%s: %v, want %s", value, err, want)
		}
	}
}

// Both spellings of the configuration are read: that of the plan, and that of the service
// that LLxprt ships. What is the service's alone is not passed on.
//
// Requirement: REQ-START-030, REQ-CFG-020, REQ-CFG-050, REQ-CFG-055, BR-27, BR-40, BR-63, BR-89, EC-31, EC-32.
func TestBootstrapSpellings(t *testing.T) {
	for value, want := range map[string]Bootstrap{
		`{"workspaceRoot":"/w","asks":true}`:                                    {Root: "/w", Asks: true},
		`{"workspaceRoot":"/w","classes":"five"}`:                               {Root: "/w", FiveClasses: true},
		`{"workspaceRoot":"/w","classes":"all"}`:                                {Root: "/w"},
		`{"workspaceRoot":"/w"}`:                                                {Root: "/w"},
		`{"workspaceRoot":"/w","config":null}`:                                  {Root: "/w"},
		`{"workspaceRoot":"/w","config":false}`:                                 {Root: "/w", Config: []byte("false")},
		`{"workspaceRoot":"/w","config":{}}`:                                    {Root: "/w", Config: []byte("{}")},
		`{"workspaceRoot":"/w","config":{"servers":[],"navigationTools":null}}`: {Root: "/w", Config: []byte(`{"servers":[]}`)},
		`{"workspaceRoot":"/w","config":{"diagnosticsTimeoutMs":1200.5,"firstTouchTimeoutMs":10000,"requestTimeoutMs":30000,"navigationTimeoutMs":1500}}`: {
			Root: "/w", Config: []byte(`{"diagnosticTimeout":1200,"firstTouchTimeout":10000,"requestTimeout":30000}`), Answer: 1500 * time.Millisecond,
		},
		`{"workspaceRoot":"/w","config":{"diagnosticTimeout":100,"diagnosticsTimeoutMs":200,"firstTouchTimeout":15000,"includeSeverities":["warning"]}}`: {
			Root: "/w", Config: []byte(`{"diagnosticTimeout":100,"firstTouchTimeout":15000,"includeSeverities":["warning"]}`),
		},
		`{"workspaceRoot":"/w","config":{"paths":"relative","servers":{"gopls":{"enabled":false}}}}`: {
			Root: "/w", Config: []byte(`{"servers":{"gopls":{"enabled":false}}}`), Relative: true,
		},
		`{"workspaceRoot":"/w","config":{"paths":"absolute","servers":[{"id":"a","command":["b","c"]},{"language_id":"d","command":"e"},{"id":"f","enabled":false},{"id":"g","connect":"h:1"}]}}`: {
			Root: "/w", Config: []byte(`{"servers":[{"id":"a","command":["b","c"]},{"language_id":"d","command":"e"},{"id":"f","enabled":false},{"id":"g","connect":"h:1"}]}`),
		},
	} {
		b, err := ReadBootstrap(value)
		if err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		if diff := cmp.Diff(want, *b); diff != "" {
			t.Errorf("%s:\n%s", value, diff)
		}
	}
}
