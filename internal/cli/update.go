package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/release"
)

// updateTimeout limits the whole update.
const updateTimeout = 10 * time.Minute

// releasesVariable is the environment variable with the address of a mirror of the releases.
const releasesVariable = "LSPINE_RELEASES"

// releaseKey is what releases are signed with; only tests change it.
var releaseKey = release.Key()

type updateFlags struct {
	check, force, allowOlder bool
}

func newUpdate(streams *Streams) *cobra.Command {
	var f updateFlags
	cmd := &cobra.Command{
		Use:   "update",
		Short: "Replace this program with the newest release",
		Long: "update downloads the newest release for this system, checks that it is signed\n" +
			"with the key that this program contains, as that version, and replaces this\n" +
			"program in one step. It leaves a program that a package manager installed to\n" +
			"that, and leaves your own builds alone unless --force is given; one without a\n" +
			"key replaces itself with nothing. Nothing is downloaded, or looked for, without\n" +
			"this command. LSPINE_RELEASES names a mirror, by https.",
		Example: "  lspine update --check\n" +
			"  lspine update",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), streams) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.check, "check", false, "only print the version of the newest release, if it is newer")
	flags.BoolVar(&f.force, "force", false, "even if this is the newest release already, or your own build")
	flags.BoolVar(&f.allowOlder, "allow-older", false, "with --force, also if the newest release is older than this program")
	return cmd
}

func (f *updateFlags) run(ctx context.Context, streams *Streams) error {
	ctx, cancel := context.WithTimeout(ctx, updateTimeout)
	defer cancel()
	source := release.Source{Base: lookup(streams.Environ, releasesVariable), Key: releaseKey}
	if source.Base == "" {
		source.Base = release.Releases
	}
	latest, err := source.Latest(ctx)
	if err != nil {
		return err
	}
	present := ourVersion()
	newer := release.IsNewer(latest, present)
	switch {
	case f.check && newer:
		fmt.Fprintln(streams.Out, latest)
		return nil
	case !newer && !f.force || f.check:
		fmt.Fprintf(streams.Err, "lspine: %s is the newest release\n", present)
		return nil
	}
	program, err := self()
	if err != nil {
		return err
	}
	if err := f.refused(program, latest); err != nil {
		return err
	}
	text, err := source.Fetch(ctx, latest, release.Target{OS: runtime.GOOS, Arch: runtime.GOARCH})
	if err != nil {
		return err
	}
	if err := release.Replace(program, text); err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return &usageError{err.Error(), "run it as who installed " + program}
		}
		return err
	}
	fmt.Fprintf(streams.Err, "lspine: %s is %s now (it was %s)\n", program, latest, present)
	return nil
}

// refused returns why the program must not be replaced, nil if it may be.
func (f *updateFlags) refused(program, latest string) error {
	if m := release.ManagerOf(program, release.Owned); m != nil {
		return &usageError{fmt.Sprintf("%s was installed by %s, which updates it", program, m.Name), m.Command}
	}
	if releaseKey == "" {
		return &release.KeylessError{}
	}
	if present := ourVersion(); release.IsOlder(latest, present) && !f.allowOlder {
		return &usageError{fmt.Sprintf("the newest release is said to be %s, and this is %s: what was mended since would be lost", latest, present), "lspine update --force --allow-older replaces it all the same"}
	}
	if present := ourVersion(); !release.Is(present) && !f.force {
		return &usageError{fmt.Sprintf("this is a build of your own (%s); the newest release is %s", present, latest), "lspine update --force replaces it"}
	}
	return nil
}

// self returns the path of this program, with symbolic links resolved.
func self() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(program)
}
