// Package same tests that answers follow from texts, and not from what was asked or done before.
package same

import (
	"testing"

	"github.com/lspine/lspine/internal/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }
