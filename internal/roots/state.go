package roots

import (
	"strings"

	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A State is the state of a server. Servers start when they are first needed.
type State string

const (
	Stopped     State = "stopped"
	Starting    State = "starting"
	Active      State = "active"
	Broken      State = "broken"
	Disabled    State = "disabled"
	Unavailable State = "unavailable"
	Untrusted   State = "untrusted"
)

// disabled says why a server that is switched off is not available.
func disabled(d *registry.Definition) *UnavailableError {
	reason := "disabled by configuration"
	if d.DisabledBy != "" {
		reason = "not started: " + d.DisabledBy
	}
	return &UnavailableError{d.ID, Disabled, reason, nil}
}

// A Key names one running server of a workspace.
type Key struct {
	ID, Root string
}

// An UnavailableError says why a server cannot be had.
type UnavailableError struct {
	ID string
	// State is Unavailable, Untrusted, Disabled or Broken.
	State  State
	Reason string
	// Install are commands that would help, for people.
	Install []string
}

func (e *UnavailableError) Error() string { return e.ID + ": " + e.Reason }

// Hint says what to do.
func (e *UnavailableError) Hint() string {
	if e.State == Untrusted {
		return toTrust
	}
	if len(e.Install) == 0 {
		return ""
	}
	return "install it: " + strings.Join(e.Install, "   or   ")
}

// Kind returns result.Unavailable.
func (*UnavailableError) Kind() result.Kind { return result.Unavailable }

// Data says which server it is, and what would install it.
func (e *UnavailableError) Data() result.Data {
	return result.Data{Server: e.ID, Reason: e.Reason, Install: e.Install}
}

// toTrust is what to do where a checkout is not trusted.
const toTrust = "lspine trust shows what this would run, and allows it"
