package config

import (
	"bytes"
	"slices"
	"time"

	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/registry"
)

// The spellings of Opta's plan, which are read in its profile besides our own.
var (
	optaSettings = map[string]string{"timeout": "requestTimeout"}
	optaFields   = map[string]string{"rootPatterns": "roots", "fileExtensions": "extensions"}
	optaServers  = map[string]string{"typescript": "typescript-language-server"}
)

// optaTimeout bounds a request in that profile, unless the configuration says otherwise.
const optaTimeout = 10 * time.Second

// asOpta makes the settings and servers those of the profile, before anything is read.
func (l *loader) asOpta() {
	l.config.Settings.RequestTimeout = optaTimeout
	l.needTable()
	for _, s := range l.servers {
		if s.ID == "typescript-language-server" {
			s.unshare()
			s.InitializationOptions = withoutParameterNames(s.Definition)
		}
	}
}

// withoutParameterNames returns the options of a server without hints of the names of
// parameters.
func withoutParameterNames(d *registry.Definition) []byte {
	return bytes.ReplaceAll(d.InitializationOptions, []byte(`"includeInlayParameterNameHints":"all"`), []byte(`"includeInlayParameterNameHints":"none"`))
}

// respelled returns an object with the names that we have for its members. What is given
// under both counts under ours.
func (l *loader) respelled(o *hujson.Object, names map[string]string) *hujson.Object {
	if !l.opta {
		return o
	}
	given := func(name string) bool {
		return slices.ContainsFunc(o.Members, func(m hujson.ObjectMember) bool { return nameOf(m) == name })
	}
	copied := *o
	copied.Members = slices.Clone(o.Members)
	for i := range copied.Members {
		m := &copied.Members[i]
		if ours, known := names[nameOf(*m)]; known && !given(ours) {
			m.Name.Value = hujson.String(ours)
		}
	}
	return &copied
}

// switchedOff takes "enabled" out of the settings of that plan, and reports whether it is
// false.
func (l *loader) switchedOff(o *hujson.Object) (*hujson.Object, bool) {
	off := false
	if !l.opta {
		return o, false
	}
	copied := *o
	copied.Members = slices.DeleteFunc(slices.Clone(o.Members), func(m hujson.ObjectMember) bool {
		kind := m.Value.Value.Kind()
		if nameOf(m) != "enabled" || kind != 't' && kind != 'f' {
			return false
		}
		off = kind == 'f'
		return true
	})
	return &copied, off
}
