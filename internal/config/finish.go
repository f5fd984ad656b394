package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/registry"
)

// finishServers makes the table: custom servers that cannot work are left out,
// with a problem unless what they lack waits for trust.
func (l *loader) finishServers() {
	l.needTable()
	builtin := l.builtin.IDs()
	var problems []Problem
	l.config.Servers = make(registry.Table, 0, len(l.servers))
	for _, s := range l.servers {
		l.becomes(s)
		d := *s.Definition
		if s.own {
			l.config.chosen = append(l.config.chosen, s.ID)
		}
		if l.config.Settings.PolicyMode == policy.NonInteractive && !s.own {
			d.Disabled, d.DisabledBy = true, "lsp.policyMode is "+string(policy.NonInteractive)+", and your own configuration does not name it"
			l.config.unregistered = append(l.config.unregistered, s.ID)
		}
		if s.builtin {
			if !d.Disabled && !l.config.Settings.AutoDetect && !s.named {
				d.Disabled, d.DisabledBy = true, "lsp.autoDetect is false, and no configuration names it"
			}
			d.OptIn = d.OptIn && !s.named
			if s.wanted && d.Group != "" {
				d.Rank = min(d.Rank, 0)
			}
			l.config.Servers = append(l.config.Servers, d)
			continue
		}
		runs := len(s.Commands) > 0 || s.Connect != ""
		near := nearest(s.ID, builtin)
		hint := ""
		if near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		lacks := ""
		switch {
		case runs && len(s.Languages) > 0:
			l.config.Servers = append(l.config.Servers, d)
		case s.withheld && !runs:
		case s.off && !s.more && near == "": // off, and not known: off
		case !runs:
			lacks = `is not built in, and has neither "command" nor "connect"`
		default:
			lacks = `is not built in, and has no "extensions"`
		}
		if lacks != "" {
			p := Problem{Layer: s.layer, File: s.file.path, Key: "lsp.servers." + s.ID, Message: lacks, Hint: hint}
			p.Line, p.Column = s.file.position(s.at.StartOffset)
			problems = append(problems, p)
		}
	}
	l.insert(problems)
}

// insert puts late problems of files among those of their layer, by line.
func (l *loader) insert(late []Problem) {
	layers := []Layer{LayerUser, LayerProject, LayerEnvironment, LayerHost, LayerFlag}
	l.problems = append(l.problems, late...)
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		if d := slices.Index(layers, a.Layer) - slices.Index(layers, b.Layer); d != 0 {
			return d
		}
		if d := strings.Compare(a.File, b.File); d != 0 {
			return d
		}
		return a.Line - b.Line
	})
}

// IsLanguage reports whether a name is that of a language for which some server is known.
func IsLanguage(name string) bool {
	_, known := registry.Builtin().ForLanguage(name)
	return known
}
