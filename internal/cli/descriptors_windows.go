package cli

import (
	"context"
	"errors"
	"io"
)

// A navigationChannel stands for the file descriptors 3 and 4, which Windows does not have.
type navigationChannel struct{ err error }

func openNavigation(*Streams) *navigationChannel {
	return &navigationChannel{errors.New("there are no descriptors on Windows")}
}

// Close does nothing.
func (n *navigationChannel) Close() {}

// Await says why there is no channel.
func (n *navigationChannel) Await(context.Context) (io.ReadCloser, io.WriteCloser, error) {
	return nil, nil, n.err
}

func pollable[T any](stream T) T { return stream }
