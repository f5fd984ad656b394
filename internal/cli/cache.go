package cli

import (
	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

func newCache(streams *Streams, g *global) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Export or import the answers of refs that are kept",
		Long: "lspine keeps the answers of refs in your cache folder, and gives one again,\n" +
			"without asking a server, while nothing has changed that could change it.\n" +
			"\"referenceCache\": \"off\" in the configuration turns this off. What is kept can be\n" +
			"written into a file, for other checkouts of the same repository.",
		Example: "  lspine cache export refs.db.gz\n  lspine cache import refs.db.gz",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newCacheExchange(streams, g, api.ExportCache, "Write the answers that are kept into a file",
			"export writes the answers that are kept for the workspace into a file in it, which\nimport reads."),
		newCacheExchange(streams, g, api.ImportCache, "Take over answers from a file that export wrote",
			"import takes over the answers in a file that export wrote: those that hold for the\ntexts of the workspace, the version of the server and the set-up. It says how many\n"+
				"it left out. Answers from such a file are only as good as whoever wrote it; they\nsay where they come from, and no edit and no judgement uses them."),
	)
	return cmd
}

// newCacheExchange returns the command for an operation on a file.
func newCacheExchange(streams *Streams, g *global, op api.Op[api.CacheRequest, result.Done], short, long string) *cobra.Command {
	n := &navigation{global: g, streams: streams}
	name := map[string]string{api.ExportCache.Name: "export", api.ImportCache.Name: "import"}[op.Name]
	cmd := &cobra.Command{
		Use:     name + " FILE|ADDRESS",
		Short:   short,
		Long:    long + "\n\n" + storeHelp,
		Example: "  lspine cache " + name + " refs.db.gz\n  lspine cache " + name + " oci:ghcr.io/acme/shop-cache:main",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{cmd.CommandPath() + ": name one file", "for example " + cmd.CommandPath() + " refs.db.gz"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			request := func(file string) api.CacheRequest { return api.CacheRequest{File: file, Limits: n.limits()} }
			if op.Name == api.ExportCache.Name {
				return exportTo(cmd.Context(), n, op, args[0], "application/gzip", request)
			}
			return importFrom(cmd.Context(), n, op, args[0], request)
		},
	}
	return n.register(cmd)
}
