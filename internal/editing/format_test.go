package editing

import (
	"testing"

	"github.com/lspine/lspine/internal/protocol"
)

// FormattingOptions are derived from the file's own indentation.
func TestIndentationOfAFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]protocol.FormattingOptions{
		"":                                 {TabSize: 4, InsertSpaces: true},
		"a\nb\n":                           {TabSize: 4, InsertSpaces: true},
		"a\n\tb\n\t\tc\n  d\n":             {TabSize: 4},
		"a\n  b\n    c\n  d\n\te\n":        {TabSize: 2, InsertSpaces: true},
		"a\n    b\n        c\n":            {TabSize: 4, InsertSpaces: true},
		"a\n        b\n":                   {TabSize: 8, InsertSpaces: true},
		"/**\n * x\n */\na\n   b\n\n \n":   {TabSize: 3, InsertSpaces: true},
		"a(b,\n      c)\nd\n  e\nf\n  g\n": {TabSize: 2, InsertSpaces: true},
	} {
		got := formatting([]byte(text))
		if got.TabSize != want.TabSize || got.InsertSpaces != want.InsertSpaces || !got.TrimTrailingWhitespace {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
