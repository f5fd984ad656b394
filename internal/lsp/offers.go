package lsp

import (
	"encoding/json"
	"slices"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Supports reports whether the server declared a request, statically or by a
// registration of it or of its family: that of prepareCallHierarchy declares
// callHierarchy/incomingCalls, for one.
func (s *Server) Supports(method string) bool {
	return s.capabilities().Supports(method) || slices.ContainsFunc(s.offered.all(), func(r protocol.Registration) bool {
		return r.Offers(method)
	}) || method == protocol.WillRenameFiles && s.def.Has(registry.AnswersMoves)
}

// Offered returns the methods that the server declared, statically or by registration, sorted,
// each once. Methods of text synchronisation are listed only if they were registered.
func (s *Server) Offered() []string { return s.capabilities().Offered(s.offered.all()) }

// CapabilitiesJSON returns the capabilities member of the server's answer to
// initialize, as it came; nil if there was none.
func (s *Server) CapabilitiesJSON() json.RawMessage { return s.capabilities().JSON() }

// options returns what the server declared a request with: the static options
// before those of a registration, nil for none.
func (s *Server) options(method string) json.RawMessage {
	if options, ok := s.capabilities().Options(method); ok {
		return options
	}
	for _, r := range s.offered.all() {
		if r.Offers(method) {
			return r.Options
		}
	}
	return nil
}

// SupportsCommand reports whether the server declared a command of
// workspace/executeCommand.
func (s *Server) SupportsCommand(command string) bool { return slices.Contains(s.Commands(), command) }

// Commands returns the commands that the server declared, statically or by a
// registration, sorted, each once.
func (s *Server) Commands() []string {
	commands := slices.Clone(s.capabilities().Commands())
	list, _ := s.offered.of("workspace/executeCommand")
	for _, r := range list {
		commands = append(commands, r.Commands()...)
	}
	slices.Sort(commands)
	return slices.Compact(commands)
}

// PullIdentifiers returns the identifiers under which the server offers
// textDocument/diagnostic, statically or registered, each once; "" is one.
// Empty means that it offers no pull; more is closed when that may change.
func (s *Server) PullIdentifiers() (identifiers []string, more <-chan struct{}) {
	if identifier, ok := s.capabilities().PullIdentifier(); ok {
		identifiers = append(identifiers, identifier)
	}
	list, more := s.offered.of("textDocument/diagnostic")
	for _, r := range list {
		if identifier := protocol.DecodeIdentifier(r.Options); !slices.Contains(identifiers, identifier) {
			identifiers = append(identifiers, identifier)
		}
	}
	return identifiers, more
}
