package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/lspine/lspine/internal/roots"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/legible"
)

func newConfig(streams *Streams, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show every setting and where its value comes from",
		Long: "config merges the built-in settings, the user's file, the project's file, the\n" +
			"environment and flags, and shows the result: the files that were looked for,\n" +
			"each setting with its value and source, the servers that some layer configures,\n" +
			"what is wrong, and what a project's file asked for and was not granted.\n\n" +
			"Exit codes: 0, 2 if something is wrong with the configuration.",
		Example: "  lspine config\n  lspine config --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := g.resolveRoot(streams)
			if err != nil {
				return err
			}
			cfg, problems := g.readConfig(streams, root)
			shown := explain(cfg, problems)
			if asJSON {
				err = printJSON(streams, shown)
			} else {
				err = shown.text(streams.Out)
			}
			if err == nil && len(problems) > 0 {
				return exit(exitUsage)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.AddCommand(&cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON schema of a configuration file",
		Example: "  lspine config schema > lspine.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := streams.Out.Write(config.Schema())
			return err
		},
	})
	return cmd
}

// An explanation is the merged configuration with the source of each value.
type explanation struct {
	Files     []explainedFile    `json:"files"`
	Settings  []explainedValue   `json:"settings"`
	Servers   []explainedServer  `json:"servers"`
	Problems  []explainedProblem `json:"problems"`
	Untrusted []string           `json:"untrusted"`

	builtin int // servers that no layer mentions
}

type explainedFile struct {
	Layer string `json:"layer"`
	Path  string `json:"path"`
	Found bool   `json:"found"`
}

type explainedValue struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Source string          `json:"source"`
}

// An explainedServer has the values of a server that some layer sets.
type explainedServer struct {
	ID       string           `json:"id"`
	Source   string           `json:"source"`
	Disabled bool             `json:"disabled,omitempty"`
	Given    []explainedValue `json:"given"`
}

type explainedProblem struct {
	Problem string `json:"problem"`
	Hint    string `json:"hint,omitempty"`
}

func explain(cfg *config.Config, problems []config.Problem) explanation {
	x := explanation{
		Files: []explainedFile{}, Settings: []explainedValue{}, Servers: []explainedServer{},
		Problems: []explainedProblem{}, Untrusted: []string{},
	}
	for _, f := range cfg.Files {
		x.Files = append(x.Files, explainedFile{string(f.Layer), f.Path, f.Found})
	}
	for _, v := range cfg.Explain() {
		x.Settings = append(x.Settings, explainedValue{v.Key.Path, v.JSON, v.Source.String()})
	}
	cfg.Complete()
	for i := range cfg.Servers {
		d := &cfg.Servers[i]
		key := "lsp.servers." + d.ID
		s := explainedServer{ID: d.ID, Source: cfg.Source(key).String(), Disabled: d.Disabled, Given: []explainedValue{}}
		for _, v := range cfg.Given(d.ID) {
			given := strings.TrimPrefix(v.Key.Path, key+".")
			if name, isVariable := strings.CutPrefix(given, "env."); isVariable && roots.LooksSecret(name, string(v.JSON)) {
				v.JSON = json.RawMessage(`"(hidden)"`)
			}
			s.Given = append(s.Given, explainedValue{given, v.JSON, v.Source.String()})
		}
		if cfg.Source(key).Layer == config.LayerBuiltin {
			x.builtin++
		}
		x.Servers = append(x.Servers, s)
	}
	for _, p := range problems {
		hint := p.Hint
		p.Hint = ""
		x.Problems = append(x.Problems, explainedProblem{p.Error(), hint})
	}
	for _, u := range cfg.Untrusted {
		x.Untrusted = append(x.Untrusted, u.String())
	}
	return x
}

func (x *explanation) text(w io.Writer) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(cells ...string) {
		for i := range cells {
			cells[i] = legible.Line(cells[i])
		}
		fmt.Fprintln(table, "  "+strings.Join(cells, "\t"))
	}
	fmt.Fprintln(table, "Files:")
	for _, f := range x.Files {
		found := ""
		if !f.Found {
			found = "(not there)"
		}
		row(f.Layer, f.Path, found)
	}
	_ = table.Flush() // writes to memory, so it cannot fail
	fmt.Fprintln(table, "\nSettings:")
	for _, v := range x.Settings {
		row(v.Key, string(v.Value), v.Source)
	}
	_ = table.Flush()
	fmt.Fprintln(table, "\nServers:")
	for _, s := range x.Servers {
		if s.Source == string(config.LayerBuiltin) {
			continue
		}
		state := ""
		if s.Disabled {
			state = "disabled"
		}
		row(s.ID, state, s.Source)
		for _, v := range s.Given {
			row("  "+v.Key, string(v.Value), v.Source)
		}
	}
	row(fmt.Sprintf("%d built in, as they are: lspine servers lists them", x.builtin))
	_ = table.Flush()
	for _, p := range x.Problems {
		fmt.Fprintln(&b, "\nproblem:", legible.Model(p.Problem))
		if p.Hint != "" {
			fmt.Fprintln(&b, "  "+legible.Model(p.Hint))
		}
	}
	for _, u := range x.Untrusted {
		fmt.Fprintln(&b, "\nnot applied:", legible.Model(u))
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	_, err := io.WriteString(w, strings.Join(lines, "\n"))
	return err
}

// userFile returns the absolute path of the file given with --config, "" without the flag.
func (g *global) userFile(streams *Streams) string {
	if g.configFile != "" && !filepath.IsAbs(g.configFile) {
		return filepath.Join(streams.Dir, g.configFile)
	}
	return g.configFile
}

func newCompletion(streams *Streams) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes commands and flags in a shell",
		Long: "completion prints a script for bash, zsh, fish or powershell. For bash, in\n" +
			"this shell and in later ones:\n\n" +
			"  source <(lspine completion bash)\n" +
			"  lspine completion bash > ~/.local/share/bash-completion/completions/lspine",
		Example:   "  lspine completion bash > ~/.local/share/bash-completion/completions/lspine\n  lspine completion zsh > \"${fpath[1]}/_lspine\"",
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return &usageError{"completion takes one shell", "shells are " + strings.Join(shells, ", ")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(streams.Out, true)
			case "zsh":
				return root.GenZshCompletion(streams.Out)
			case "fish":
				return root.GenFishCompletion(streams.Out, true)
			default:
				return root.GenPowerShellCompletionWithDesc(streams.Out)
			}
		},
	}
}
