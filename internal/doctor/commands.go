package doctor

import (
	"strings"
	"time"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/setup"
)

// The commands that the doctor suggests. We never run any of them.

// openEditor returns the command that opens a file in an editor, at a 1-based line; 0 is no line.
func openEditor(file string, line int) string {
	if file == "" {
		return ""
	}
	return setup.Here.Edit(file, line)
}

// changing returns the command with which a person changes a value where it is configured.
func changing(source config.Source) string {
	switch {
	case source.File != "":
		return openEditor(source.File, source.Line)
	case source.Layer == config.LayerEnvironment:
		return setup.Here.Unset(source.Name)
	}
	return "lspine config"
}

// again returns the command that repeats the run with the time-out multiplied.
func (v *run) again(path string, times int) string {
	line := "lspine doctor"
	if path != "" {
		line += " " + setup.Quoted(v.opts.Names.Relative(path))
	}
	return line + " --timeout " + (v.timeout * time.Duration(times)).Round(time.Second).String()
}

// byHand returns the command that starts a server as we do, so that a person can see its output.
func (v *run) byHand(p subject) string {
	words := []string{setup.Here.Program(p.Binary)}
	for _, arg := range p.Args {
		if strings.Contains(arg, registry.StateFolder) {
			arg = strings.ReplaceAll(arg, registry.StateFolder, setup.Here.Temporary("lspine-"+p.Definition.ID))
		}
		words = append(words, setup.Quoted(arg))
	}
	return v.opts.Setup.Within(p.Root, strings.Join(words, " "))
}

// anew returns the command that reinstalls a server, or changes its configuration.
func (v *run) anew(p subject) string {
	if source := v.commandSource(p); source.Layer != config.LayerBuiltin {
		return changing(source)
	}
	return v.opts.Workspace.FirstRunnable(p.Definition.Install)
}

// commandSource returns where the start command of a server is configured.
func (v *run) commandSource(p subject) config.Source {
	field := "command"
	if p.Definition.Connect != "" {
		field = "connect"
	}
	return v.opts.Config.Source("lsp.servers." + p.Definition.ID + "." + field)
}
