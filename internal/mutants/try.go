package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

type outcome string

const (
	noticed  outcome = "noticed "
	survived outcome = "SURVIVED"
)

// errNoMutant says that a change does not compile: the compiler notices it.
var errNoMutant = errors.New("it does not compile")

// patience bounds one run of tests; a mutant that hangs is noticed too.
const patience = 90 * time.Second

// try runs the tests of the room against one mutant.
func try(ctx context.Context, m mutant) (outcome, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	source := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(source, m.source, 0o600); err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(struct{ Replace map[string]string }{map[string]string{original: source}})
	if err != nil {
		return "", err
	}
	description := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(description, overlay, 0o600); err != nil {
		return "", err
	}
	room := "./" + filepath.ToSlash(filepath.Dir(m.file))
	if err := exec.CommandContext(ctx, "go", "build", "-overlay", description, "-o", os.DevNull, room).Run(); err != nil {
		return "", errors.Join(errNoMutant, ctx.Err())
	}
	bounded, cancel := context.WithTimeout(ctx, patience+10*time.Second)
	defer cancel()
	tests := exec.CommandContext(bounded, "go", "test", "-overlay", description, "-vet=off", "-failfast", "-count=1", "-timeout", patience.String(), room)
	if err := tests.Run(); err == nil {
		return survived, nil
	}
	return noticed, ctx.Err()
}
