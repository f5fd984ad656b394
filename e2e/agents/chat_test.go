//go:build unix

package agents

import "encoding/json"

// chat is OpenAI's chat completions protocol.
type chat struct{}

func (chat) parse(_ string, body []byte) (request, error) {
	var in struct {
		Model    string
		Stream   bool
		Messages []json.RawMessage
		Tools    []json.RawMessage
		Format   struct {
			Type   string
			Schema struct{ Schema map[string]any } `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	q := request{Model: in.Model, Stream: in.Stream, Schema: in.Format.Schema.Schema}
	for _, raw := range in.Tools {
		var t struct {
			Type             string
			Function, Custom struct{ Name string }
		}
		if err := json.Unmarshal(raw, &t); err != nil {
			return request{}, err
		}
		q.Tools = append(q.Tools, tool{Name: t.Function.Name + t.Custom.Name, Free: t.Type == "custom"})
	}
	for _, raw := range in.Messages {
		var m struct {
			Role    string
			Content json.RawMessage
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return request{}, err
		}
		switch m.Role {
		case "assistant":
			q.Results, q.Prompts = nil, nil
		case "tool":
			q.Results = append(q.Results, raw)
		default:
			q.Prompts = append(q.Prompts, texts(m.Content)...)
		}
	}
	return q, nil
}

func (chat) calls(a answer) []any {
	var calls []any
	for i, c := range a.Calls {
		entry := map[string]any{
			"index": i, "id": c.ID, "type": "function",
			"function": map[string]any{"name": c.Tool.Name, "arguments": string(c.object())},
		}
		if c.Tool.Free {
			entry = map[string]any{
				"index": i, "id": c.ID, "type": "custom",
				"custom": map[string]any{"name": c.Tool.Name, "input": c.text()},
			}
		}
		calls = append(calls, entry)
	}
	return calls
}

func (p chat) reason(a answer) string {
	if len(a.Calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

var chatUsage = map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}

func (p chat) whole(q request, a answer) any {
	message := map[string]any{"role": "assistant", "content": a.Text}
	if len(a.Calls) > 0 {
		message["tool_calls"] = p.calls(a)
	}
	return map[string]any{
		"id": "chatcmpl-fake", "object": "chat.completion", "created": 1, "model": q.Model, "usage": chatUsage,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": p.reason(a)}},
	}
}

func (p chat) events(q request, a answer) []event {
	chunk := func(delta map[string]any, reason any) map[string]any {
		return map[string]any{
			"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1, "model": q.Model,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}},
		}
	}
	out := []event{{data: chunk(map[string]any{"role": "assistant", "content": a.Text}, nil)}}
	if len(a.Calls) > 0 {
		out = append(out, event{data: chunk(map[string]any{"tool_calls": p.calls(a)}, nil)})
	}
	last := chunk(map[string]any{}, p.reason(a))
	last["usage"] = chatUsage
	return append(out, event{data: last}, event{data: "[DONE]"})
}
