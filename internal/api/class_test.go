package api

import (
	"encoding/json"
	"testing"
)

// What a request may do is what it asks for, not the most that its operation can; of a
// wrong request it is the most.
func TestClassIsByRequest(t *testing.T) {
	for _, c := range []struct {
		op      Operation
		request string
		want    Class
	}{
		{Check.Operation(), `{}`, Read},
		{EditFiles.Operation(), `{"edits":[{"file":"a.go","content":"x"}],"mode":"preview"}`, Edit},
		{Fixes.Operation(), `{"at":"a.go:1"}`, Read},
		{Fixes.Operation(), `{"at":"a.go:1","apply":1}`, Edit},
		{Fixes.Operation(), `{"at":"a.go:1","title":"Organize imports"}`, Edit},
		{Fixes.Operation(), `{"at":7}`, Edit},
		{Servers.Operation(), `{"action":"list"}`, Read},
		{Servers.Operation(), `{"action":"detect"}`, Read},
		{Servers.Operation(), `{"action":"start"}`, Admin},
		{Servers.Operation(), `{"action":"restart"}`, Admin},
		{Servers.Operation(), `{"action":"stop"}`, Admin},
		{Servers.Operation(), `{}`, Admin},
		{WorkspaceFolders.Operation(), `{}`, Read},
		{WorkspaceFolders.Operation(), `{"add":["../b"]}`, Admin},
		{WorkspaceFolders.Operation(), `{"remove":["../b"]}`, Admin},
	} {
		if got := c.op.ClassOf(json.RawMessage(c.request)); got != c.want {
			t.Errorf("%s %s is of class %d, want %d", c.op.Name, c.request, got, c.want)
		}
	}
}
