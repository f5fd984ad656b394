package api

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Schemas are made once, until they are forgotten; then the same ones are made again.
func TestForgetSchemas(t *testing.T) {
	first := schemaOf[CheckRequest]()
	if schemaOf[CheckRequest]() != first {
		t.Error("it is made each time")
	}
	ForgetSchemas()
	again := schemaOf[CheckRequest]()
	if again == first {
		t.Error("it is not forgotten")
	}
	text := func(schema any) string {
		raw, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if diff := cmp.Diff(text(first), text(again)); diff != "" {
		t.Errorf("another one is made:\n%s", diff)
	}
}
