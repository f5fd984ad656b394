package api

// Writing says how an operation that changes files goes about it.
type Writing struct {
	Mode       string   `json:"mode,omitempty" jsonschema:"apply (default), preview: write nothing, or apply_if_clean: write only what breaks nothing"`
	Severities []string `json:"severities,omitempty" jsonschema:"error, warning, info, hint; default: as configured"`
	Limits
}

// The modes of a Writing; "" is Apply.
const (
	Apply        = "apply"
	Preview      = "preview"
	ApplyIfClean = "apply_if_clean"
)
