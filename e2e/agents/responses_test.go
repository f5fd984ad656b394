//go:build unix

package agents

import (
	"encoding/json"
	"fmt"
	"strings"
)

// responses is OpenAI's responses protocol.
type responses struct{}

func (responses) parse(_ string, body []byte) (request, error) {
	var in struct {
		Model  string
		Stream bool
		Input  json.RawMessage
		Tools  []json.RawMessage
		Text   struct {
			Format struct{ Schema map[string]any }
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	q := request{Model: in.Model, Stream: in.Stream, Schema: in.Text.Format.Schema}
	var add func(namespace string, raw []json.RawMessage) error
	add = func(namespace string, list []json.RawMessage) error {
		for _, raw := range list {
			var t struct {
				Type, Name string
				Tools      []json.RawMessage
			}
			if err := json.Unmarshal(raw, &t); err != nil {
				return err
			}
			switch t.Type {
			case "namespace":
				if err := add(t.Name, t.Tools); err != nil {
					return err
				}
			default:
				if t.Name == "" {
					t.Name = t.Type
				}
				q.Tools = append(q.Tools, tool{Namespace: namespace, Name: t.Name, Free: t.Type == "custom"})
			}
		}
		return nil
	}
	if err := add("", in.Tools); err != nil {
		return request{}, err
	}
	var items []json.RawMessage
	if json.Unmarshal(in.Input, &items) != nil {
		q.Prompts = texts(in.Input)
		return q, nil
	}
	for _, raw := range items {
		var item struct {
			Type, Role string
			Content    json.RawMessage
			Tools      []json.RawMessage
		}
		if err := json.Unmarshal(raw, &item); err != nil {
			return request{}, err
		}
		switch {
		case strings.HasSuffix(item.Type, "_output"):
			q.Results = append(q.Results, raw)
			if err := add("", item.Tools); err != nil { // tools that a search found
				return request{}, err
			}
		case item.Role == "assistant" || strings.HasSuffix(item.Type, "_call") || item.Type == "reasoning":
			q.Results, q.Prompts = nil, nil
		default:
			q.Prompts = append(q.Prompts, texts(item.Content)...)
		}
	}
	return q, nil
}

func (responses) items(a answer) []map[string]any {
	var items []map[string]any
	if a.Text != "" {
		items = append(items, map[string]any{
			"type": "message", "id": "msg_fake", "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": a.Text, "annotations": []any{}}},
		})
	}
	for _, c := range a.Calls {
		item := map[string]any{"id": "fc_" + c.ID, "call_id": c.ID, "name": c.Tool.Name, "status": "completed"}
		switch {
		case c.Tool.Free:
			item["type"], item["input"] = "custom_tool_call", c.text()
		case c.Tool.Name == "tool_search":
			item["type"], item["execution"], item["arguments"] = "tool_search_call", "client", c.object()
		default:
			item["type"], item["arguments"] = "function_call", string(c.object())
		}
		if c.Tool.Namespace != "" {
			item["namespace"] = c.Tool.Namespace
		}
		items = append(items, item)
	}
	return items
}

func (p responses) whole(q request, a answer) any {
	return map[string]any{
		"id": "resp_fake", "object": "response", "created_at": 1, "status": "completed", "model": q.Model,
		"output": p.items(a), "usage": map[string]any{
			"input_tokens": 100, "output_tokens": 10, "total_tokens": 110,
			"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
		},
	}
}

func (p responses) events(q request, a answer) []event {
	var out []event
	send := func(kind string, data map[string]any) {
		data["type"], data["sequence_number"] = kind, len(out)
		out = append(out, event{kind, data})
	}
	send("response.created", map[string]any{"response": map[string]any{
		"id": "resp_fake", "object": "response",
		"created_at": 1, "status": "in_progress", "model": q.Model, "output": []any{},
	}})
	for i, item := range p.items(a) {
		started := map[string]any{}
		for k, v := range item {
			started[k] = v
		}
		started["status"] = "in_progress"
		switch item["type"] {
		case "message":
			started["content"] = []any{}
		case "function_call":
			started["arguments"] = ""
		case "custom_tool_call":
			started["input"] = ""
		}
		send("response.output_item.added", map[string]any{"output_index": i, "item": started})
		place := func() map[string]any { return map[string]any{"output_index": i, "item_id": item["id"]} }
		switch item["type"] {
		case "message":
			part := func(text string) map[string]any {
				return map[string]any{"type": "output_text", "text": text, "annotations": []any{}}
			}
			d := place()
			d["content_index"], d["part"] = 0, part("")
			send("response.content_part.added", d)
			d = place()
			d["content_index"], d["delta"] = 0, a.Text
			send("response.output_text.delta", d)
			d = place()
			d["content_index"], d["text"] = 0, a.Text
			send("response.output_text.done", d)
			d = place()
			d["content_index"], d["part"] = 0, part(a.Text)
			send("response.content_part.done", d)
		case "function_call":
			d := place()
			d["delta"] = item["arguments"]
			send("response.function_call_arguments.delta", d)
			d = place()
			d["arguments"] = item["arguments"]
			send("response.function_call_arguments.done", d)
		case "custom_tool_call":
			d := place()
			d["delta"] = item["input"]
			send("response.custom_tool_call_input.delta", d)
			d = place()
			d["input"] = item["input"]
			send("response.custom_tool_call_input.done", d)
		}
		send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	send("response.completed", map[string]any{"response": p.whole(q, a)})
	return out
}

// texts gives the texts of a content that is a string or a list of parts with a text.
func texts(content json.RawMessage) []string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return []string{s}
	}
	var parts []struct {
		Type, Text string
	}
	if json.Unmarshal(content, &parts) != nil {
		return nil
	}
	var out []string
	for _, p := range parts {
		if p.Text == "" && p.Type != "" {
			p.Text = fmt.Sprintf("(%s)", p.Type)
		}
		out = append(out, p.Text)
	}
	return out
}
