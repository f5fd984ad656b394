package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// A client is an [api.Caller] whose calls identify their front to the rules of the policy.
type client struct {
	api.Caller
	name string
}

// Call implements [api.Caller].
func (c client) Call(ctx context.Context, name string, req, res any) error {
	with := api.CallOf(ctx)
	with.Client = cmp.Or(with.Client, c.name)
	return c.Caller.Call(with.In(ctx), name, req, res)
}

// asking returns an [api.Caller] whose calls identify their front and, on a terminal, ask the user
// when the policy requires it.
func (p *purpose) asking(streams *Streams, caller api.Caller) api.Caller {
	switch p.name {
	case "mcp", "hook":
		return client{caller, p.name}
	}
	caller = client{caller, "cli"}
	if !streams.InTerminal || !streams.ErrTerminal {
		return caller
	}
	return api.Asking{Caller: caller, Ask: func(ctx context.Context, q result.Question) (api.Said, error) {
		return askPerson(ctx, streams, p.name, q)
	}}
}

// askPerson asks on the terminal. If nobody answers in time, it returns api.Nothing.
func askPerson(ctx context.Context, streams *Streams, what string, q result.Question) (api.Said, error) {
	fmt.Fprint(streams.display(), "\r")
	fmt.Fprintf(streams.Err, "%s\nAllow %s? [y/N] ", legible.Model(q.Text), what)
	answer := make(chan string, 1)
	go func() { // a read from a terminal cannot be interrupted: this ends with the line, or with the process
		line, _ := bufio.NewReader(streams.In).ReadString('\n')
		answer <- line
	}()
	late := time.NewTimer(time.Duration(q.TimeoutMS) * time.Millisecond)
	defer late.Stop()
	select {
	case line := <-answer:
		if slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line))) {
			return api.Yes, nil
		}
		return api.No, nil
	case <-late.C:
		fmt.Fprintln(streams.Err)
		return api.Nothing, nil
	case <-ctx.Done():
		return api.Nothing, ctx.Err()
	}
}
