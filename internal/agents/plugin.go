package agents

import (
	"bytes"
	"fmt"
	"strings"
)

// pluginMark is the first line of our plugins, by which they are known.
const pluginMark = "// Written by lspine; lspine uninstall removes it.\n"

// plugin plans the plugin of an agent. A file that is not ours is left alone.
func (p *Plan) plugin(agent string, h *hooks, path string, command []string, wanted bool) error {
	c, err := p.changeOf(path)
	if err != nil {
		return err
	}
	c.lines = true
	ours := bytes.HasPrefix(c.After, []byte(pluginMark))
	switch {
	case len(c.After) > 0 && !ours && wanted:
		return fmt.Errorf("%s: %w", path, errForeign)
	case wanted:
		words := "[" + tomlList(append(command, "--host", agent)) + "]" // as JavaScript writes a list of texts, too
		c.After, c.Removed = []byte(pluginMark+strings.Replace(h.plugin, "COMMAND", words, 1)), false
	case ours:
		c.After, c.Removed = nil, true
	}
	return nil
}
