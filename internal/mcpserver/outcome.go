package mcpserver

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A failure is the structured result of a call that failed.
type failure struct {
	Error result.Error `json:"error"`
}

// fail returns the result of a call that failed.
func fail(err error, textSearch string) *mcp.CallToolResult {
	f := *result.ErrorOf(err)
	f.Message, f.Hint = render.Shortened(legible.Hanging(f.Message), "", render.DefaultBytes), legible.Hanging(f.Hint)
	f.Data = result.Data{}
	if textSearch != "" && (f.Kind == result.Unsupported || f.Kind == result.Unavailable) {
		f.Hint, _, _ = strings.Cut(f.Hint, "; as text:") // our hint already includes the name
		f.Hint = strings.TrimPrefix(f.Hint+"\nas text: "+textSearch, "\n")
	}
	return &mcp.CallToolResult{IsError: true, Content: textOf(&f), StructuredContent: failure{f}}
}

// textOf returns what a model reads of an error whose texts are legible.
func textOf(err *result.Error) []mcp.Content {
	return []mcp.Content{&mcp.TextContent{Text: strings.TrimSuffix(err.Message+"\n"+err.Hint, "\n")}}
}

// legibly makes the texts of an answer [legible]: the last thing that is done to them.
func legibly(answer *mcp.CallToolResult) *mcp.CallToolResult {
	for _, content := range answer.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			text.Text = shownText(text.Text)
		}
	}
	return answer
}

// shownText returns a text as a model reads it, whether it is JSON or prose. Tags stay: those of
// strangers are broken where they enter.
func shownText(text string) string {
	if strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
		return string(legible.JSON([]byte(text)))
	}
	return legible.Visible(text)
}

// worded replaces operations with tools of the profile in the hint of a failure.
func (s *Server) worded(result *mcp.CallToolResult) *mcp.CallToolResult {
	if len(result.Content) == 0 { // a question to the user
		return result
	}
	f, ok := result.StructuredContent.(failure)
	if said, all := s.outsideFirst(result); all {
		return said
	}
	if !result.IsError || !ok || f.Error.Hint == "" {
		return result
	}
	f.Error.Hint = s.inWords(f.Error.Hint)
	result.StructuredContent = f
	result.Content = textOf(&f.Error)
	return result
}

// follow replaces operations with tools of the profile in the next step that an answer suggests. In
// the full profile, hints do that.
func (s *Server) follow(replies []result.Result) {
	for _, reply := range replies {
		s.tellGivenUp(reply)
		headed, ok := reply.(interface{ Heading() *result.Head })
		if !ok {
			continue
		}
		head := headed.Heading()
		if head.Next = s.inWords(head.Next); s.opts.Profile == profileFull {
			head.Next = ""
		}
		for i := range head.Notes {
			head.Notes[i] = s.inWords(head.Notes[i])
		}
	}
}

// textSearch returns a command that searches the text for the symbol of a call, "" if the call
// names none.
func textSearch(root string, args arguments) string {
	name := plainName(root, args)
	if name == "" {
		return ""
	}
	return fmt.Sprintf("grep -rnw %q .", name)
}

// plainName returns the last name of the symbol of a call, "" if it has none that can be searched
// for.
func plainName(root string, args arguments) string {
	name := symbolNamed(root, args)
	if i := strings.LastIndexAny(name, "./#"); i >= 0 {
		name = name[i+1:]
	}
	name, _, _ = strings.Cut(name, "[") // cut off the index of an overload
	if strings.ContainsFunc(name, func(r rune) bool { return !inName(r) }) {
		return ""
	}
	return name
}

func inName(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// symbolNamed returns the name of the symbol that an operation is about: from the arguments, or
// from the file at the position given in them.
func symbolNamed(root string, args arguments) string {
	var at, file, name string
	var line, column int
	// A missing argument, or one of another type, yields no name.
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

// wordAt returns the name at or before a position in a file, "" if there is none. It takes the
// column as a number of characters, which is good enough for a hint.
func wordAt(file string, line, column int) string {
	text, err := fspath.Read(file)
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

// tellGivenUp tells the person who runs the client, not the model alone, that the model does not mend the errors that it makes: in
// the log, which clients that hear messages show.
func (s *Server) tellGivenUp(reply result.Result) {
	rounds := 0
	switch r := reply.(type) {
	case *result.Edit:
		if r.Escalate {
			rounds = r.Rounds
		}
	case *result.ClosedTurn:
		if r.Outcome == result.TurnEscalate {
			rounds = r.Round
		}
	}
	if rounds > 0 {
		s.log.Warn("errors were shown to the model again and again, and are still there: a person should decide", "rounds", rounds)
	}
}
