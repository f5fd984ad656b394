package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/fspath"
)

// spelledOut returns the arguments of a command line with the command mcp, where they name none and are those that
// agent-lsp takes: LANGUAGE COMMAND, LANGUAGE:COMMAND, --config FILE with "servers" at the top of the file or, if a program
// writes to our standard input, nothing at all.
func spelledOut(args []string, streams *Streams) []string {
	switch {
	case len(args) == 0:
		if streams.InPiped {
			return []string{"mcp"}
		}
	case len(args) == 2 && args[0] == "--config" && listsServers(streams, args[1]):
		return []string{"mcp", args[1]}
	case len(args) == 1 && strings.HasPrefix(args[0], "--config=") && listsServers(streams, args[0][len("--config="):]):
		return []string{"mcp", args[0][len("--config="):]}
	case makers()[args[0]] == nil && !strings.HasPrefix(args[0], "-") && (isPair(args[0]) || len(args) > 1 && config.IsLanguage(args[0])):
		return append([]string{"mcp"}, args...)
	}
	return args
}

// isPair reports whether an argument is LANGUAGE:COMMAND.
func isPair(arg string) bool {
	language, command, found := strings.Cut(arg, ":")
	return found && len(language) > 1 && command != "" // C: is a drive
}

// listsServers reports whether a file has a list of servers at its top.
func listsServers(streams *Streams, path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(streams.Dir, path)
	}
	var file struct {
		Servers []json.RawMessage `json:"servers"`
	}
	text, err := fspath.Read(path)
	return err == nil && json.Unmarshal(text, &file) == nil && len(file.Servers) > 0
}

// isPiped reports whether another program writes to a file.
func isPiped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}
