package registry

// A Readiness is a notification by which a server says whether it is ready.
type Readiness struct {
	Method string
	// Member of the parameters says that it is, when it has this JSON value.
	Member, Value string
	// Lasts says that a ready server stays so, whatever else it says; else every
	// such notification says it anew.
	Lasts bool
	// Trouble is a regular expression for the member "message" of a server whose
	// diagnostics cannot be trusted as it is. Empty: there is none. It stays so until the
	// server says otherwise or, where readiness lasts, as long as the server runs.
	Trouble string
}
