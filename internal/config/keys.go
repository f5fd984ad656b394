package config

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/policy"
)

// A Key is a setting that has a value of its own in the file.
type Key struct {
	Path     string // "lsp.diagnosticTimeout"
	Variable string // "LSPINE_DIAGNOSTIC_TIMEOUT"
	Kind     string // what it must be: "a number of milliseconds"
	set      func(*Settings, hujson.Value) error
	get      func(*Settings) json.RawMessage
	list     bool
	json     bool // its text, in a variable, is JSON
	// schema makes what a file may say, without its description. Few runs of the program need it.
	schema func() *jsonschema.Schema
}

// name is the key within "lsp".
func (k Key) name() string { return strings.TrimPrefix(k.Path, "lsp.") }

// Keys returns all keys but those of servers, in the order of [Settings].
func Keys() []Key { return slices.Clone(keys) }

// A Value is a key with its merged value.
type Value struct {
	Key    Key
	JSON   json.RawMessage
	Source Source
}

// Explain returns the value of every key, and where it comes from.
func (c *Config) Explain() []Value {
	all := make([]Value, len(keys))
	for i, k := range keys {
		all[i] = Value{k, k.get(&c.Settings), c.Source(k.Path)}
	}
	return all
}

const (
	hour = int(time.Hour / time.Millisecond)
	many = 1_000_000
)

var keys = []Key{
	enabledKey(),
	milliseconds("diagnosticTimeout", func(s *Settings) *time.Duration { return &s.DiagnosticTimeout }),
	milliseconds("firstTouchTimeout", func(s *Settings) *time.Duration { return &s.FirstTouchTimeout }),
	durations("patienceLimit", 0, 24*hour, func(s *Settings) *time.Duration { return &s.PatienceLimit }),
	milliseconds("requestTimeout", func(s *Settings) *time.Duration { return &s.RequestTimeout }),
	number("maxDiagnosticsPerFile", 1, many, func(s *Settings) *int { return &s.MaxDiagnosticsPerFile }),
	number("maxProjectDiagnosticsFiles", 0, many, func(s *Settings) *int { return &s.MaxProjectDiagnosticsFiles }),
	number("maxTotalLines", 1, many, func(s *Settings) *int { return &s.MaxTotalLines }),
	severities(),
	boolean("navigationTools", func(s *Settings) *bool { return &s.NavigationTools }),
	number("maxDependants", 0, many, func(s *Settings) *int { return &s.MaxDependants }),
	number("largeProjectFiles", 0, many, func(s *Settings) *int { return &s.LargeProjectFiles }),
	number("maxRestarts", 0, 100, func(s *Settings) *int { return &s.MaxRestarts }),
	durations("serverIdle", 0, 24*hour, func(s *Settings) *time.Duration { return &s.ServerIdle }),
	number("maxServers", 0, many, func(s *Settings) *int { return &s.MaxServers }),
	number("maxServerMemory", 0, many, func(s *Settings) *int { return &s.MaxServerMemory }),
	choice("daemon", []DaemonUse{DaemonAuto, DaemonNever}, func(s *Settings) *DaemonUse { return &s.Daemon }),
	durations("daemonIdle", 0, 24*hour, func(s *Settings) *time.Duration { return &s.DaemonIdle }),
	choice("referenceCache", []ReferenceCacheUse{ReferenceCacheOn, ReferenceCacheOff}, func(s *Settings) *ReferenceCacheUse { return &s.ReferenceCache }),
	choice("indexes", []IndexesUse{IndexesOn, IndexesAlways, IndexesOff}, func(s *Settings) *IndexesUse { return &s.Indexes }),
	number("selfCorrectionLimit", 0, 100, func(s *Settings) *int { return &s.SelfCorrectionLimit }),
	boolean("autoDetect", func(s *Settings) *bool { return &s.AutoDetect }),
	boolean("import", func(s *Settings) *bool { return &s.Import }),
	number("maxFileBytes", 1, math.MaxInt32, func(s *Settings) *int64 { return &s.MaxFileBytes }),
	number("maxOpenDocuments", 1, many, func(s *Settings) *int { return &s.MaxOpenDocuments }),
	globs("ignore", func(s *Settings) *[]string { return &s.Ignore }),
	variables("passEnv", func(s *Settings) *[]string { return &s.PassEnv }),
	variables("hideEnv", func(s *Settings) *[]string { return &s.HideEnv }),
	folders("allowRoots", func(s *Settings) *[]string { return &s.AllowRoots }),
	folders("trustedRoots", func(s *Settings) *[]string { return &s.TrustedRoots }),
	choice("trust", []TrustUse{TrustAsk, TrustAlways, TrustNever}, func(s *Settings) *TrustUse { return &s.Trust }),
	policyKey(),
	choice("policyMode", policy.Modes, func(s *Settings) *policy.Mode { return &s.PolicyMode }),
	durations("askTimeout", 1, hour, func(s *Settings) *time.Duration { return &s.AskTimeout }),
	evidenceKey(),
	boolean("evidenceContents", func(s *Settings) *bool { return &s.EvidenceContents }),
	number("evidenceMaxSize", 1, many, func(s *Settings) *int { return &s.EvidenceMaxSize }),
}

