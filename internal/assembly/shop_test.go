package assembly_test

import (
	"testing"

	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

// A shop is an engine over files of a test.
type shop struct{ *enginetest.Shop }

func openShop(t *testing.T, script lsptest.Script, archive string) *shop {
	t.Helper()
	return &shop{enginetest.OpenToy(t, script, archive)}
}

func openReal(t *testing.T, archive string, ids ...string) *shop {
	t.Helper()
	return &shop{enginetest.OpenReal(t, archive, ids...)}
}
