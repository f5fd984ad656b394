package config

import (
	"slices"

	"github.com/tailscale/hujson"
)

// applyTop applies the value of a whole file.
func (l *loader) applyTop(top hujson.Value) {
	o, ok := top.Value.(*hujson.Object)
	if !ok {
		l.problem("", top, wrongType(`an object such as {"lsp": {…}}`, top))
		return
	}
	l.eachMember("", o, func(key string, m hujson.ObjectMember) {
		switch name := nameOf(m); name {
		case "$schema":
		case "lsp":
			l.applyLSP(m.Value)
		default:
			err := &valueError{"unknown key", suggest(name, []string{"lsp"})}
			if slices.ContainsFunc(keys, func(k Key) bool { return k.name() == name }) || name == "servers" {
				err.hint = `put it into the "lsp" object`
			}
			err.hint = l.strayRules(key, m, err.hint)
			l.problem(key, m.Name, err)
		}
	})
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// eachMember calls f for each member with its key path; of those with one name
// only for the last, and reports the others.
func (l *loader) eachMember(path string, o *hujson.Object, f func(key string, m hujson.ObjectMember)) {
	last := map[string]int{}
	for i, m := range o.Members {
		last[nameOf(m)] = i
	}
	for i, m := range o.Members {
		key := nameOf(m)
		if path != "" {
			key = path + "." + key
		}
		if last[nameOf(m)] != i {
			l.problem(key, m.Name, &valueError{"stands twice in one object", l.strayRules(key, m, "the last one counts")})
			continue
		}
		f(key, m)
	}
}

func (l *loader) applyLSP(v hujson.Value) {
	o, isObject := v.Value.(*hujson.Object)
	if !isObject && v.Value.Kind() != 'f' {
		name := hujson.Value{Value: hujson.String("lsp"), StartOffset: v.StartOffset}
		l.wrongMember("lsp", hujson.ObjectMember{Name: name, Value: v}, "false or an object")
		return
	}
	l.config.Settings.Enabled = isObject
	l.came("lsp", v)
	if !isObject {
		return
	}
	o, off := l.switchedOff(l.respelled(o, optaSettings))
	l.config.Settings.Enabled = !off
	l.eachMember("lsp", o, func(key string, m hujson.ObjectMember) {
		name := nameOf(m)
		i := slices.IndexFunc(keys, func(k Key) bool { return k.Path == "lsp."+name })
		switch {
		case name == "servers":
			l.applyServers(m.Value)
		case i < 0:
			l.unknownSetting(key, m)
		case slices.Contains(ownOnly, name) && l.layer == LayerProject:
			l.withhold("", name, m.Value)
		default:
			if err := keys[i].set(&l.config.Settings, m.Value); err != nil {
				l.problem(key, m.Value, err)
				l.badPolicy(keys[i], l.at(m.Value))
				return
			}
			l.came(key, m.Name)
			if name == "policy" {
				l.placeRules(func(rule hujson.Value, _ int) string { return l.at(rule) }, m.Value)
			}
		}
	})
}

// ownOnly are the settings that are not taken from a project's file.
var ownOnly = []string{"passEnv", "hideEnv", "allowRoots", "trustedRoots", "trust", "policy", "policyMode", "askTimeout", "evidence", "evidenceContents", "evidenceMaxSize"}

func (l *loader) unknownSetting(key string, m hujson.ObjectMember) {
	known := []string{"servers"}
	for _, k := range keys[1:] {
		known = append(known, k.name())
	}
	name := nameOf(m)
	err := &valueError{"unknown key", suggest(name, known)}
	if name == "enabled" {
		err.hint = `"lsp": false disables everything, "enabled": false within servers one of them`
	}
	err.hint = l.strayRules(key, m, err.hint)
	l.problem(key, m.Name, err)
}

// withhold notes a value of the project's file that nobody has trusted.
func (l *loader) withhold(id, field string, v hujson.Value) {
	u := Untrusted{ID: id, Field: field, Value: string(compact(v)), File: l.file.path, Line: l.file.line(v.StartOffset)}
	own := "put it into " + firstOf(l.userFile, "your own configuration file") + " if you want it"
	switch {
	case id != "":
		u.Hint = "a project's file cannot say what runs; lspine trust shows it all and allows it, or " + own
	case field == "allowRoots":
		u.Hint = "a project's file cannot say what may be written; " + own
	default:
		u.Hint = "a project's file cannot say that; " + own
	}
	u.Imported = l.importing
	l.config.Untrusted = append(l.config.Untrusted, u)
}

// compact returns the value as plain JSON on one line.
func compact(v hujson.Value) []byte {
	v = v.Clone()
	v.Minimize()
	return v.Pack()
}
