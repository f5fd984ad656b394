//go:build unix

package agents

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
)

// anthropic is Anthropic's messages protocol.
type anthropic struct{}

func (anthropic) parse(_ string, body []byte) (request, error) {
	var in struct {
		Model    string
		Stream   bool
		Tools    []json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Output struct {
			Format struct{ Schema map[string]any }
		} `json:"output_config"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	q := request{Model: in.Model, Stream: in.Stream, Schema: in.Output.Format.Schema}
	for _, raw := range in.Tools {
		var t struct{ Name string }
		if err := json.Unmarshal(raw, &t); err != nil {
			return request{}, err
		}
		q.Tools = append(q.Tools, tool{Name: t.Name})
	}
	for _, m := range in.Messages {
		if m.Role == "assistant" {
			q.Results, q.Prompts = nil, nil
			continue
		}
		var parts []json.RawMessage
		if json.Unmarshal(m.Content, &parts) != nil {
			q.Prompts = append(q.Prompts, texts(m.Content)...)
			continue
		}
		for _, raw := range parts {
			var part struct{ Type, Text string }
			if err := json.Unmarshal(raw, &part); err != nil {
				return request{}, err
			}
			if part.Type == "tool_result" {
				q.Results = append(q.Results, raw)
			} else {
				q.Prompts = append(q.Prompts, part.Text)
			}
		}
	}
	return q, nil
}

func (anthropic) blocks(a answer) []map[string]any {
	var blocks []map[string]any
	if a.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": a.Text})
	}
	for _, c := range a.Calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": "toolu_" + c.ID, "name": c.Tool.Name, "input": c.object()})
	}
	return blocks
}

func (anthropic) reason(a answer) string {
	if len(a.Calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

var anthropicUsage = map[string]any{"input_tokens": 100, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}

// id is that of the message: Claude Code takes messages of one id for parts of the same.
func (p anthropic) id(a answer) string {
	h := fnv.New32()
	h.Write(mustJSON(p.blocks(a)))
	return fmt.Sprintf("msg_%x", h.Sum32())
}

func (p anthropic) whole(q request, a answer) any {
	return map[string]any{
		"id": p.id(a), "type": "message", "role": "assistant", "model": q.Model, "content": p.blocks(a),
		"stop_reason": p.reason(a), "stop_sequence": nil, "usage": anthropicUsage,
	}
}

func (p anthropic) events(q request, a answer) []event {
	var out []event
	send := func(kind string, data map[string]any) {
		data["type"] = kind
		out = append(out, event{kind, data})
	}
	send("message_start", map[string]any{"message": map[string]any{
		"id": p.id(a), "type": "message", "role": "assistant",
		"model": q.Model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": anthropicUsage,
	}})
	for i, block := range p.blocks(a) {
		start, delta := maps.Clone(block), map[string]any{}
		if block["type"] == "text" {
			start["text"] = ""
			delta["type"], delta["text"] = "text_delta", block["text"]
		} else {
			start["input"] = map[string]any{}
			delta["type"], delta["partial_json"] = "input_json_delta", string(block["input"].(json.RawMessage))
		}
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		send("content_block_delta", map[string]any{"index": i, "delta": delta})
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": p.reason(a), "stop_sequence": nil}, "usage": anthropicUsage})
	send("message_stop", map[string]any{})
	return out
}
