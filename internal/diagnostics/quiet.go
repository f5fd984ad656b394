package diagnostics

import (
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
)

// hush makes an answer partial if why is not "", which is the reason: whatever the server reports
// about the file, or that it refuses to, means nothing.
func (a *Answer) hush(why string) {
	var refused *jsonrpc.ResponseError
	if why == "" || a.Freshness != Fresh && a.Freshness != Partial && !errors.As(a.Err, &refused) {
		return
	}
	a.Freshness, a.Reason, a.Err, a.quiet = Partial, why, nil, true
	a.Items, a.Excused, a.prior.items, a.Lack = nil, nil, nil, Lack{}
}

// hidden returns the codes of errors that keep the server from finding others, with the reason for
// each.
func (s *stream) hidden() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hides
}

// shadow makes an answer partial if it has a new error that keeps the server from finding what is
// wrong with other files. why gives the reason by code.
func (a *Answer) shadow(why map[string]string) {
	if len(why) == 0 || a.Freshness != Fresh {
		return
	}
	for _, d := range a.Items {
		before := slices.ContainsFunc(a.prior.items, func(old protocol.Diagnostic) bool { return old.Code == d.Code })
		if reason, hides := why[d.Code]; hides && !before {
			a.Freshness, a.Reason, a.done = Partial, reason, true
		}
	}
}
