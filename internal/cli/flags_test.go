package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every command has exactly these flags, with these values where they are not given; which are hidden, and which
// exclude others, is part of it.
func TestFlagsOfAllCommands(t *testing.T) {
	var lines []string
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		lines = append(lines, cmd.CommandPath())
		if cmd.Hidden {
			lines[len(lines)-1] += " (hidden)"
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			line := fmt.Sprintf("%s --%s %s %s", cmd.CommandPath(), f.Name, f.Value.Type(), f.DefValue)
			if f.Hidden {
				line += " (hidden)"
			}
			for _, others := range f.Annotations["cobra_annotation_mutually_exclusive"] {
				line += " (one of " + others + ")"
			}
			lines = append(lines, line)
		})
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	walk(newRoot(&Streams{}, ""))
	slices.Sort(lines)
	golden(t, "flags.golden", strings.Join(lines, "\n")+"\n")
}
