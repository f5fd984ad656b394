package api

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The result of every operation, whatever it holds, is the same after JSON both ways: nothing is written
// that is not read again, and no field is left out.
func TestResultsSurviveJSON(t *testing.T) {
	tried := make(map[reflect.Type]bool)
	for _, op := range Operations() {
		of := reflect.TypeOf(op.New()).Elem()
		if tried[of] {
			continue
		}
		tried[of] = true
		t.Run(of.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				before := reflect.New(of)
				fill(t, before.Elem(), of.Name(), 0)
				raw, err := json.Marshal(before.Interface())
				if err != nil {
					t.Fatal(err)
				}
				after := reflect.New(of)
				if err := json.Unmarshal(raw, after.Interface()); err != nil {
					t.Fatalf("%v\n%s", err, raw)
				}
				if diff := cmp.Diff(before.Interface(), after.Interface()); diff != "" {
					t.Fatalf("%s\n%s", diff, raw)
				}
			})
		})
	}
}

// fill gives a value any content that JSON can tell apart: a list that may be left out
// is nil or has elements, one that is always written may also be empty.
func fill(t *rapid.T, v reflect.Value, name string, depth int) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(0, 2_000_000_000).Draw(t, name), 0).UTC()))
		return
	case json.RawMessage:
		v.SetBytes([]byte(rapid.SampledFrom([]string{`{"a":1}`, `[]`, `"x"`}).Draw(t, name)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.String().Draw(t, name))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, name))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(rapid.Int32().Draw(t, name)))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(rapid.Uint32().Draw(t, name)))
	case reflect.Pointer:
		if depth < 4 && rapid.Bool().Draw(t, "has "+name) {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), name, depth+1)
		}
	case reflect.Slice:
		if n := rapid.IntRange(0, max(0, 3-depth)).Draw(t, "number of "+name); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(t, v.Index(i), name, depth+1)
			}
		}
	case reflect.Map:
		if rapid.Bool().Draw(t, "has "+name) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key, "key of "+name, depth)
			fill(t, value, "value of "+name, depth)
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				t.Fatalf("%s.%s is not exported: it would be lost", v.Type(), f.Name)
			}
			fill(t, v.Field(i), f.Name, depth)
		}
	default:
		t.Fatalf("%s is a %s", name, v.Kind())
	}
}
