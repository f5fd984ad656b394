package restate

import (
	"bytes"
	"strings"

	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Places groups places by file; they are in the order of files already, or few. With lines,
// each has the text of the line that it begins in.
func Places(n workspace.Names, q *symbols.Inquiry, symbol, what string, places []symbols.Place, lines bool) result.Places {
	answer := result.Places{Symbol: symbol, What: what, Total: len(places), Files: []result.PlaceFile{}}
	var texts [][]byte
	if lines {
		texts = q.Lines(places)
	}
	for i, p := range places {
		last := len(answer.Files) - 1
		if i == 0 || places[i-1].Path != p.Path {
			if path := n.Relative(p.Path); last < 0 || answer.Files[last].Path != path {
				answer.Files = append(answer.Files, result.PlaceFile{Path: path})
				last++
			}
		}
		f := &answer.Files[last]
		f.Count++
		place := place(p)
		if lines {
			place.Text = shown(texts[i])
		}
		f.Places = append(f.Places, place)
	}
	answer.FileCount = len(answer.Files)
	return answer
}

func place(p symbols.Place) result.Place {
	return result.Place{Line: p.Range.Start.Line + 1, Column: p.Range.Start.Character + 1}
}

// maxLine bounds the text of a line in an answer, in bytes.
const maxLine = 160

// LineOf returns the line that a place begins in, as it is shown.
func LineOf(q *symbols.Inquiry, p symbols.Place) string {
	return shown(q.Lines([]symbols.Place{p})[0])
}

// shown returns a line trimmed, and cut if it is too long.
func shown(text []byte) string {
	line := string(bytes.TrimSpace(text))
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	return line
}

// Source restates the lines of a declaration.
func Source(n workspace.Names, src symbols.Source) *result.Source {
	s := &result.Source{
		Path: n.Relative(src.Path), Line: uint32(src.First + 1), EndLine: uint32(src.Last + 1),
		Code: strings.Join(src.Lines, "\n"),
	}
	if src.Symbol != nil {
		s.Symbol, s.Kind = strings.Join(src.Symbol.Path, "."), src.Symbol.Kind
	}
	return s
}
