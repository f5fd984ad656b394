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
