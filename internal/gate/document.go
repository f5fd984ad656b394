package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/jsonc"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/policy"
)

type ruleList = []policy.Rule

// nameForm is what names of tokens look like: they are part of names in rules and in the evidence.
var nameForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// A document is a file with JSON, for errors about places in it.
type document struct {
	file string
	text []byte
}

// wrong returns the error about a value.
func (d *document) wrong(key string, at hujson.Value, reason, advice string) error {
	line := 1 + strings.Count(string(d.text[:min(at.StartOffset, len(d.text))]), "\n")
	return &FileError{File: d.file, Line: line, Key: key, Reason: reason, Advice: advice}
}

// members calls read for each member of an object, which may have only these.
func (d *document) members(key string, of hujson.Value, known []string, read func(name string, v hujson.Value) error) error {
	object, ok := of.Value.(*hujson.Object)
	if !ok {
		return d.wrong(key, of, "it is not an object", "")
	}
	seen := make(map[string]bool)
	for _, m := range object.Members {
		name := m.Name.Value.(hujson.Literal).String()
		at := name
		if key != "" {
			at = key + "." + name
		}
		isKnown := false
		for _, k := range known {
			isKnown = isKnown || k == name
		}
		switch {
		case !isKnown:
			return d.wrong(at, m.Name, "there is no such key here", "keys are "+strings.Join(known, ", "))
		case seen[name]:
			return d.wrong(at, m.Name, "it stands here twice", "")
		}
		seen[name] = true
		if err := read(name, m.Value); err != nil {
			return err
		}
	}
	return nil
}

