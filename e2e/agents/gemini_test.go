//go:build unix

package agents

import (
	"encoding/json"
	"path"
	"strings"
)

// gemini is the generateContent protocol of Google's models.
type gemini struct{}

func (gemini) parse(urlPath string, body []byte) (request, error) {
	var in struct {
		Tools []struct {
			Functions []json.RawMessage `json:"functionDeclarations"`
		}
		Contents []struct {
			Role  string
			Parts []json.RawMessage
		}
		Config struct {
			Schema     map[string]any `json:"responseJsonSchema"`
			OpenSchema map[string]any `json:"responseSchema"`
		} `json:"generationConfig"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	name, action, _ := strings.Cut(path.Base(urlPath), ":")
	q := request{Model: name, Stream: action == "streamGenerateContent", Schema: in.Config.Schema}
	if q.Schema == nil {
		q.Schema = in.Config.OpenSchema
	}
	for _, group := range in.Tools {
		for _, raw := range group.Functions {
			var f struct{ Name string }
			if err := json.Unmarshal(raw, &f); err != nil {
				return request{}, err
			}
			q.Tools = append(q.Tools, tool{Name: f.Name})
		}
	}
	for _, c := range in.Contents {
		if c.Role == "model" {
			q.Results, q.Prompts = nil, nil
			continue
		}
		for _, raw := range c.Parts {
			var part struct {
				Text     string
				Response json.RawMessage `json:"functionResponse"`
			}
			if err := json.Unmarshal(raw, &part); err != nil {
				return request{}, err
			}
			if part.Response != nil {
				q.Results = append(q.Results, part.Response)
			} else {
				q.Prompts = append(q.Prompts, part.Text)
			}
		}
	}
	return q, nil
}

func (gemini) whole(q request, a answer) any {
	var parts []any
	if a.Text != "" {
		parts = append(parts, map[string]any{"text": a.Text})
	}
	for _, c := range a.Calls {
		parts = append(parts, map[string]any{
			"functionCall":     map[string]any{"id": c.ID, "name": c.Tool.Name, "args": c.object()},
			"thoughtSignature": "ZmFrZQ==",
		})
	}
	return map[string]any{
		"responseId": "fake", "modelVersion": q.Model,
		"candidates":    []any{map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}, "finishReason": "STOP"}},
		"usageMetadata": map[string]any{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
	}
}

func (p gemini) events(q request, a answer) []event {
	return []event{{data: p.whole(q, a)}}
}
