package render

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/result"
)

// sampleDoctor is an examination with n servers that are well, one that hangs and one
// that is missing.
func sampleDoctor(n int) *result.Doctor {
	d := &result.Doctor{
		Root: "/w/app", Languages: []string{"go", "typescript"},
		Symptoms: []result.Symptom{{Level: result.LevelProblem, Step: "configuration", Message: "/w/app/.lspine.jsonc:2:18: not JSON with comments", Next: "${EDITOR:-vi} +2 /w/app/.lspine.jsonc"}},
		Servers: []result.ServerReport{
			{ID: "slow", Root: "/w/app", Symptoms: []result.Symptom{
				{Level: result.LevelOK, Step: "binary", Message: "/usr/bin/slow"},
				{Level: result.LevelProblem, Step: "initialize", Message: "time-out", Details: []string{"loading licences", "\x1b[2Jwaiting"}, Next: "lspine doctor --timeout 2m0s", TookMS: 29000},
			}},
			{ID: "absent", Symptoms: []result.Symptom{{Level: result.LevelNote, Step: "binary", Message: "absent not found in PATH", Next: "get absent"}}},
		},
		Passed: []result.PassedOver{{ID: "pylsp", Reason: "pyright is asked in its place"}, {ID: "deno", Reason: "no deno.json"}},
	}
	for range n {
		d.Servers = append(d.Servers, result.ServerReport{ID: "gopls", Files: 12, Root: "/w/app", Symptoms: []result.Symptom{
			{Level: result.LevelOK, Step: "root", Message: ". (go.mod)"},
			{Level: result.LevelOK, Step: "probe", Message: "main.go: a complete answer: nothing is wrong with it", TookMS: 34},
		}})
	}
	d.Judge()
	return d
}

// What the doctor says reads as it was meant to, for a workspace and for a file.
func TestTextOfDoctor(t *testing.T) {
	golden(t, "doctor", Brief(sampleDoctor(1)))
	healthy := &result.Doctor{Root: "/w/app", Files: []string{"main.go"}, Languages: []string{"go"}, Servers: sampleDoctor(1).Servers[2:]}
	healthy.Judge()
	golden(t, "doctor_file", Brief(healthy))
}

// The whole is as ill as its worst part.
func TestLevelsOfDoctor(t *testing.T) {
	d := sampleDoctor(1)
	if d.Level != result.LevelProblem || d.Servers[0].Level != result.LevelProblem || d.Servers[1].Level != result.LevelNote || d.Servers[2].Level != result.LevelOK {
		t.Errorf("%+v", d)
	}
	d.Symptoms, d.Servers = nil, d.Servers[1:]
	if d.Judge(); d.Level != result.LevelNote {
		t.Errorf("with a note: %s", d.Level)
	}
	d.Servers = nil
	if d.Judge(); d.Level != result.LevelOK {
		t.Errorf("with nothing: %s", d.Level)
	}
}

// In little room the problems stay longest, and what is gone is said.
func TestDoctorFits(t *testing.T) {
	for _, max := range []int{100, 400, 900, 1500} {
		d := sampleDoctor(20)
		Fit(d, max)
		text := Brief(d)
		if len(text) > max && len(d.Servers) > 0 || !strings.Contains(text, "cut: ") {
			t.Errorf("to %d: %d bytes\n%s", max, len(text), text)
		}
		if max > 800 && !strings.Contains(text, "time-out") {
			t.Errorf("to %d, no problem is left:\n%s", max, text)
		}
	}
	d := sampleDoctor(1)
	if Fit(d, 0); d.Cut != "" || len(d.Passed) != 2 {
		t.Errorf("in plenty of room: %s", Brief(d))
	}
}

// A list of servers is a table: where each is, or how one gets it, and why it is
// not asked.
func TestTextOfServerList(t *testing.T) {
	golden(t, "servers_list", Brief((&result.Servers{Action: "list", Servers: []result.ServerState{
		{ID: "gopls", State: "found", Tested: "proven", Languages: []string{"go", "go.mod", "go.work"}, Binary: "/usr/bin/gopls"},
		{ID: "typescript", State: "missing", Tested: "proven", Languages: []string{"typescript", "typescriptreact", "javascript", "javascriptreact"}, Install: []string{"npm install --global typescript@7", "other"}, Reason: "tsc is typescript 5.9.3, and version 7 or later is needed"},
		{ID: "zls", State: "disabled", Tested: "listed", Languages: []string{"zig"}, Reason: "disabled by\x1b configuration"},
		{ID: "bare", State: "missing", Tested: "listed"},
	}})))
}
