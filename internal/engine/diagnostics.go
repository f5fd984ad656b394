package engine

import (
	"cmp"
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
)

var doDiagnostics = bind(api.Diagnostics, func(ctx context.Context, e *Engine, req api.DiagnosticsRequest) (result.Check, error) {
	if len(req.Files) > 0 {
		return checkFiles(ctx, e, api.CheckRequest{
			Files: req.Files, Severities: req.Severities, TimeoutMS: req.TimeoutMS, MaxBytes: req.MaxBytes, Baseline: "none",
		})
	}
	severities, err := e.severities(req.Severities)
	if err != nil {
		return result.Check{}, err
	}
	if req.AfterEpoch > 0 {
		waiting, cancel := context.WithTimeout(ctx, cmp.Or(api.Milliseconds(req.TimeoutMS), e.opts.Config.Settings.DiagnosticTimeout))
		defer cancel()
		e.collector.AwaitEpoch(waiting, req.AfterEpoch)
	}
	result := result.Check{Root: e.workspace.Root(), Files: []result.File{}, Epoch: e.collector.Epoch()}
	judgement := diagnostics.Judgement{Reached: len(e.workspace.Running()) > 0} // else nobody said anything yet
	for _, r := range e.collector.Known(severities) {
		result.Files = append(result.Files, restate.File(e.names, &r, func(string) *protocol.Mapper { return nil }))
		judgement = judgement.And(r.Judgement)
	}
	result.Verdict = string(judgement.Verdict())
	return result, nil
})
