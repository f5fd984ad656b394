package checking

import (
	"cmp"
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
)

// Diagnostics returns the diagnostics that are known of the workspace. Only named files are
// checked again first.
func (ch *Checker) Diagnostics(ctx context.Context, req api.DiagnosticsRequest) (result.Check, error) {
	if len(req.Files) > 0 {
		return ch.Check(ctx, api.CheckRequest{
			Files: req.Files, Severities: req.Severities, TimeoutMS: req.TimeoutMS, MaxBytes: req.MaxBytes, Baseline: "none",
		})
	}
	severities, err := ch.severitiesOf(req.Severities)
	if err != nil {
		return result.Check{}, err
	}
	if req.AfterEpoch > 0 {
		waiting, cancel := context.WithTimeout(ctx, cmp.Or(api.Milliseconds(req.TimeoutMS), ch.opts.Config.Settings.DiagnosticTimeout))
		defer cancel()
		ch.collector.AwaitEpoch(waiting, req.AfterEpoch)
	}
	if req.Refresh {
		if err := ch.refresh(ctx, severities); err != nil {
			return result.Check{}, err
		}
	}
	result := result.Check{Root: ch.workspace.Root(), Files: []result.File{}, Epoch: ch.collector.Epoch()}
	judgement := diagnostics.Judgement{Reached: len(ch.workspace.Running()) > 0} // else nobody said anything yet
	for _, r := range ch.collector.Known(severities) {
		result.Files = append(result.Files, restate.File(ch.names, &r, func(string) *protocol.Mapper { return nil }))
		judgement = judgement.And(r.Judgement)
	}
	result.Verdict = string(judgement.Verdict())
	return result, nil
}

// refresh asks the servers about every file with known diagnostics as it is now: what others
// changed since is no longer true. Those that do not answer in time keep what is known.
func (ch *Checker) refresh(ctx context.Context, severities []protocol.Severity) error {
	var files []string
	for _, r := range ch.collector.Known(severities) {
		files = append(files, r.Path)
	}
	if len(files) == 0 {
		return nil
	}
	_, err := ch.Check(ctx, api.CheckRequest{Files: files, Scope: "file", Baseline: api.BaselineNone, MaxBytes: -1})
	return err
}
