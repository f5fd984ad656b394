package lsp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

// A diskList is what the server logs of the errors that a check of the disk found, while one is
// under way ([registry.DiskList]).
type diskList struct {
	pattern *regexp.Regexp // nil if the server lists none

	mu     sync.Mutex
	errors map[string][]string // their messages, by path; nil while no check is under way
}

func newDiskList(d *registry.DiskCheck) *diskList {
	if d == nil || d.List == nil {
		return &diskList{}
	}
	pattern, _ := regexp.Compile(d.List.Logged) // a test compiles those of the table
	return &diskList{pattern: pattern}
}

func (l *diskList) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errors = make(map[string][]string)
}

// logged notes the errors that a message of the log lists.
func (l *diskList) logged(message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pattern == nil || l.errors == nil {
		return
	}
	for _, found := range l.pattern.FindAllStringSubmatch(message, -1) {
		path := fspath.Here.Clean(found[l.pattern.SubexpIndex("file")])
		l.errors[path] = append(l.errors[path], found[l.pattern.SubexpIndex("message")])
	}
}

// end returns what was listed by the time of the server's answer; nil if that is not all, or if
// the server lists nothing.
func (l *diskList) end(how *registry.DiskList, answer json.RawMessage) (map[string][]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	listed := l.errors
	l.errors = nil
	if how == nil {
		return nil, nil
	}
	switch word := strings.TrimSpace(string(answer)); {
	case word == how.Clean:
		return map[string][]string{}, nil
	case word != how.Broken:
		return nil, fmt.Errorf("the check of the files on disk failed: the answer was %s", word)
	case len(listed) == 0:
		return nil, nil
	}
	return listed, nil
}
