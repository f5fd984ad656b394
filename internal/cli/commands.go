package cli

import (
	"maps"

	"github.com/spf13/cobra"
)

// A commandMaker makes a command.
type commandMaker func(*Streams, *global) *cobra.Command

// A commandGroup has the commands for one purpose, by name.
type commandGroup struct {
	title    string
	commands map[string]commandMaker
}

// helpGroup is the title of the group that "help" is in, which is about all commands and made elsewhere.
const helpGroup = "Start here"

// commandGroups returns all commands, in groups as help lists them. To add a command is to add it here.
func commandGroups() []commandGroup {
	alone := func(newCommand func(*Streams) *cobra.Command) commandMaker {
		return func(streams *Streams, _ *global) *cobra.Command { return newCommand(streams) }
	}
	return []commandGroup{
		{helpGroup, map[string]commandMaker{"init": newInit, "check": newCheck, "doctor": newDoctor}},
		{"Ask about code", map[string]commandMaker{
			"callers": newCallers, "context": newContext, "def": newDef, "hover": newHover, "impact": newImpact, "refs": newRefs,
			"source": newSource, "symbols": newSymbols,
		}},
		{"Change code", map[string]commandMaker{
			"edit": newEdit, "fix": newFix, "format": newFormat, "rename": newRename, "simulate": newSimulate,
		}},
		{"Agents and editors", map[string]commandMaker{
			"hook": newHook, "mcp": newMCP, "service": newService, "skills": newSkills, "uninstall": newUninstall,
		}},
		{"Language servers", map[string]commandMaker{
			"daemon": newDaemon, "install": newInstall, "remove": alone(newRemove), "servers": newServers, "status": newStatus, "ui": newUI,
		}},
		{"Settings and lspine itself", map[string]commandMaker{
			"cache": newCache, "completion": alone(newCompletion), "config": newConfig, "evidence": newEvidence, "index": newIndex,
			"policy": newPolicy, "replay": newReplay, "trust": newTrust, "untrust": newUntrust, "update": alone(newUpdate),
			"version": alone(newVersion),
		}},
	}
}

// makers returns what makes the commands, by name.
func makers() map[string]commandMaker {
	all := make(map[string]commandMaker)
	for _, g := range commandGroups() {
		maps.Copy(all, g.commands)
	}
	return all
}
