package cli

import "github.com/spf13/cobra"

// makers make the commands, by name. "help" is none of them, as it is about all of them.
func makers() map[string]func(*Streams, *global) *cobra.Command {
	alone := func(newCommand func(*Streams) *cobra.Command) func(*Streams, *global) *cobra.Command {
		return func(streams *Streams, _ *global) *cobra.Command { return newCommand(streams) }
	}
	return map[string]func(*Streams, *global) *cobra.Command{
		"check": newCheck, "status": newStatus, "ui": newUI, "doctor": newDoctor, "servers": newServers, "mcp": newMCP, "hook": newHook,
		"skills": newSkills, "init": newInit, "uninstall": newUninstall, "install": newInstall, "remove": alone(newRemove),
		"trust": newTrust, "untrust": newUntrust, "service": newService, "daemon": newDaemon, "config": newConfig, "policy": newPolicy,
		"evidence": newEvidence, "cache": newCache, "index": newIndex, "replay": newReplay, "completion": alone(newCompletion), "update": alone(newUpdate), "version": alone(newVersion),
		"def": newDef, "refs": newRefs, "hover": newHover, "symbols": newSymbols, "source": newSource, "callers": newCallers,
		"impact": newImpact, "context": newContext,
		"edit": newEdit, "simulate": newSimulate, "rename": newRename, "fix": newFix, "format": newFormat,
	}
}
