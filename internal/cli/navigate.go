package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// navigation has the flags of every command that asks about symbols.
type navigation struct {
	*global
	streams  *Streams
	json     bool
	timeout  time.Duration
	maxBytes int
	// alone says that an engine in this process answers, so that doctor sees everything from the
	// start.
	alone bool
	// lenient leaves it to the operation to report mistakes in the configuration.
	lenient bool
}

// terminalBytes limits the text of an answer on the command line, where it can be paged.
const terminalBytes = 1 << 20

const selectorHelp = "A symbol is named as FILE:LINE:COLUMN, as FILE:LINE NAME, as FILE NAME (a name\n" +
	"path such as Config.Load), or as a NAME of the workspace."

func (n *navigation) register(cmd *cobra.Command) *cobra.Command {
	flags := cmd.Flags()
	flags.BoolVar(&n.json, "json", false, "print the result as JSON")
	flags.DurationVar(&n.timeout, "timeout", 0, "deadline (default lsp.requestTimeout)")
	flags.IntVar(&n.maxBytes, "max-bytes", terminalBytes, "shorten the answer to this many bytes")
	return cmd
}

func (n *navigation) limits() api.Limits {
	return api.Limits{MaxBytes: n.maxBytes, TimeoutMS: int(n.timeout.Milliseconds())}
}

// selector joins the words of a command line to one selector.
func selector(args []string) api.Selector {
	return api.Selector{At: strings.Join(args, " ")}
}

// run calls an operation and prints the result.
func run[Req, Res any, P interface {
	*Res
	result.Result
}](ctx context.Context, n *navigation, op api.Op[Req, Res], req Req) (err error) {
	_, err = perform[Req, Res, P](ctx, n, op, req)
	return err
}

// perform is like run but also returns the result.
func perform[Req, Res any, P interface {
	*Res
	result.Result
}](ctx context.Context, n *navigation, op api.Op[Req, Res], req Req) (result Res, err error) {
	err = ask(ctx, n, op, req, func(answer Res) error {
		result = answer
		return show[Res, P](n, answer)
	})
	return result, err
}

// show prints a result.
func show[Res any, P interface {
	*Res
	result.Result
}](n *navigation, result Res) error {
	if n.json {
		return printJSON(n.streams, result)
	}
	_, err := fmt.Fprintln(n.streams.Out, textOf(P(&result)))
	return err
}

// ask calls an operation, and then, before the servers end, does something with its result.
func ask[Req, Res any](ctx context.Context, n *navigation, op api.Op[Req, Res], req Req, then func(Res) error) (err error) {
	if n.timeout < 0 {
		return &usageError{"--timeout: a deadline is longer than nothing", "for example --timeout 30s"}
	}
	if n.maxBytes < 1 {
		return &usageError{"--max-bytes: a budget is at least 1 byte", "for example --max-bytes 12000"}
	}
	root, err := n.rootFor(n.streams, api.PathsOf(req))
	if err != nil {
		return err
	}
	cfg, problems, err := n.configuration(root)
	if err != nil {
		return err
	}
	e, err := n.open(ctx, n.streams, root, cfg, problems, purpose{
		name: op.Name, dir: n.streams.Dir, once: op.ClassFor(req) == api.Read, alone: n.alone,
	})
	if err != nil {
		return err
	}
	defer func() { err = errEnding(ctx, e, err) }()
	calling, wipe := showProgress(ctx, n.streams)
	result, err := op.Do(calling, e, req)
	wipe()
	if err != nil {
		return err
	}
	return then(result)
}

func (n *navigation) configuration(root string) (cfg *config.Config, problems []config.Problem, err error) {
	if n.lenient {
		cfg, problems = n.readConfig(n.streams, root)
		return cfg, problems, nil
	}
	return n.loadConfig(n.streams, root)
}

func printJSON[Res any](streams *Streams, result Res) error {
	return legible.Encode(streams.Out, result, "  ")
}

func newDef(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	var req api.DefinitionRequest
	cmd := &cobra.Command{
		Use:     "def SYMBOL",
		Short:   "Show where a symbol is defined",
		Long:    "def shows where a symbol is defined.\n\n" + selectorHelp,
		Example: "  lspine def main.go:42:7\n  lspine def main.go Config.Load --source\n  lspine def packages.Load --kind implementation",
		Args:    symbolNeeded,
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Selector, req.Limits = selector(args), n.limits()
			return run(cmd.Context(), n, api.Definition, req)
		},
	}
	cmd.Flags().StringVar(&req.Kind, "kind", "definition", "definition, declaration, type_definition or implementation")
	cmd.Flags().BoolVar(&req.WithSource, "source", false, "also the text of the declaration")
	return n.register(cmd)
}

