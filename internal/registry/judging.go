package registry

import "encoding/json"

// A Helper is a program that a server runs in order to judge. Where it is missing, the server says that
// nothing is wrong, or nothing that helps.
type Helper struct {
	// Program is its name, Setting the member of the settings or of the options at the start that may
	// name another one, alone or first in a list.
	Program, Setting string
	// Next is a command that installs it.
	Next string
}

// Named returns the program that a configured server runs.
func (h *Helper) Named(d *Definition) string {
	for _, options := range []json.RawMessage{d.Settings, d.InitializationOptions} {
		if named := h.within(options); named != "" {
			return named
		}
	}
	return h.Program
}

func (h *Helper) within(value json.RawMessage) string {
	var members map[string]json.RawMessage
	if h.Setting == "" || json.Unmarshal(value, &members) != nil {
		return ""
	}
	var name string
	var list []string
	if json.Unmarshal(members[h.Setting], &name) == nil {
		return name
	}
	if json.Unmarshal(members[h.Setting], &list) == nil && len(list) > 0 {
		return list[0]
	}
	for _, member := range members {
		if named := h.within(member); named != "" {
			return named
		}
	}
	return ""
}
