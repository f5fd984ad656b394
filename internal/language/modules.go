package language

import (
	"path/filepath"
	"slices"
	"strings"
)

// IndexName is the name, without its ending, of the script that stands for its folder.
const IndexName = "index"

// PythonGlobals is the name of a file that declares names for all files of a Python project.
const PythonGlobals = "__builtins__.pyi"

// declarationEndings are those of files that hold the types of a script, and no code.
var declarationEndings = []string{".d.ts", ".d.mts", ".d.cts"}

// ModuleEndings are what scripts may leave out of the name of a file that they import; what ends
// with another one comes first.
var ModuleEndings = slices.Concat(declarationEndings, []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"})

// ResolvedEndings are those that a resolver of scripts tries, in its order.
var ResolvedEndings = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json"}

// IsDeclaration reports whether a file holds the types of a script, and no code.
func IsDeclaration(file string) bool {
	base := filepath.Base(file)
	return slices.ContainsFunc(declarationEndings, func(ending string) bool { return strings.HasSuffix(base, ending) })
}

// NodeModules are the modules of Node that are mostly imported without their prefix "node:".
var NodeModules = []string{
	"assert", "buffer", "child_process", "crypto", "events", "fs", "fs/promises", "http", "https", "module", "net", "os", "path", "perf_hooks", "process",
	"querystring", "readline", "stream", "timers", "tls", "url", "util", "v8", "vm", "worker_threads", "zlib",
}

// GoStandard are the first words of the import paths of Go's standard library.
var GoStandard = []string{
	"archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database", "debug", "embed", "encoding", "errors", "expvar",
	"flag", "fmt", "go", "hash", "html", "image", "io", "iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime",
	"slices", "sort", "strconv", "strings", "sync", "syscall", "testing", "text", "time", "unicode", "unique", "unsafe", "weak",
}
