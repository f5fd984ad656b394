package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
)

// BootstrapVariable is the environment variable in which a host passes its configuration, as JSON.
const BootstrapVariable = "LSP_BOOTSTRAP"

// A Bootstrap is the configuration that a host passes.
type Bootstrap struct {
	// Root is the workspace root.
	Root string
	// Config is the "lsp" value in the form that package config reads: an object, or false; nil if
	// the host gave none.
	Config json.RawMessage
	// Relative makes lsp/diagnostics return paths relative to the root.
	Relative bool
	// Asks reports that the host answers lspine/ask.
	Asks bool
	// FiveClasses reports that the host knows five classes of verdicts.
	FiveClasses bool
	// Answer is the latest time after which a navigation tool answers; 0 means the default of the
	// profile.
	Answer time.Duration
}

// A BootstrapError says which field of LSP_BOOTSTRAP is wrong. Its text is what hosts expect on
// standard error.
type BootstrapError struct{ Field, Reason string }

func (e *BootstrapError) Error() string { return e.Field + " " + e.Reason }

// milliseconds lists the names of time-outs in the configuration: those of LLxprt's service, and
// ours.
var milliseconds = map[string]string{
	"diagnosticsTimeoutMs": "diagnosticTimeout",
	"firstTouchTimeoutMs":  "firstTouchTimeout",
	"requestTimeoutMs":     "requestTimeout",
	"navigationTimeoutMs":  "",
	"diagnosticTimeout":    "diagnosticTimeout",
	"firstTouchTimeout":    "firstTouchTimeout",
	"requestTimeout":       "requestTimeout",
}

// ReadBootstrap reads the value of LSP_BOOTSTRAP. It fails with a *[BootstrapError].
func ReadBootstrap(value string) (*Bootstrap, error) {
	if value == "" {
		return nil, &BootstrapError{BootstrapVariable, "environment variable is required"}
	}
	if !json.Valid([]byte(value)) {
		return nil, &BootstrapError{BootstrapVariable, "must be valid JSON"}
	}
	var top object
	if !isA('{', json.RawMessage(value)) || json.Unmarshal([]byte(value), &top) != nil {
		return nil, &BootstrapError{BootstrapVariable, "must be a JSON object"}
	}
	b := &Bootstrap{}
	if _ = json.Unmarshal(top["workspaceRoot"], &b.Root); b.Root == "" {
		return nil, &BootstrapError{BootstrapVariable + ".workspaceRoot", "must be a non-empty string"}
	}
	if value, ok := top["asks"]; ok && json.Unmarshal(value, &b.Asks) != nil {
		return nil, &BootstrapError{BootstrapVariable + ".asks", "must be a boolean"}
	}
	if value, ok := top["classes"]; ok {
		if b.FiveClasses = string(value) == `"five"`; !b.FiveClasses && string(value) != `"all"` {
			return nil, &BootstrapError{BootstrapVariable + ".classes", `must be "five" or "all"`}
		}
	}
	given, ok := top["config"]
	if !ok || string(given) == "null" {
		return b, nil
	}
	if string(bytes.TrimSpace(given)) == "false" {
		b.Config = given
		return b, nil
	}
	var config object
	if !isA('{', given) || json.Unmarshal(given, &config) != nil {
		return nil, &BootstrapError{BootstrapVariable + ".config", "must be an object"}
	}
	if err := b.take(config); err != nil {
		return nil, err
	}
	var err error
	b.Config, err = json.Marshal(config)
	return b, err
}

// An object is a JSON object whose members are not yet decoded.
type object map[string]json.RawMessage

// isA reports whether a JSON value begins with a certain character, as objects and arrays do.
func isA(first byte, value json.RawMessage) bool {
	value = bytes.TrimSpace(value)
	return len(value) > 0 && value[0] == first
}

// take validates what LLxprt's own service validates, with the same error texts, and stores the
// fields that only the service uses. All others are validated where they are used.
func (b *Bootstrap) take(config object) error {
	const prefix = BootstrapVariable + ".config."
	for name, value := range config {
		if string(value) == "null" {
			delete(config, name) // treated as if it were absent
		}
	}
	if servers, ok := config["servers"]; ok {
		if err := checkServers(prefix+"servers", servers); err != nil {
			return err
		}
	}
	if value, ok := config["navigationTools"]; ok && json.Unmarshal(value, new(bool)) != nil {
		return &BootstrapError{prefix + "navigationTools", "must be a boolean"}
	}
	if value, ok := config["paths"]; ok {
		var said string
		if _ = json.Unmarshal(value, &said); said != "absolute" && said != "relative" {
			return &BootstrapError{prefix + "paths", `must be "absolute" or "relative"`}
		}
		b.Relative = said == "relative"
		delete(config, "paths")
	}
	return b.takeDeadlines(prefix, config)
}

func (b *Bootstrap) takeDeadlines(prefix string, config object) error {
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range milliseconds {
			if !yield(name) {
				return
			}
		}
	}) {
		value, ok := config[name]
		if !ok {
			continue
		}
		var ms float64
		if json.Unmarshal(value, &ms) != nil {
			return &BootstrapError{prefix + name, "must be a number"}
		}
		if ms <= 0 || math.IsInf(ms, 0) || ms > float64(time.Hour.Milliseconds()) {
			return &BootstrapError{prefix + name, "must be a finite positive number"}
		}
		delete(config, name)
		whole := max(1, int64(ms))
		switch own := milliseconds[name]; {
		case own == "":
			b.Answer = time.Duration(whole) * time.Millisecond
		default:
			if _, also := config[own]; !also || own == name {
				config[own] = fmt.Append(nil, whole)
			}
		}
	}
	return nil
}

// checkServers validates an array of servers, as LLxprt's service does. An object is validated
// where it is used.
func checkServers(field string, servers json.RawMessage) error {
	if isA('{', servers) {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(servers, &list) != nil {
		return &BootstrapError{field, "must be an array"}
	}
	for i, raw := range list {
		field := fmt.Sprintf("%s[%d]", field, i)
		var entry object
		if !isA('{', raw) || json.Unmarshal(raw, &entry) != nil {
			return &BootstrapError{field, "must be an object"}
		}
		var text string
		for _, name := range []string{"id", "command"} {
			value, given := entry[name]
			if name == "id" && !given {
				value, given = entry["language_id"]
			}
			if name == "command" && (isA('[', value) || !given && entry["connect"] != nil || !given && entry["enabled"] != nil) {
				continue // checked where it is applied
			}
			if text = ""; json.Unmarshal(value, &text) != nil || text == "" {
				return &BootstrapError{field + "." + name, "must be a non-empty string"}
			}
		}
		for _, name := range []string{"args", "extensions"} {
			if value, ok := entry[name]; ok && (!isA('[', value) || json.Unmarshal(value, new([]string)) != nil) {
				return &BootstrapError{field + "." + name, "must be an array of strings"}
			}
		}
	}
	return nil
}
