package registry

import "encoding/json"

// Merged puts a JSON value over a base, object by object; anything else replaces.
func Merged(base, over json.RawMessage) json.RawMessage {
	if len(over) == 0 {
		return base
	}
	var b, o map[string]json.RawMessage
	if json.Unmarshal(base, &b) != nil || json.Unmarshal(over, &o) != nil || b == nil || o == nil {
		return over
	}
	for name, value := range o {
		b[name] = Merged(b[name], value)
	}
	out, err := json.Marshal(b)
	if err != nil {
		return over
	}
	return out
}
