package daemon

import (
	"context"
	"os"
)

func startDetached(context.Context, place, *Options, Key) error { return errNotHere }

// Detach returns nil: there is no daemon on this system yet.
func Detach() *os.File { return nil }
