package simulation_test

import (
	"testing"

	"github.com/lspine/lspine/internal/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }
