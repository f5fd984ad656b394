// Package agents runs real coding agents against a model that plays a script, on the
// machine's own network alone, and looks at what their models are told by our hooks.
package agents
