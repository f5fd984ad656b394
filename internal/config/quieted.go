package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
)

// quieting are the settings of a checkout that make answers say less: those that switch something off, or leave something out.
var quieting = []string{"lsp", "lsp.autoDetect", "lsp.ignore", "lsp.includeSeverities"}

// Quieted returns, sorted, what the checkout's own file makes answers leave out, with the place of each, if the checkout is
// not trusted: such settings run nothing, so that they count without trust. nil if it leaves out nothing.
func (c *Config) Quieted() (by []string) {
	if c.Trust.Given {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(c.sources)) {
		source := c.sources[key]
		switch {
		case source.Layer != LayerProject:
		case key == "lsp" && c.Settings.Enabled, key == "lsp.autoDetect" && c.Settings.AutoDetect:
		case slices.Contains(quieting, key), c.isServerOff(key):
			by = append(by, fmt.Sprintf("%s (%s)", key, source))
		}
	}
	return by
}

// isServerOff reports whether a key is the one that switches a server off.
func (c *Config) isServerOff(key string) bool {
	id, isServer := strings.CutPrefix(key, "lsp.servers.")
	id, isSwitch := strings.CutSuffix(id, ".enabled")
	if !isServer || !isSwitch {
		return false
	}
	i := slices.IndexFunc(c.Servers, func(d registry.Definition) bool { return d.ID == id })
	return i >= 0 && c.Servers[i].Disabled
}
