package protocol

import (
	"encoding/json"
	"strings"
	"testing"
)

// Relative numbers become places with names; a token that makes no sense takes
// nothing from the ones after it, and a number that is none takes all of them.
func TestSemanticTokens(t *testing.T) {
	legend := DecodeTokenLegend(json.RawMessage(`{"legend":{"tokenTypes":["type",7,"function"],"tokenModifiers":["static",null,"async"]},"full":true}`))
	token := func(line, from, to uint32, kind string, modifiers ...string) SemanticToken {
		return SemanticToken{Range: at(line, from, line, to), Type: kind, Modifiers: modifiers}
	}
	for _, c := range []struct {
		name, data string
		want       []SemanticToken
		skipped    int
	}{
		{"none", `[]`, nil, 0},
		{"null data", `null`, nil, 0},
		{"the same line", `[2,5,3,0,0, 0,5,4,2,0]`, []SemanticToken{token(2, 5, 8, "type"), token(2, 10, 14, "function")}, 0},
		{"another line", `[2,5,3,0,0, 3,2,7,2,0]`, []SemanticToken{token(2, 5, 8, "type"), token(5, 2, 9, "function")}, 0},
		{"modifiers", `[0,0,1,0,5, 0,1,1,0,4, 0,1,1,0,10]`, []SemanticToken{token(0, 0, 1, "type", "static", "async"), token(0, 1, 2, "type", "async"), token(0, 2, 3, "type")}, 0},
		{"unknown modifiers", `[0,0,1,0,4294967295, 0,1,1,0,-8]`, []SemanticToken{token(0, 0, 1, "type", "static", "async"), token(0, 1, 2, "type")}, 0},
		{"types outside the legend", `[1,0,1,9,0, 0,4,1,-1,0, 0,4,1,1,0, 0,1,1,0,0]`, []SemanticToken{token(1, 9, 10, "type")}, 3},
		{"no length", `[1,0,0,0,0, 0,4,-2,0,0, 0,4,1,0,0]`, []SemanticToken{token(1, 8, 9, "type")}, 2},
		{"back on the line", `[1,8,1,0,0, 0,-4,1,0,0]`, []SemanticToken{token(1, 8, 9, "type"), token(1, 4, 5, "type")}, 0},
		{"back, as it is in 32 bits", `[1,8,1,0,0, 4294967295,4,1,0,0]`, []SemanticToken{token(1, 8, 9, "type"), token(0, 4, 5, "type")}, 0},
		{"before the start", `[-1,0,1,0,0, 1,4,1,0,0]`, []SemanticToken{token(0, 4, 5, "type")}, 1},
		{"huge", `[9007199254740992,0,1,0,0, 0,1,9007199254740992,0,0]`, []SemanticToken{token(0, 0, 1, "type")}, 1},
		{"fractions", `[1.0,2.5,3,0,0]`, []SemanticToken{token(1, 2, 5, "type")}, 0},
		{"an end in the middle", `[1,2,3,0,0, 1,2]`, []SemanticToken{token(1, 2, 5, "type")}, 1},
		{"null for a number", `[1,2,3,0,0, 1,null,3,0,0, 1,2,3,0,0]`, []SemanticToken{token(1, 2, 5, "type")}, 2},
		{"text for a number", `[1,2,3,0,0, "1",2,3,0,0]`, []SemanticToken{token(1, 2, 5, "type")}, 1},
	} {
		got, skipped, err := DecodeSemanticTokens(json.RawMessage(`{"resultId":null,"data":`+c.data+`}`), legend)
		decoded(t, c.name, c.want, got, c.skipped, skipped, err)
	}
	got, skipped, err := DecodeSemanticTokens(json.RawMessage(`null`), legend)
	decoded(t, "null", nil, got, 0, skipped, err)
	got, skipped, err = DecodeSemanticTokens(json.RawMessage(`{"data":[0,0,1,0,0]}`), TokenLegend{})
	decoded(t, "no legend", nil, got, 1, skipped, err)
	refused(t, func(raw json.RawMessage) ([]SemanticToken, int, error) { return DecodeSemanticTokens(raw, legend) }, `7`, `[]`, `{"data":{}}`)
}

// A legend is read as far as it makes sense.
func TestTokenLegend(t *testing.T) {
	for options, want := range map[string]TokenLegend{
		``: {}, `null`: {}, `true`: {}, `{}`: {}, `{"legend":null}`: {}, `{"legend":7}`: {}, `{"legend":{"tokenTypes":{},"tokenModifiers":null}}`: {},
		`{"legend":{"tokenTypes":["a"],"tokenModifiers":7}}`: {Types: []string{"a"}},
	} {
		decoded(t, options, want, DecodeTokenLegend(json.RawMessage(options)), 0, 0, nil)
	}
}

// A list of a hundred thousand numbers is no work.
func BenchmarkSemanticTokens(b *testing.B) {
	raw := json.RawMessage(`{"data":[0` + strings.Repeat(",1,4,3,0,1", 20_000) + `,0,0,0,0]}`)
	legend := TokenLegend{Types: []string{"a", "b", "c", "d", "e"}}
	for b.Loop() {
		if tokens, _, err := DecodeSemanticTokens(raw, legend); err != nil || len(tokens) == 0 {
			b.Fatal(err)
		}
	}
}
