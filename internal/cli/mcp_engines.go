package cli

import (
	"cmp"
	"context"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
)

// engines are the backends of an MCP server, by root. Each is opened at its first call, and again when the user has
// said of its checkout that it is trusted, or is no longer: a session is longer than that.
type engines struct {
	flags   *global
	streams *Streams
	working func() // called before an engine is opened in this process

	mu   sync.Mutex
	open map[string]*opened
}

// An opened is a backend, or the error from opening it. After an error the next call tries again,
// because the configuration may have been corrected.
type opened struct {
	mu      sync.Mutex
	backend *backend
	// former are those whose place it took; calls of them may be in progress, and their servers end when nobody asks.
	former []*backend
	// trusted is what the configuration said of trust when the backend was opened, and said is the file that has it, as it was.
	trusted bool
	said    os.FileInfo
}

// Engine implements [mcpserver.Engines].
func (s *engines) Engine(ctx context.Context, root string) (api.Caller, error) {
	s.mu.Lock()
	o := s.open[root]
	if o == nil {
		o = &opened{}
		s.open[root] = o
	}
	s.mu.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	said, _ := os.Stat(config.TrustFile(s.streams.Environ)) // nil: nothing was said
	if o.backend != nil && sameFile(o.said, said) {
		return o.backend, nil
	}
	cfg, problems, err := s.flags.loadConfig(s.streams, root)
	if err != nil {
		return nil, err
	}
	if o.backend != nil && o.trusted == cfg.Trust.Given {
		o.said = said
		return o.backend, nil
	}
	next, err := s.flags.open(ctx, s.streams, root, cfg, problems, purpose{name: "mcp", stays: true, alone: s.flags.given != nil, working: s.working})
	if err != nil {
		return nil, err
	}
	if o.backend != nil {
		o.former = append(o.former, o.backend)
	}
	o.backend, o.trusted, o.said = next, cfg.Trust.Given, said
	return o.backend, nil
}

// EndSession implements [mcpserver.SessionEnder].
func (s *engines) EndSession(name string) {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.open))
	s.mu.Unlock()
	for _, o := range all {
		o.mu.Lock()
		for _, b := range append(slices.Clone(o.former), o.backend) {
			if b != nil && b.endSession != nil {
				b.endSession(name)
			}
		}
		o.mu.Unlock()
	}
}

// sameFile reports whether a file has not been written since it was looked at; nil is none.
func sameFile(before, now os.FileInfo) bool {
	if before == nil || now == nil {
		return before == nil && now == nil
	}
	return os.SameFile(before, now) && before.ModTime().Equal(now.ModTime()) && before.Size() == now.Size()
}

// settings returns the settings of a root, or of the checkout that contains the current folder if
// root is "": tools are listed before a client has named a workspace.
func (s *engines) settings(root string) (config.Settings, error) {
	if root == "" {
		var err error
		if root, err = s.flags.resolveRoot(s.streams); err != nil {
			return config.Settings{}, err
		}
	}
	silent := *s.streams
	silent.Err = io.Discard // reported when the engine is opened
	cfg, _, err := s.flags.loadConfig(&silent, root)
	if err != nil {
		return config.Settings{}, err
	}
	return cfg.Settings, nil
}

// close closes all backends concurrently.
func (s *engines) close(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ending sync.WaitGroup
	errs := make(chan error, len(s.open))
	for _, o := range s.open {
		ending.Go(func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			for _, b := range o.former {
				errs <- b.closeSoon(ctx)
			}
			if o.backend != nil {
				errs <- o.backend.closeSoon(ctx)
			}
		})
	}
	go func() {
		ending.Wait()
		close(errs)
	}()
	var all error
	for err := range errs {
		all = cmp.Or(all, err)
	}
	return all
}
