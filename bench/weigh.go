package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/result"
)

// A weight is one row of what answers cost a model, or the wire.
type weight struct {
	what  string
	bytes int
	goal  int // 0 for none
}

// The goals: of the list that every conversation pays for, and of the answer
// about goalPlaces references as positions and with their lines.
const (
	goalList      = 8192
	goalPlaces    = 146
	goalPositions = 2200
	goalLines     = 11_000
)

// weigh weighs lists of tools and the references of a symbol.
func weigh(ctx context.Context, e *engine.Engine, plain *rawNavigator, remote *mcpNavigator, symbols [2]project.Symbol) ([]weight, error) {
	weights, err := weighReferences(remote, symbols[1])
	if err != nil {
		return nil, err
	}
	answer, err := plain.answer(ctx, references, symbols[0])
	if err != nil {
		return nil, err
	}
	weights = append(weights, weight{
		what:  fmt.Sprintf("the same from gopls itself, as JSON: %d places in %d files", answer.Count, answer.Files),
		bytes: answer.Bytes,
	})
	full, err := startMCP(e, "full")
	if err != nil {
		return nil, err
	}
	lists := []weight{{goal: goalList}, {}}
	for i, n := range []*mcpNavigator{remote, full} {
		tools, bytes, listErr := n.listed()
		if err = listErr; err != nil {
			break
		}
		lists[i].what = fmt.Sprintf("tools/list, %s profile: %d tools", []string{"default", "full"}[i], tools)
		lists[i].bytes = bytes
	}
	if stopErr := full.stop(); err == nil {
		err = stopErr
	}
	return append(lists, weights...), err
}

func weighReferences(remote *mcpNavigator, s project.Symbol) (weights []weight, err error) {
	at, err := selector(remote.root, s.Declared)
	if err != nil {
		return nil, err
	}
	for _, lines := range []bool{false, true} {
		answer, err := remote.call(api.References.Name, api.ReferencesRequest{
			Selector: at, SourceLines: &lines, Limits: api.Limits{MaxBytes: 1 << 20}, // nothing is to be cut
		})
		if err != nil {
			return nil, err
		}
		var places result.Places
		if err := json.Unmarshal(answer.Structured, &places); err != nil {
			return nil, err
		}
		what, goal := "positions only", goalPositions
		if lines {
			what, goal = "with their lines", goalLines
		}
		weights = append(weights,
			weight{
				what:  fmt.Sprintf("%d references of %s in %d files, %s: the text", places.Total, s.Name, places.FileCount, what),
				bytes: len(answer.text()), goal: goal * places.Total / goalPlaces,
			},
			weight{what: "its whole result, with the structured one", bytes: answer.whole})
	}
	return weights, nil
}
