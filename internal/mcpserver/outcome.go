package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Kinds of failures. They are stable: clients decide by them.
const (
	kindArgument    = "argument"
	kindAmbiguous   = "ambiguous"
	kindNotFound    = "not_found"
	kindOutside     = "outside_workspace"
	kindUnsupported = "unsupported"
	kindUnavailable = "unavailable"
	kindNotReady    = "not_ready"
	kindTimeout     = "timeout"
	kindCrashed     = "crashed"
	kindStale       = "stale"    // a file is not what the caller saw
	kindNoMatch     = "no_match" // a text or a hunk is not in its file
	kindInUse       = "in_use"
	kindUnconfirmed = "unconfirmed"
	kindReadOnly    = "read_only"
	kindFailed      = "failed"
)

// A failure is the structured result of a call that failed.
type failure struct {
	Error failed `json:"error"`
}

type failed struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// is reports whether err, or one that it wraps, is an E.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// kindOfError returns what kind of failure an error is.
func kindOfError(err error) string {
	switch {
	case is[*engine.ArgumentError](err), is[*symbols.SelectorError](err), is[*workspace.NotDiagnosedError](err),
		is[*edit.InvalidEditError](err), is[*edit.PatchError](err), is[*edit.RangeError](err), is[*edit.OverlapError](err),
		is[*engine.UnknownCommandError](err), is[*engine.ChoiceError](err), is[*engine.LensError](err),
		is[*edit.BinaryError](err), is[*edit.TooLargeError](err), is[*edit.IsDirectoryError](err):
		return kindArgument
	case is[*symbols.AmbiguousError](err), is[*edit.AmbiguousMatchError](err):
		return kindAmbiguous
	case is[*symbols.NotFoundError](err), is[*workspace.NotFoundError](err), is[*edit.NotFoundError](err):
		return kindNotFound
	case is[*OutsideRootsError](err), is[*workspace.OutsideWorkspaceError](err), is[*edit.OutsideError](err), is[*edit.ProtectedError](err):
		return kindOutside
	case is[*engine.UnconfirmedError](err):
		return kindUnconfirmed
	case is[*edit.StaleError](err), is[*edit.ConflictError](err), is[*engine.MovedOnError](err):
		return kindStale
	case is[*edit.NoMatchError](err), is[*edit.HunkError](err):
		return kindNoMatch
	case is[*engine.InUseError](err):
		return kindInUse
	case is[*edit.ReadOnlyError](err):
		return kindReadOnly
	case is[*lsp.UnsupportedError](err), is[*engine.NoFormatterError](err):
		return kindUnsupported
	case is[*workspace.UnavailableError](err), is[*engine.NoServerError](err):
		return kindUnavailable
	case is[*symbols.NotReadyError](err):
		return kindNotReady
	case is[*symbols.TimeoutError](err), errors.Is(err, context.DeadlineExceeded):
		return kindTimeout
	case is[*lsp.ServerError](err):
		return kindCrashed
	}
	return kindFailed
}

// fail returns the result of a call that failed.
func fail(err error, textSearch string) *mcp.CallToolResult {
	f := failed{Kind: kindOfError(err), Message: render.Shortened(err.Error(), "", render.DefaultBytes)}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		f.Hint = hinted.Hint()
	}
	if textSearch != "" && (f.Kind == kindUnsupported || f.Kind == kindUnavailable) {
		f.Hint, _, _ = strings.Cut(f.Hint, "; as text:") // ours knows the name
		f.Hint = strings.TrimPrefix(f.Hint+"\nas text: "+textSearch, "\n")
	}
	text := f.Message
	if f.Hint != "" {
		text += "\n" + f.Hint
	}
	return &mcp.CallToolResult{
		IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: failure{f},
	}
}

// worded names tools of the profile in the hint of a failure.
func (s *Server) worded(result *mcp.CallToolResult) *mcp.CallToolResult {
	f, ok := result.StructuredContent.(failure)
	if !result.IsError || !ok || f.Error.Hint == "" {
		return result
	}
	f.Error.Hint = s.inWords(f.Error.Hint)
	result.StructuredContent = f
	result.Content = []mcp.Content{&mcp.TextContent{Text: strings.TrimSuffix(f.Error.Message+"\n"+f.Error.Hint, "\n")}}
	return result
}

// follow names tools of the profile in what is said to follow an answer. The full
// profile says that in hints of its own.
func (s *Server) follow(replies []result.Result) {
	for _, reply := range replies {
		headed, ok := reply.(interface{ Heading() *result.Head })
		if !ok {
			continue
		}
		head := headed.Heading()
		if head.Next = s.inWords(head.Next); s.opts.Profile == "full" {
			head.Next = ""
		}
		for i := range head.Notes {
			head.Notes[i] = s.inWords(head.Notes[i])
		}
	}
}

// textSearch returns the command that finds the symbol of a call as text, or ""
// if the call names none.
func textSearch(root string, args arguments) string {
	name := symbolNamed(root, args)
	if i := strings.LastIndexAny(name, "./#"); i >= 0 {
		name = name[i+1:]
	}
	name, _, _ = strings.Cut(name, "[") // the index of an overload
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !inName(r) }) {
		return ""
	}
	return fmt.Sprintf("grep -rnw %q .", name)
}

func inName(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// symbolNamed returns the name in the arguments of an operation: as it is said
// there, or as it stands in the file at the place.
func symbolNamed(root string, args arguments) string {
	var at, file, name string
	var line, column int
	// What is not there, or of another type, gives no name.
	_ = json.Unmarshal(args["at"], &at)
	_ = json.Unmarshal(args["file"], &file)
	_ = json.Unmarshal(args["line"], &line)
	_ = json.Unmarshal(args["column"], &column)
	for _, key := range []string{"symbol", "query"} {
		if json.Unmarshal(args[key], &name) == nil && name != "" {
			return name
		}
	}
	if _, after, ok := strings.Cut(at, " "); ok {
		return after
	}
	if at != "" {
		file = fileOf(at)
		numbers := strings.Split(strings.TrimPrefix(strings.TrimPrefix(at, file), ":"), ":")
		if len(numbers) != 2 {
			return at
		}
		line, _ = strconv.Atoi(numbers[0])
		column, _ = strconv.Atoi(numbers[1])
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(root, file)
	}
	return wordAt(file, line, column)
}

// wordAt returns the name at or before a place in a file, or "". The column is
// taken for one of characters: it is only about a hint.
func wordAt(file string, line, column int) string {
	text, err := os.ReadFile(file)
	if err != nil || line < 1 || column < 1 || !utf8.Valid(text) {
		return ""
	}
	lines := strings.Split(string(text), "\n")
	if line > len(lines) {
		return ""
	}
	runes := []rune(lines[line-1])
	begin := min(column-1, len(runes))
	for begin > 0 && inName(runes[begin-1]) {
		begin--
	}
	end := begin
	for end < len(runes) && inName(runes[end]) {
		end++
	}
	return string(runes[begin:end])
}
