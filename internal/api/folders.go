package api

import "github.com/lspine/lspine/internal/result"

// A FoldersRequest adds or removes workspace folders; with neither it lists them.
type FoldersRequest struct {
	Add    []string `json:"add,omitempty" jsonschema:"more folders for servers to read; they may be outside the workspace if the session may use them"`
	Remove []string `json:"remove,omitempty" jsonschema:"folders to remove that were added"`
}

// WorkspaceFolders changes which folders the running servers read.
var WorkspaceFolders = Op[FoldersRequest, result.Folders]{
	Name:  "workspace_folders",
	Title: "Workspace folders",
	Doc:   "Add, remove or list the folders that the running servers read.",
	Class: Admin,
	ClassOf: func(req FoldersRequest) Class {
		if len(req.Add)+len(req.Remove) == 0 {
			return Read
		}
		return Admin
	},
}

// A CrossRepoRequest asks where other repositories use a symbol.
type CrossRepoRequest struct {
	Selector
	ConsumerRoots []string `json:"consumer_roots" jsonschema:"folders of the repositories; they may be outside the workspace if the session may use them"`
	Limits
}

// CrossRepoReferences finds the uses of a symbol in further folders.
var CrossRepoReferences = Op[CrossRepoRequest, result.CrossReferences]{
	Name:  "cross_repo_references",
	Title: "References in other repositories",
	Doc:   "List every use of a symbol in this workspace and in other folders, by folder.",
	Class: Read,
}