// variable derives the name of a key's variable: each capital begins a word.
func variable(name string) string {
	var b strings.Builder
	b.WriteString("LSPINE_")
	for _, r := range name {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToUpper(b.String())
}

// newKey ties a key to a field: read makes the field's value of what is
// written, and may refuse it.
func newKey[T any](name, kind string, field func(*Settings) *T, read func(hujson.Value) (T, error), write func(T) any) Key {
	return Key{
		Path:     "lsp." + name,
		Variable: variable(name),
		Kind:     kind,
		set: func(s *Settings, v hujson.Value) error {
			x, err := read(v)
			if err == nil {
				*field(s) = x
			}
			return err
		},
		get: func(s *Settings) json.RawMessage {
			b, err := json.Marshal(write(*field(s)))
			if err != nil {
				panic(err) // numbers, booleans and strings only
			}
			return b
		},
	}
}

func same[T any](x T) any { return x }

// enabledKey is "lsp" itself as a variable or flag; in a file it is an object.
func enabledKey() Key {
	k := boolean("lsp", func(s *Settings) *bool { return &s.Enabled })
	k.Path = "lsp"
	return k
}

func milliseconds(name string, field func(*Settings) *time.Duration) Key {
	return durations(name, 1, hour, field)
}

func durations(name string, least, most int, field func(*Settings) *time.Duration) Key {
	const kind = "a number of milliseconds"
	return newKey(name, kind, field,
		func(v hujson.Value) (time.Duration, error) {
			n, err := wholeNumber(v, kind, least, most)
			return time.Duration(n) * time.Millisecond, err
		},
		func(d time.Duration) any { return d.Milliseconds() }).as(func() *jsonschema.Schema { return wholeNumbers(least, most) })
}

func (k Key) as(schema func() *jsonschema.Schema) Key {
	k.schema = schema
	return k
}

func number[T int | int64](name string, least, most int, field func(*Settings) *T) Key {
	const kind = "a whole number"
	return newKey(name, kind, field, func(v hujson.Value) (T, error) {
		n, err := wholeNumber(v, kind, least, most)
		return T(n), err
	}, same[T]).as(func() *jsonschema.Schema { return wholeNumbers(least, most) })
}

func boolean(name string, field func(*Settings) *bool) Key {
	return newKey(name, "true or false", field, readBool, same[bool]).as(ofType("boolean"))
}

// choice is one of some words.
func choice[T ~string](name string, words []T, field func(*Settings) *T) Key {
	var known []string
	for _, word := range words {
		known = append(known, string(word))
	}
	kind := strings.Join(known, " or ")
	return newKey(name, kind, field, func(v hujson.Value) (T, error) {
		s, err := readString(v)
		switch {
		case v.Value.Kind() != '"':
			err = wrongType(kind, v)
		case err == nil && !slices.Contains(known, s):
			err = impossible("must be %s, not %q", kind, s)
		}
		return T(s), err
	}, same[T]).as(func() *jsonschema.Schema { return enumOf(known) })
}

func globs(name string, field func(*Settings) *[]string) Key {
	return stringList(name, "an array of globs", field, checkGlob)
}

var variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

func variables(name string, field func(*Settings) *[]string) Key {
	return stringList(name, "an array of names of variables", field, func(s string) error {
		if !variableName.MatchString(s) {
			return impossible("%q is not the name of a variable", s)
		}
		return nil
	})
}

func folders(name string, field func(*Settings) *[]string) Key {
	return stringList(name, "an array of folders", field, func(s string) error {
		if !filepath.IsAbs(s) && s != "~" && !strings.HasPrefix(s, "~/") {
			return &valueError{fmt.Sprintf("%q is not absolute", s), "write the whole path, or begin with ~/"}
		}
		return nil
	})
}

func stringList(name, kind string, field func(*Settings) *[]string, check func(string) error) Key {
	k := newKey(name, kind, field, func(v hujson.Value) ([]string, error) {
		return readStrings(v, kind, check)
	}, func(list []string) any { return append([]string{}, list...) })
	k.list = true
	return k.as(anyStrings)
}

func severities() Key {
	const kind = "an array of error, warning, info and hint"
	known := []string{string(Error), string(Warning), string(Info), string(Hint)}
	read := func(v hujson.Value) ([]Severity, error) {
		names, err := readStrings(v, kind, func(s string) error {
			if !slices.Contains(known, s) {
				return &valueError{fmt.Sprintf("there is no severity %q", s), suggest(s, known)}
			}
			return nil
		})
		if err == nil && len(names) == 0 {
			err = &valueError{"no severity: nothing would ever be shown", `"lsp": false disables LSPine`}
		}
		var list []Severity
		for _, n := range names {
			if !slices.Contains(list, Severity(n)) {
				list = append(list, Severity(n))
			}
		}
		return list, err
	}
	k := newKey("includeSeverities", kind, func(s *Settings) *[]Severity { return &s.IncludeSeverities }, read, same[[]Severity])
	k.list = true
	return k.as(func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: enumOf(known), MinItems: jsonschema.Ptr(1)}
	})
}

// fromText makes what could stand in a file of the text of a variable or flag:
// lists are separated by commas.
func (k Key) fromText(text string) hujson.Value {
	text = strings.TrimSpace(text)
	if k.json {
		return jsonText(text)
	}
	if k.list {
		list := &hujson.Array{}
		for s := range strings.SplitSeq(text, ",") {
			if s = strings.TrimSpace(s); s != "" {
				list.Elements = append(list.Elements, hujson.Value{Value: hujson.String(s)})
			}
		}
		return hujson.Value{Value: list}
	}
	if k.Kind == "true or false" {
		switch strings.ToLower(text) {
		case "1", "true", "yes", "on":
			return hujson.Value{Value: hujson.Bool(true)}
		case "0", "false", "no", "off":
			return hujson.Value{Value: hujson.Bool(false)}
		}
	}
	if l := hujson.Literal(text); l.IsValid() && l.Kind() == '0' {
		return hujson.Value{Value: l}
	}
	return hujson.Value{Value: hujson.String(text)}
}
