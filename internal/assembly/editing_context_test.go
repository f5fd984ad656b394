package assembly

import (
	"slices"
	"strings"
	"testing"
)

// Imports are found in one line and in blocks.
func TestImports(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		"import (", "\t\"a\"", "", "\tb \"c\"", ")", "import \"d\"", "from x import (", "  y,", ")", "import {", "  z", `} from "z";`,
		"#include <stdio.h>", "use a::b;", "important()", `const q = require("q");`, "x = 1",
	}, "\r\n")
	want := []string{
		"import (", "\t\"a\"", "\tb \"c\"", ")", "import \"d\"", "from x import (", "  y,", ")", "import {", "  z", `} from "z";`,
		"#include <stdio.h>", "use a::b;", `const q = require("q");`,
	}
	if got := imports([]byte(text)); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
