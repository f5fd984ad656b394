package cli

import (
	"reflect"
	"strings"

	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// flagsOfArguments are the flags of the command line for the arguments that results name, with the words
// around them: files may be called like an argument.
var flagsOfArguments = strings.NewReplacer(
	"raise max_bytes", "raise --max-bytes", "max_bytes allows", "--max-bytes allows", "raise budget_bytes", "raise --budget", "(all_errors lists", "(--all-errors lists",
)

// textOf returns the text of a result for people.
func textOf(of result.Result) string {
	if cut := reflect.ValueOf(of).Elem().FieldByName("Cut"); cut.IsValid() && cut.Kind() == reflect.String {
		cut.SetString(flagsOfArguments.Replace(cut.String()))
	}
	switch r := of.(type) {
	case *result.Places:
		return render.Lines(r)
	case *result.Context: // a blank line before each item
		for i := range r.Items[min(1, len(r.Items)):] {
			r.Items[i+1].Text = "\n" + r.Items[i+1].Text
		}
	case *result.Edit, *result.Simulation, *result.Fixes:
		return render.Plain(render.Brief(r))
	}
	return render.Brief(of)
}
