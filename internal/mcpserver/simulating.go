package mcpserver

import (
	"encoding/json"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// simulateTool returns the only tool of the default profile for simulations.
func simulateTool() tool {
	actions := oneOf("action", api.SimulateCreate, api.SimulateEdit, api.SimulateEvaluate, api.SimulateChain, api.SimulateCommit,
		api.SimulateDiscard, api.SimulateDestroy, api.SimulateList, api.SimulatePreview)
	actions.required = true
	return tool{
		name: "simulate", results: []string{"verdict"}, operation: "simulate", title: "Simulate edits",
		description: "Try edits in memory: what they would break. create, edit, evaluate, commit with apply. Edits as in edit, or rename, edit_symbol, fix: {arguments}.",
		parameters: []parameter{
			actions, {name: "session"}, {name: "edits", kind: "array", items: "object"}, {name: "apply"},
		},
		effect: changesAgain,
		inFull: "`create_simulation_session`, `simulate_edit`, `evaluate_session`, `simulate_chain`, `commit_session`, " +
			"`discard_session`, `destroy_session`",
	}
}

// simulationTools returns agent-lsp's tools that judge edits before they are written.
func simulationTools() []tool {
	session := parameter{name: "session_id", to: "session", kind: "string", required: true}
	scope := parameter{name: "scope", kind: "string", values: []value{{name: api.ScopeFile}, {name: api.ScopeDependants}, {name: api.ScopeWorkspace}}}
	language := parameter{name: "language", to: toNothing, kind: "string"}
	timeout := parameter{name: "timeout_ms"}
	place := []parameter{{name: "file_path", to: inEdits + "file", kind: "string", required: true}}
	for _, name := range []string{"start_line", "start_column", "end_line", "end_column"} {
		place = append(place, parameter{name: name, to: inRange + name, kind: "integer", required: true})
	}
	place = append(place, parameter{name: "new_text", to: inEdits + "new_text", kind: "string", required: true})
	with := func(lists ...[]parameter) (all []parameter) {
		for _, list := range lists {
			all = append(all, list...)
		}
		return all
	}
	one := func(list ...parameter) []parameter { return list }
	needed := func(p parameter) parameter { p.required = true; return p }
	action := func(name string) map[string]string { return map[string]string{"action": `"` + name + `"`} }
	return []tool{
		{
			name: "create_simulation_session", operation: "simulate", title: "Create session", description: "Create a session of edits that exist only in memory.",
			parameters: one(needed(rootNamed), needed(language)), fixed: action(api.SimulateCreate), shape: sessionShape,
		},
		{
			name: "simulate_edit", operation: "simulate", title: "Edit in session", description: "Replace a range of a file in a session; nothing is written.",
			parameters: with(one(session), place), split: oneRange, fixed: action(api.SimulateEdit), shape: simulatedShape,
		},
		{
			name: "evaluate_session", operation: "simulate", title: "Evaluate session", description: "Report which errors the edits of a session would cause and fix, also in dependent files.",
			parameters: one(session, scope, timeout), fixed: action(api.SimulateEvaluate), shape: evaluationShape,
		},
		{
			name: "simulate_chain", operation: "simulate", title: "Chain of edits", description: "Add edits to a session one by one, each as in simulate_edit, and evaluate it after each.",
			parameters: one(session, parameter{name: "edits", kind: "array", items: "object", required: true}, timeout), split: rangesOfChain, fixed: action(api.SimulateChain), shape: chainShape,
		},
		{
			name: "commit_session", operation: "simulate", title: "Commit session", description: "Write all files of a session or none (apply), or return what they would contain.",
			parameters: one(session, parameter{name: "target", to: toNothing, kind: "string"}, parameter{name: "apply"}),
			fixed:      map[string]string{"action": `"` + api.SimulateCommit + `"`, "with_texts": "true"}, shape: committedShape, effect: changesAgain,
		},
		{
			name: "discard_session", operation: "simulate", title: "Discard session", description: "Drop the edits of a session.",
			parameters: one(session), fixed: action(api.SimulateDiscard), shape: sessionShape,
		},
		{
			name: "destroy_session", operation: "simulate", title: "Destroy session", description: "End a session.",
			parameters: one(session), fixed: action(api.SimulateDestroy), shape: sessionShape,
		},
		{
			name: "preview_edit", operation: "simulate", title: "Preview edit", description: "Report which errors an edit would cause and fix; nothing is written.",
			parameters: with(one(parameter{name: "session_id", to: toNothing, kind: "string"}, rootNamed, language), place, one(scope, timeout)),
			split:      oneRange, fixed: action(api.SimulatePreview), shape: evaluationShape,
		},
	}
}

// inRange is the prefix of arguments that become members of the range of the only edit.
const inRange = inEdits + "range."

// oneRange converts the members of one edit with a range to the list of edits that the operation
// takes.
func oneRange(args arguments) []arguments {
	span, rest := arguments{}, arguments{}
	for name, raw := range args {
		if member, ok := strings.CutPrefix(name, inRange); ok {
			span[member] = raw
		} else {
			rest[name] = raw
		}
	}
	if raw, err := json.Marshal(span); err == nil && len(span) > 0 { // it was parsed from JSON
		rest[inEdits+"range"] = raw
	}
	return oneEdit(rest)
}

// rangesOfChain converts the edits of a chain, which have the arguments of simulate_edit, to those
// of the operation. Anything else is passed on, so that the operation reports what is wrong with
// it.
func rangesOfChain(args arguments) []arguments {
	var edits []arguments
	if json.Unmarshal(args["edits"], &edits) != nil {
		return []arguments{args}
	}
	for i, e := range edits {
		one, span := arguments{}, arguments{}
		for name, raw := range e {
			switch name {
			case "start_line", "start_column", "end_line", "end_column":
				span[name] = raw
			default:
				one[name] = raw
			}
		}
		if raw, err := json.Marshal(span); err == nil && len(span) > 0 {
			one["range"] = raw
			edits[i] = one
		}
	}
	if raw, err := json.Marshal(edits); err == nil {
		args["edits"] = raw
	}
	return []arguments{args}
}

type simulationSession struct {
	result.Head
	Session string `json:"session_id"`
	Status  string `json:"status"`
}

var sessionShape = alone(func(s *result.Simulation) simulationSession {
	return simulationSession{s.Head, s.Session, s.Status}
})

type simulated struct {
	result.Head
	Session string `json:"session_id"`
	Applied bool   `json:"edit_applied"`
	Version int    `json:"version_after"`
}

var simulatedShape = alone(func(s *result.Simulation) simulated {
	return simulated{s.Head, s.Session, true, s.Steps}
})

type evaluation struct {
	result.Head
	Session    string       `json:"session_id"`
	Verdict    string       `json:"verdict"`
	Introduced []introduced `json:"errors_introduced"`
	Resolved   []introduced `json:"errors_resolved"`
	NetDelta   int          `json:"net_delta"`
	Scope      string       `json:"scope"`
	Confidence string       `json:"confidence"`
	Timeout    bool         `json:"timeout"`
	DurationMS int64        `json:"duration_ms"`
	Unknown    []string     `json:"unknown,omitempty"`
}

var evaluationShape = alone(func(s *result.Simulation) evaluation {
	e := s.Evaluation
	if e == nil {
		e = &result.Evaluation{}
	}
	return evaluation{
		s.Head, s.Session, e.Verdict, introducedBy(e.Introduced), introducedBy(e.Resolved), e.NetDelta, e.Scope, e.Confidence,
		e.Confidence == result.LowConfidence, e.TookMS, e.Unknown,
	}
})

func introducedBy(list []result.FileFinding) []introduced {
	out := []introduced{}
	for _, f := range list {
		out = append(out, introduced{f.File, f.Line, f.Column, f.Message})
	}
	return out
}

type chainStep struct {
	Step       int           `json:"step"`
	NetDelta   int           `json:"net_delta"`
	Introduced []introduced  `json:"errors_introduced"`
	Verdict    string        `json:"verdict"`
	Confidence string        `json:"confidence"`
	Error      *result.Error `json:"error,omitempty"`
}

type chain struct {
	result.Head
	Session string      `json:"session_id"`
	Steps   []chainStep `json:"steps"`
	Safe    int         `json:"safe_to_apply_through_step"`
	Delta   int         `json:"cumulative_delta"`
}

var chainShape = alone(func(s *result.Simulation) chain {
	out := chain{Head: s.Head, Session: s.Session, Steps: []chainStep{}}
	if s.Chain == nil {
		return out
	}
	out.Safe, out.Delta = s.Chain.SafeThrough, s.Chain.CumulativeDelta
	for _, c := range s.Chain.Steps {
		out.Steps = append(out.Steps, chainStep{c.Step, c.NetDelta, introducedBy(c.Introduced), c.Verdict, c.Confidence, c.Error})
	}
	return out
})

type committed struct {
	result.Head
	Session string   `json:"session_id"`
	Status  string   `json:"status"`
	Written []string `json:"files_written"`
	// Patch has the new content of each file, by path; "" for a file that would be deleted.
	Patch   map[string]string `json:"patch"`
	Verdict string            `json:"verdict,omitempty"`
}

var committedShape = alone(func(s *result.Simulation) committed {
	out := committed{Head: s.Head, Session: s.Session, Status: s.Status, Written: []string{}, Patch: make(map[string]string)}
	for _, t := range s.Texts {
		out.Patch[t.Path] = t.Text
	}
	if s.Commit == nil {
		return out
	}
	out.Verdict = s.Commit.Verdict
	for _, c := range s.Commit.Changes {
		out.Written = append(out.Written, c.Path)
	}
	return out
})
