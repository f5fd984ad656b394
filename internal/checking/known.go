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

// Diagnostics returns the known diagnostics of the workspace. If the request names files, they are
// checked first, and only their diagnostics are returned.
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
	judgement := diagnostics.Judgement{Reached: len(ch.workspace.Running()) > 0} // otherwise nothing has been reported yet
	for _, r := range ch.collector.Known(severities) {
		result.Files = append(result.Files, restate.File(ch.names, &r, func(string) *protocol.Mapper { return nil }))
		judgement = judgement.And(r.Judgement)
	}
	result.Unknown = ch.collector.Unkept()
	judgement.Lacking = judgement.Lacking || len(result.Unknown) > 0
	result.Verdict = string(judgement.Verdict())
	return result, nil
}

// refresh checks every file with known diagnostics as it is now, because others may have changed it
// since. If a server does not answer in time, what is known stays.
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
