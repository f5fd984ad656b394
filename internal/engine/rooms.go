package engine

import (
	"github.com/lspine/lspine/internal/assembly"
	"github.com/lspine/lspine/internal/navigation"
	"github.com/lspine/lspine/internal/overlay"
)

// The rooms that carry out operations, as they are for the caller of an engine.

func overlayOf(e *Engine) *overlay.View { return e.view }

func navigator(e *Engine) *navigation.Navigator { return navigation.New(e.names, e.view) }

func assembler(e *Engine) *assembly.Assembler { return assembly.New(e.workspace, e.names, e.view) }
