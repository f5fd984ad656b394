package cli

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/disk"
)

// again checks at once and whenever a file of the workspace has changed, until ctx ends, and prints
// the differences from the previous check. It returns ctx.Err(), or the error of the first check or
// of watching.
func (f *checkFlags) again(ctx context.Context, streams *Streams, cfg *config.Config, e *backend, files []string) error {
	bell, err := disk.NewBell(e.Root)
	if err != nil {
		return &usageError{"--watch: " + err.Error(), "lspine check without --watch looks once"}
	}
	defer bell.Close()
	last := ""
	for first := true; ; first = false {
		answer, err := f.ask(ctx, streams, cfg, e, files)
		if err != nil && (first || ctx.Err() != nil) {
			return err
		}
		var out, errs bytes.Buffer
		kept := *streams
		kept.Out, kept.Err = &out, &errs
		if err == nil {
			err = f.report(&kept, cfg, &answer, len(files) > 0)
		}
		_ = exitCode(ctx, err, &errs) // it says what is to be said
		if said := out.String() + "\x00" + errs.String(); said != last {
			last = said
			if !first {
				fmt.Fprintln(streams.Err, "lspine: "+time.Now().Format(time.TimeOnly))
			}
			if _, err := out.WriteTo(streams.Out); err != nil {
				return err
			}
			if _, err := errs.WriteTo(streams.Err); err != nil {
				return err
			}
		}
		if err := bell.Wait(ctx); err != nil {
			return err
		}
	}
}