func newRefs(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	var req api.ReferencesRequest
	positions := false
	cmd := &cobra.Command{
		Use:     "refs SYMBOL",
		Short:   "List every use of a symbol",
		Long:    "refs lists every use of a symbol in the workspace.\n\n" + selectorHelp,
		Example: "  lspine refs main.go:42 Load\n  lspine refs Config.Load --positions",
		Args:    symbolNeeded,
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Selector, req.Limits = selector(args), n.limits()
			lines := !positions
			req.SourceLines = &lines
			return run(cmd.Context(), n, api.References, req)
		},
	}
	cmd.Flags().BoolVar(&req.IncludeDeclaration, "declaration", false, "include the declaration")
	cmd.Flags().BoolVar(&positions, "positions", false, "only positions, without the text of the lines")
	return n.register(cmd)
}

func newHover(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	all := false
	cmd := &cobra.Command{
		Use:     "hover SYMBOL",
		Short:   "Show type, documentation and definition of a symbol",
		Long:    "hover shows type, documentation and definition of a symbol.\n\n" + selectorHelp,
		Example: "  lspine hover main.go:42:7\n  lspine hover Config.Load --all",
		Args:    symbolNeeded,
		RunE: func(cmd *cobra.Command, args []string) error {
			if all {
				return run(cmd.Context(), n, api.Explore, api.ExploreRequest{Selector: selector(args), Limits: n.limits()})
			}
			return run(cmd.Context(), n, api.Inspect, api.InspectRequest{Selector: selector(args), Limits: n.limits()})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also source, callers, references and tests")
	return n.register(cmd)
}

func newSymbols(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	var req api.SymbolsRequest
	cmd := &cobra.Command{
		Use:     "symbols FILE | symbols --query NAME",
		Short:   "Outline a file, or search the workspace for a name",
		Long:    "symbols lists what a file declares or, with --query, where in the workspace a\nname is declared.",
		Example: "  lspine symbols main.go\n  lspine symbols --query Load --kind function",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.Limits = n.limits(); len(args) == 1 {
				req.File = args[0]
			}
			return run(cmd.Context(), n, api.Symbols, req)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Query, "query", "", "search the workspace for this name")
	flags.StringVar(&req.Kind, "kind", "", "only this kind, such as function")
	flags.StringVar(&req.Language, "language", "", "search in this language only, an LSP language id")
	flags.StringVar(&req.Format, "format", "tree", "of an outline: tree or flat")
	flags.IntVar(&req.Depth, "depth", 0, "of an outline: levels (default all)")
	flags.IntVar(&req.Limit, "limit", 0, "maximum number of symbols")
	return n.register(cmd)
}

func newSource(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	var req api.SourceRequest
	cmd := &cobra.Command{
		Use:     "source SYMBOL",
		Short:   "Print the declaration of a symbol",
		Long:    "source prints the declaration of a symbol, or the one around a position.\n\n" + selectorHelp,
		Example: "  lspine source main.go Config.Load --context 3",
		Args:    symbolNeeded,
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Selector, req.Limits = selector(args), n.limits()
			return run(cmd.Context(), n, api.Source, req)
		},
	}
	cmd.Flags().IntVar(&req.ContextLines, "context", 0, "lines before and after")
	return n.register(cmd)
}

func newCallers(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	var req api.HierarchyRequest
	cmd := &cobra.Command{
		Use:   "callers SYMBOL",
		Short: "Show the callers or callees of a function, or the super- or subtypes of a type",
		Long: "callers shows the callers of a symbol or, with --direction, its callees,\n" +
			"supertypes or subtypes.\n\n" + selectorHelp,
		Example: "  lspine callers Config.Load --depth 2\n  lspine callers Reader --direction subtypes",
		Args:    symbolNeeded,
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Selector, req.Limits = selector(args), n.limits()
			return run(cmd.Context(), n, api.Hierarchy, req)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Direction, "direction", "callers", "callers, callees, supertypes or subtypes")
	flags.IntVar(&req.Depth, "depth", 1, "levels, 1 to 10")
	flags.BoolVar(&req.CrossConcurrent, "concurrent", false, "mark calls that start a goroutine, thread or task")
	return n.register(cmd)
}

// symbolNeeded returns the error for a command line that names no symbol.
func symbolNeeded(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &usageError{cmd.CommandPath() + ": no symbol is named", "for example " + cmd.CommandPath() + " main.go:42:7, or " + cmd.CommandPath() + " Config.Load"}
	}
	return nil
}
