package engine

import (
	"context"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// A DiagnosticsRequest asks for the state that is known.
type DiagnosticsRequest struct {
	Files      []string `json:"files,omitempty" jsonschema:"paths to bring up to date first; without any, all files with known diagnostics are listed"`
	Severities []string `json:"severities,omitempty" jsonschema:"error, warning, info, hint; default: as configured"`
	AfterEpoch uint64   `json:"after_epoch,omitempty" jsonschema:"wait until something happened after this epoch"`
	TimeoutMS  int      `json:"timeout_ms,omitempty" jsonschema:"how long to wait"`
	MaxBytes   int      `json:"max_bytes,omitempty" jsonschema:"budget of the answer, default 12000; -1 is none"`
}

func (r DiagnosticsRequest) budget() int { return r.MaxBytes }

// deadline is that of a check of files; else the wait has an end of its own.
func (r DiagnosticsRequest) deadline() time.Duration {
	if len(r.Files) == 0 {
		return 0
	}
	return milliseconds(r.TimeoutMS)
}

// Diagnostics reports every file for which some server holds diagnostics.
var Diagnostics = Op[DiagnosticsRequest, result.Check]{
	Name:  "diagnostics",
	Title: "Known diagnostics",
	Doc:   "Report the known diagnostics of the workspace; files that are named are brought up to date first.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req DiagnosticsRequest) (result.Check, error) {
		if len(req.Files) > 0 {
			return Check.run(ctx, e, CheckRequest{
				Files: req.Files, Severities: req.Severities, TimeoutMS: req.TimeoutMS, MaxBytes: req.MaxBytes, Baseline: "none",
			})
		}
		severities, err := e.severities(req.Severities)
		if err != nil {
			return result.Check{}, err
		}
		if req.AfterEpoch > 0 {
			waiting, cancel := context.WithTimeout(ctx, e.wait(req.TimeoutMS))
			defer cancel()
			e.collector.AwaitEpoch(waiting, req.AfterEpoch)
		}
		result := result.Check{Root: e.workspace.Root(), Files: []result.File{}, Epoch: e.collector.Epoch()}
		judgement := diagnostics.Judgement{Reached: len(e.workspace.Running()) > 0} // else nobody said anything yet
		for _, r := range e.collector.Known(severities) {
			result.Files = append(result.Files, e.presentFile(&r, func(string) *protocol.Mapper { return nil }))
			judgement = judgement.And(r.Judgement)
		}
		result.Verdict = string(judgement.Verdict())
		return result, nil
	},
}
