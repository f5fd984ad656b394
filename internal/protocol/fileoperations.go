package protocol

import "encoding/json"

// The requests and notifications about files (LSP, fileOperations).
const (
	WillRenameFiles = "workspace/willRenameFiles"
	DidRenameFiles  = "workspace/didRenameFiles"
)

// fileOperations are the members of workspace.fileOperations, by method.
var fileOperations = map[string]string{
	"workspace/willCreateFiles": "willCreate", "workspace/didCreateFiles": "didCreate",
	WillRenameFiles: "willRename", DidRenameFiles: "didRename",
	"workspace/willDeleteFiles": "willDelete", "workspace/didDeleteFiles": "didDelete",
}

// fileOperation returns what the server declared statically for a method about
// files.
func (c *Capabilities) fileOperation(method string) json.RawMessage {
	var w struct {
		FileOperations map[string]json.RawMessage `json:"fileOperations"`
	}
	if json.Unmarshal(c.providers["workspace"], &w) != nil {
		return nil
	}
	return w.FileOperations[fileOperations[method]]
}

// FileGlobs returns the globs on paths that a server declared a method about
// files for, or about folders; ok is false if it named none that can be read, which is meant for
// all files.
func FileGlobs(options json.RawMessage, folders bool) (globs []string, ok bool) {
	others := "folder"
	if folders {
		others = "file"
	}
	var w struct {
		Filters []json.RawMessage `json:"filters"`
	}
	if json.Unmarshal(options, &w) != nil {
		return nil, false
	}
	for _, raw := range w.Filters {
		var filter struct {
			Pattern struct {
				Glob    string `json:"glob"`
				Matches string `json:"matches"`
			} `json:"pattern"`
		}
		if json.Unmarshal(raw, &filter) == nil && filter.Pattern.Glob != "" && filter.Pattern.Matches != others {
			globs = append(globs, filter.Pattern.Glob)
		}
	}
	return globs, len(globs) > 0 || len(w.Filters) > 0
}
