package api

import "github.com/lspine/lspine/internal/result"

// A CacheRequest names the artefact that answers are written into, or read from.
type CacheRequest struct {
	File string `json:"file" jsonschema:"path of the artefact, such as refs.db.gz"`
	Limits
}

// ExchangeFolder is the name of the folder, in lspine's cache folder, in which the command line puts what it fetches from stores, or an
// empty file for what it is to give to one. Operations on artefacts that it calls read and write the files that are there, as
// well as those of the workspace.
const ExchangeFolder = "exchange"

// ExportCache writes the answers that are kept about where symbols are used into a file, which others can import.
var ExportCache = Op[CacheRequest, result.Done]{
	Name:  "export_cache",
	Title: "Export reference cache",
	Doc:   "Write the kept answers about where symbols are used into a file that other checkouts can import.",
	Class: Edit,
}

// ImportCache takes over the answers in an artefact that hold for the present files and servers.
var ImportCache = Op[CacheRequest, result.Done]{
	Name:  "import_cache",
	Title: "Import reference cache",
	Doc:   "Take over the answers of an exported reference cache that hold for the present files and servers.",
	Class: Admin,
}
