package editing

import (
	"testing"

	"github.com/lspine/lspine/internal/protocol"
)

// FormattingOptions are derived from the file's own indentation.
func TestIndentationOfAFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]protocol.FormattingOptions{
		"a\n  b\n  c\n":                    {TabSize: 2, InsertSpaces: true},
		"a\n  b\na\n    b\n":               {TabSize: 4, InsertSpaces: true},
		"\ta\n  b\n":                       {TabSize: 2, InsertSpaces: true},
		"a\n b\n  c\n":                     {TabSize: 4, InsertSpaces: true},
		"a\n        b\na\n   b\na\n   b\n": {TabSize: 3, InsertSpaces: true},
		"":                                 {TabSize: 4, InsertSpaces: true},
		"a\nb\n":                           {TabSize: 4, InsertSpaces: true},
		"a\n\tb\n\t\tc\n  d\n":             {TabSize: 4},
		"a\n  b\n    c\n  d\n\te\n":        {TabSize: 2, InsertSpaces: true},
		"a\n    b\n        c\n":            {TabSize: 4, InsertSpaces: true},
		"a\n        b\n":                   {TabSize: 8, InsertSpaces: true},
		"/**\n * x\n */\na\n   b\n\n \n":   {TabSize: 3, InsertSpaces: true},
		"a(b,\n      c)\nd\n  e\nf\n  g\n": {TabSize: 2, InsertSpaces: true},
	} {
		want.TrimTrailingWhitespace, want.InsertFinalNewline, want.TrimFinalNewlines = true, true, true
		if got := formatting([]byte(text)); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
