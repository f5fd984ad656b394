package agents

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// unhurried is how long a hook may take that no agent runs.
const unhurried = 60 * time.Second

// HookTime returns how long an agent waits for our hook of an event: the time-out in its configuration
// or, without one, the agent's own. If several of our hooks are configured, the shortest time counts.
// Other agents may run the hooks of Claude Code.
func (p *Place) HookTime(agent, event string) time.Duration {
	h := known[agent].hooks
	if h == nil {
		return unhurried
	}
	usual := time.Duration(h.usual) * time.Second
	if i := slices.IndexFunc(h.events, func(e hookEvent) bool { return e.name == event && e.usual > 0 }); i >= 0 {
		usual = time.Duration(h.events[i].usual) * time.Second
	}
	for _, name := range []string{agent, "claude"} {
		runs := known[name].hooks
		var times []time.Duration
		for _, scope := range []Scope{User, Project} {
			if runs.style == script || runs.style == plugin {
				continue
			}
			if text, exists, err := readFile(p.file(name, runs.location, scope)); err == nil && exists {
				times = append(times, runs.timesIn(text, event)...)
			}
		}
		if len(times) > 0 {
			return cmp.Or(slices.Min(times), usual)
		}
	}
	return usual
}

// timesIn returns the time-outs of our hooks of an event in a configuration, 0 for one without.
func (h *hooks) timesIn(text []byte, event string) (times []time.Duration) {
	f, err := parseJSON(text)
	if err != nil {
		return nil
	}
	var file struct{ Hooks map[string]json.RawMessage }
	_ = json.Unmarshal(decoded(&f.root), &file) // what cannot be read is not ours
	var entries []struct {
		handler
		Hooks []handler
	}
	_ = json.Unmarshal(file.Hooks[event], &entries)
	unit := time.Second
	if h.milliseconds {
		unit = time.Millisecond
	}
	for _, e := range entries {
		for _, one := range append(e.Hooks, e.handler) {
			if runUs(one.Command, one.Bash) {
				times = append(times, time.Duration(max(one.Timeout, one.TimeoutSec))*unit)
			}
		}
	}
	return times
}
