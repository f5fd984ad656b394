package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
)

func newIndex(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	out, text := "index.scip", false
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Write or import an index of the code in the SCIP format",
		Long: "An index says where the symbols of a project are defined and used. Indexers make\n" +
			"one: scip-go, scip-typescript, scip-python, rust-analyzer scip. refs and def answer\n" +
			"from an imported index, without starting a server, while no change since matters and\n" +
			"every place that has the name is accounted for; they say so. Otherwise they ask the\n" +
			"server. \"indexes\": \"off\" in the configuration turns this off. Without a\n" +
			"command, index asks the servers what every file declares and where it is used, and\n" +
			"writes that, with the hashes of the files.\n\n" + storeHelp,
		Example: "  lspine index --out index.scip\n  lspine index import index.scip\n  lspine index list\n  lspine index remove 1",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return exportTo(cmd.Context(), n, api.ExportIndex, out, "application/vnd.scip.index", func(file string) api.ExportIndexRequest {
				return api.ExportIndexRequest{File: file, Text: text, Limits: n.limits()}
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", out, "the file to write, or the address in a store")
	cmd.Flags().BoolVar(&text, "text", false, "put the texts of the files into it")
	n.register(cmd)
	cmd.AddCommand(newIndexImport(streams, g), newIndexList(streams, g), newIndexRemove(streams, g))
	return cmd
}

func newIndexImport(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	var commit string
	cmd := &cobra.Command{
		Use:   "import FILE|ADDRESS",
		Short: "Take over an index that an indexer wrote",
		Long: "import takes over a SCIP index, which may be compressed by gzip. The format does not\n" +
			"say which texts an index was made of: they are those of a commit, HEAD unless\n" +
			"--commit names another one, or those that the index has with it. What stands at no\n" +
			"name there is left out, and counted. An index is only as good as whoever made it:\n" +
			"its answers say where they come from, and no edit and no judgement uses it.\n\n" + storeHelp,
		Example: "  lspine index import index.scip\n  lspine index import --commit v1.2.0 index.scip.gz\n" +
			"  lspine index import oci:ghcr.io/acme/shop-index:main",
		Args: oneArgument("file", "index.scip"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return importFrom(cmd.Context(), n, api.ImportIndex, args[0], func(file string) api.ImportIndexRequest {
				return api.ImportIndexRequest{File: file, Commit: commit, Limits: n.limits()}
			})
		},
	}
	cmd.Flags().StringVar(&commit, "commit", "", "the commit that the index was made of (default HEAD)")
	return n.register(cmd)
}

func newIndexList(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	return n.register(&cobra.Command{
		Use:   "list",
		Short: "List the indexes that were imported",
		Long:  "list shows the indexes that were imported for the workspace, the latest first.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), n, api.Indexes, api.IndexesRequest{Limits: n.limits()})
		},
	})
}

func newIndexRemove(streams *Streams, g *global) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	return n.register(&cobra.Command{
		Use:     "remove NUMBER",
		Short:   "Remove an index that was imported",
		Long:    "remove forgets an imported index, by the number that list shows.",
		Example: "  lspine index remove 1",
		Args:    oneArgument("number", "1"),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := strconv.Atoi(args[0])
			if err != nil || number < 1 {
				return &usageError{cmd.CommandPath() + ": " + args[0] + " is no number of an index", "lspine index list shows the numbers"}
			}
			return run(cmd.Context(), n, api.Indexes, api.IndexesRequest{Remove: number, Limits: n.limits()})
		},
	})
}

// oneArgument returns the check that there is one argument.
func oneArgument(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return &usageError{cmd.CommandPath() + ": name one " + what, "for example " + cmd.CommandPath() + " " + example}
		}
		return nil
	}
}
