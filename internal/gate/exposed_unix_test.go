//go:build unix

package gate

import (
	"io/fs"
	"syscall"
	"testing"
	"time"
)

// secretInfo is what a stat of a file with secrets says.
type secretInfo struct {
	mode fs.FileMode
	stat syscall.Stat_t
}

func (s secretInfo) Name() string       { return "tokens.json" }
func (s secretInfo) Size() int64        { return 1 }
func (s secretInfo) Mode() fs.FileMode  { return s.mode }
func (s secretInfo) ModTime() time.Time { return time.Time{} }
func (s secretInfo) IsDir() bool        { return false }
func (s secretInfo) Sys() any           { return &s.stat }

// What root gives a group to read is for those who run as that group, and for nobody else.
func TestSecretsGivenByRoot(t *testing.T) {
	const user, group = 65532, 65532
	for name, c := range map[string]struct {
		mode        fs.FileMode
		owner, of   uint32
		user, group int
		want        bool
	}{
		"of our group":              {0o440, 0, group, user, group, true},
		"that root may change":      {0o640, 0, group, user, group, true},
		"of everybody":              {0o444, 0, group, user, group, false},
		"that the group may change": {0o460, 0, group, user, group, false},
		"of another group":          {0o440, 0, 100, user, group, false},
		"of another owner":          {0o440, 1000, group, user, group, false},
		"asked by root":             {0o440, 0, 0, 0, 0, false},
	} {
		info := secretInfo{c.mode, syscall.Stat_t{Uid: c.owner, Gid: c.of}}
		if got := givenByRoot(info, c.user, c.group); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
