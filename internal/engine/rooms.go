package engine

import "github.com/lspine/lspine/internal/overlay"

// The rooms that carry out operations, as they are for the caller of an engine.

func overlayOf(e *Engine) *overlay.View { return e.view }
