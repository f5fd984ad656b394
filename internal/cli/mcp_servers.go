package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// A namedServer is a server defined by the arguments of mcp, in the form of a configuration.
type namedServer struct {
	Language string   `json:"language_id"`
	Command  []string `json:"command"`
	Enabled  bool     `json:"enabled"`
}

// serversOf returns the servers defined by the arguments of mcp, as the value of "lsp" in a
// configuration, and the argument that defines them; nil if none does. The forms are LANGUAGE
// COMMAND [ARGUMENT...], one or more LANGUAGE:COMMAND[,ARGUMENT...], and a JSON file with "servers"
// at the top level.
func serversOf(streams *Streams, args []string) (given json.RawMessage, source string, err error) {
	var servers []namedServer
	switch {
	case len(args) == 0:
		return nil, "", nil
	case isPair(args[0]):
		for _, arg := range args {
			if !isPair(arg) {
				return nil, "", &usageError{fmt.Sprintf("%q is no LANGUAGE:COMMAND", arg), "flags of mcp come before the servers: lspine mcp --profile full go:gopls"}
			}
			language, command, _ := strings.Cut(arg, ":")
			servers = append(servers, namedServer{language, strings.Split(command, ","), true})
		}
	case len(args) == 1:
		path := args[0]
		if !filepath.IsAbs(path) {
			path = filepath.Join(streams.Dir, path)
		}
		text, err := fspath.Read(path)
		if err != nil {
			var broken *fs.PathError
			if errors.As(err, &broken) {
				err = broken.Err
			}
			return nil, "", &usageError{fmt.Sprintf("%s cannot be read: %v", args[0], err), "mcp takes LANGUAGE COMMAND, LANGUAGE:COMMAND, or a file with \"servers\" at its top"}
		}
		return text, path, nil
	default:
		servers = []namedServer{{args[0], slices.Clone(args[1:]), true}}
	}
	text, err := json.Marshal(struct {
		Servers []namedServer `json:"servers"`
	}{servers})
	return text, "the arguments of mcp", err
}