// elements calls read for each element of an array.
func (d *document) elements(key string, of hujson.Value, read func(key string, v hujson.Value) error) error {
	array, ok := of.Value.(*hujson.Array)
	if !ok {
		return d.wrong(key, of, "it is not an array", "")
	}
	for i, e := range array.Elements {
		if err := read(fmt.Sprintf("%s[%d]", key, i), e); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) words(key string, of hujson.Value) (string, error) {
	literal, ok := of.Value.(hujson.Literal)
	if !ok || literal.Kind() != '"' {
		return "", d.wrong(key, of, "it is not a string", "")
	}
	return literal.String(), nil
}

// number returns a number from 0 to most.
func (d *document) number(key string, of hujson.Value, most float64) (float64, error) {
	literal, ok := of.Value.(hujson.Literal)
	if !ok || literal.Kind() != '0' || literal.Float() <= 0 || literal.Float() > most {
		return 0, d.wrong(key, of, fmt.Sprintf("it is not a number above 0, up to %v", most), "")
	}
	return literal.Float(), nil
}

// count returns a whole number from 1 to 10,000.
func (d *document) count(key string, of hujson.Value) (int, error) {
	n, err := d.number(key, of, 10_000)
	if err == nil && n != math.Trunc(n) {
		err = d.wrong(key, of, "it is not a whole number", "")
	}
	return int(n), err
}

// readTokens reads a document with tokens, which may have none.
func readTokens(file string, text []byte) ([]declared, error) {
	value, err := jsonc.Parse(text)
	if err != nil {
		return nil, &FileError{File: file, Reason: "it is not JSON: " + strings.TrimPrefix(err.Error(), "hujson: ")}
	}
	d := &document{file, text}
	var list []declared
	err = d.members("", value, []string{"tokens"}, func(_ string, tokens hujson.Value) error {
		return d.elements("tokens", tokens, func(key string, v hujson.Value) error {
			of, err := d.token(key, v)
			if err != nil {
				return err
			}
			for _, other := range list {
				switch {
				case other.name == of.name:
					return d.wrong(key+".name", v, fmt.Sprintf("another token is called %q, too", of.name), "names say in the evidence and in rules who it was")
				case other.sum == of.sum:
					return d.wrong(key, v, fmt.Sprintf("it is the token of %q, too", other.name), "")
				}
			}
			list = append(list, of)
			return nil
		})
	})
	return list, err
}

// tokenKeys are the keys of a token.
var tokenKeys = []string{"name", "token", "sha256", "workspaces", "policy", "perSecond", "burst", "calls", "streams"}

func (d *document) token(key string, v hujson.Value) (of declared, err error) {
	clone := v.Clone()
	clone.Minimize()
	of.written = sha256.Sum256(clone.Pack())
	secrets := 0
	err = d.members(key, v, tokenKeys, func(name string, v hujson.Value) (err error) {
		at := key + "." + name
		switch name {
		case "name":
			if of.name, err = d.words(at, v); err == nil && !nameForm.MatchString(of.name) {
				err = d.wrong(at, v, "it is not a name", "names have up to 64 letters, digits and . _ @ -, and begin with a letter or digit")
			}
		case "token", "sha256":
			secrets++
			of.sum, err = d.secret(at, name, v)
		case "workspaces":
			of.workspaces = []string{} // an empty list means none
			err = d.elements(at, v, func(at string, v hujson.Value) error {
				dir, err := d.words(at, v)
				if err == nil && !filepath.IsAbs(dir) {
					err = d.wrong(at, v, "it is not an absolute path", "")
				}
				of.workspaces = append(of.workspaces, filepath.Clean(dir))
				return err
			})
		case "policy":
			of.rules, err = d.policy(at, v)
		case "perSecond":
			of.limits.PerSecond, err = d.number(at, v, 10_000)
		case "burst":
			of.limits.Burst, err = d.count(at, v)
		case "calls":
			of.limits.Calls, err = d.count(at, v)
		case "streams":
			of.limits.Streams, err = d.count(at, v)
		}
		return err
	})
	switch {
	case err != nil:
		return of, err
	case of.name == "":
		return of, d.wrong(key, v, "it has no name", `for example "name": "ci"`)
	case secrets != 1:
		return of, d.wrong(key, v, `it must have either "token" or "sha256"`, "sha256 is the SHA-256 of the token, in hexadecimal digits")
	case of.limits.Burst > 0 && of.limits.PerSecond == 0:
		return of, d.wrong(key+".burst", v, `it is of no use without "perSecond"`, "")
	}
	return of, nil
}

// secret returns the fingerprint of a token that is given itself, or by its SHA-256.
func (d *document) secret(key, name string, v hujson.Value) (sum fingerprint, err error) {
	text, err := d.words(key, v)
	if err != nil {
		return sum, err
	}
	if name == "token" {
		if why := CheckToken(text); why != "" {
			return sum, d.wrong(key, v, why, "for example the output of: openssl rand -hex 32")
		}
		return sha256.Sum256([]byte(text)), nil
	}
	given, err := hex.DecodeString(text)
	if err != nil || len(given) != len(sum) {
		return sum, d.wrong(key, v, "it is not a SHA-256 in 64 hexadecimal digits", "for example the output of: printf %s TOKEN | sha256sum")
	}
	return fingerprint(given), nil
}

// policy returns the rules of a token. They are decided before a call begins, when it is known what is
// called, but not yet what it will be about.
func (d *document) policy(key string, v hujson.Value) (ruleList, error) {
	rules, err := config.ReadRules(v)
	if err != nil {
		advice := ""
		if hinted := (interface{ Hint() string })(nil); errors.As(err, &hinted) {
			advice = hinted.Hint()
		}
		return nil, d.wrong(key, v, err.Error(), advice)
	}
	for i := range rules {
		m := &rules[i].Match
		for name, list := range map[string][]string{"path": m.Path, "server": m.Server, "client": m.Client, "mode": m.Mode} {
			if len(list) > 0 {
				return nil, d.wrong(fmt.Sprintf("%s[%d].match.%s", key, i, name), v, "rules of tokens are about operations and classes alone", `write this rule into "policy" of your configuration, with "client": "mcp/NAME"`)
			}
		}
		rules[i].Source = fmt.Sprintf("%s: %s[%d]", d.file, key, i)
	}
	return rules, nil
}
