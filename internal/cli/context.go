package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lazyregexp"
)

func newContext(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	var req api.AssembleRequest
	var inView []string
	diff := false
	cmd := &cobra.Command{
		Use:   "context FILE[:LINE[-LINE]]... | --diff",
		Short: "Show what a model should know besides the code it works on",
		Long: "context gathers what the code in focus uses and does not show: the types and\n" +
			"definitions of what it uses, the signatures of its calls, what the files around\n" +
			"it declare, inlay hints, and with --include references the uses of what it\n" +
			"declares, the closest first, up to a number of bytes. The focus consists of\n" +
			"files, FILE:LINE for the declaration around a line, FILE:LINE-LINE, symbols, or\n" +
			"with --diff uncommitted changes. With --json each item has its record: the\n" +
			"server and its version, the query, the time, and the files as they were.",
		Example: "  lspine context internal/config/config.go:42\n  lspine context --diff --budget 4000\n" +
			"  lspine context --symbol Config.Load --include type,definition --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Ranges, req.InView = ranges(args), ranges(inView)
			if diff && req.GitRange == "" {
				req.GitRange = "HEAD"
			}
			if len(args)+len(req.Symbols) == 0 && req.GitRange == "" && req.Text == "" {
				return &usageError{"context needs a focus", "for example lspine context src/a.go:42, or lspine context --diff"}
			}
			if req.BudgetBytes < 1 {
				return &usageError{"--budget: a budget is at least 1 byte", "for example --budget 8192"}
			}
			req.TimeoutMS = int(n.timeout.Milliseconds())
			return run(cmd.Context(), n, api.Assemble, req)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&diff, "diff", false, "focus on uncommitted changes")
	flags.StringVar(&req.GitRange, "since", "", "focus on what differs since this git revision, or in a range such as HEAD~1..")
	flags.StringArrayVar(&req.Symbols, "symbol", nil, "focus on a symbol; may be given several times")
	flags.StringVar(&req.Text, "text", "", "words of a task: the symbols of the workspace that they name are in focus, too")
	flags.StringArrayVar(&inView, "in-view", nil, "FILE[:LINE[-LINE]] that the model already sees; may be given several times")
	flags.IntVar(&req.BudgetBytes, "budget", api.DefaultContextBytes, "size limit of all items together, in bytes")
	flags.StringSliceVar(&req.Include, "include", nil, "kinds of items: type, definition, signature, summary, hints, references, diagnostics (default: all but the last two)")
	flags.BoolVar(&n.json, "json", false, "print the items with their records as JSON")
	flags.DurationVar(&n.timeout, "timeout", 0, "deadline (default lsp.requestTimeout)")
	n.maxBytes = terminalBytes
	return cmd
}

// fileLines matches a file with one or two lines.
var fileLines = lazyregexp.New(`^(.+):([1-9]\d*)(?:-([1-9]\d*))?$`)

// ranges parses parts of files as given on the command line.
func ranges(names []string) (list []api.Range) {
	for _, name := range names {
		r := api.Range{File: name}
		if m := fileLines.FindStringSubmatch(name); m != nil {
			first, errFirst := strconv.Atoi(m[2])
			last, errLast := strconv.Atoi(m[3])
			if errFirst == nil && (m[3] == "" || errLast == nil) {
				r = api.Range{File: m[1], StartLine: api.OneBased(first), EndLine: api.OneBased(last)}
			}
		}
		list = append(list, r)
	}
	return list
}
