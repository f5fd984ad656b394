package dependants

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
)

// Sources adds to a file the servers that judge it, and failures for those that are unavailable and
// missed.
func (f *Finder) Sources(file *diagnostics.File) {
	f.AddSources(file, roots.Missed(f.workspace.Candidates(file.Path)))
}

// Sources is like [Finder.Sources], with the servers found by the search's detection.
func (s *Search) Sources(file *diagnostics.File) {
	s.AddSources(file, roots.Missed(s.detection.Candidates(file.Path)))
}

// AddSources adds candidates to a file's sources or, if they are unavailable, to its failures.
func (f *Finder) AddSources(file *diagnostics.File, candidates []roots.Candidate) {
	for _, c := range candidates {
		key := diagnostics.Key(c.Key())
		if c.Unavailable != nil {
			file.Failures = append(file.Failures, diagnostics.Answer{
				Server: key.ID, Root: key.Root, Freshness: diagnostics.Unavailable,
				Reason: c.Unavailable.Reason, Err: c.Unavailable,
				Dispensable: c.Definition.Role != registry.Primary || c.Unavailable.State == roots.Disabled,
			})
			continue
		}
		f.setup.Renew(&c.Definition, c.Key(), file.Path)
		file.Sources = append(file.Sources, diagnostics.Source{
			Key: key, Quiet: f.quietOn(file, &c), Setup: f.setup.Of(&c.Definition, c.Key()), StartTime: func() time.Duration { return f.workspace.StartTime(c.Key()) },
			Obtain: func(ctx context.Context) (diagnostics.Server, error) {
				s, err := f.workspace.Server(ctx, c)
				if err != nil {
					return nil, err
				}
				return s, nil
			},
		})
	}
}

// anySource reports whether a property holds for any server of a file, or a server's definition is
// not known.
func (f *Finder) anySource(file diagnostics.File, holds func(registry.Definition) bool) bool {
	return slices.ContainsFunc(file.Sources, func(s diagnostics.Source) bool {
		d, known := f.Definition(s.Key.ID)
		return !known || holds(d)
	})
}

// AwaitsSave reports whether any server of a file judges what is saved on disk.
func (f *Finder) AwaitsSave(file diagnostics.File) bool {
	return f.anySource(file, func(d registry.Definition) bool { return d.AwaitsSave() })
}

// ReadsDisk reports whether any server of a file sees other files as they are on disk, whatever it
// is shown: what was wrong in the file before they changed can then be known only from an earlier
// check.
func (f *Finder) ReadsDisk(file diagnostics.File) bool {
	return f.anySource(file, func(d registry.Definition) bool {
		return d.Has(registry.ReadsSaved) || len(d.Diagnostics.Strategies) == 0 && !d.Has(registry.BesideOpened)
	})
}

// ReadingOf returns what of another file can matter to what is said of a file, the most of all its servers.
func (f *Finder) ReadingOf(file *diagnostics.File, other string) (most language.Reading) {
	f.anySource(*file, func(d registry.Definition) bool {
		most = max(most, lsp.ReadingOf(&d, other, f.workspace.Crosses))
		return false
	})
	return most
}

// ConfiguredOnDisk returns the servers of a file that take their configuration, which the changes
// alter, from disk, whatever they are shown: what was wrong in the file before the changes were made
// can then be known only from an earlier check.
func (f *Finder) ConfiguredOnDisk(file diagnostics.File, changes Changes) (servers []diagnostics.Key) {
	for _, s := range file.Sources {
		d, known := f.Definition(s.Key.ID)
		altered := func(path string) bool { return slices.Contains(d.Roots, filepath.Base(path)) }
		if known && d.Has(registry.ConfiguredBySaving) && slices.ContainsFunc(changes.Paths(), altered) {
			servers = append(servers, s.Key)
		}
	}
	return servers
}

// MissesGone reports whether any server of a file cannot find files that are gone from disk,
// whatever it is shown in their place: what was wrong in the file before they were removed can then
// be known only from an earlier check. Some servers fail to find only files of other packages.
func (f *Finder) MissesGone(file diagnostics.File, gone []string) bool {
	return len(gone) > 0 && slices.ContainsFunc(file.Sources, func(s diagnostics.Source) bool {
		d, known := f.Definition(s.Key.ID)
		if !known || !d.Has(registry.FindsPackagesSaved) {
			return known && d.Has(registry.FindsSaved)
		}
		own := packageFolder(file.Path)
		return slices.ContainsFunc(gone, func(path string) bool { return packageFolder(path) != own })
	})
}

// Missing returns the names by which a server misses files that are gone: theirs, and those of the npm packages that they
// were a part of.
func Missing(gone []string) []string {
	names := slices.Clone(gone)
	for _, path := range gone {
		text, err := fspath.Read(filepath.Join(packageFolder(path), language.PackageJSON))
		var manifest struct{ Name string }
		if err == nil && json.Unmarshal(text, &manifest) == nil && manifest.Name != "" && !slices.Contains(names, manifest.Name) {
			names = append(names, manifest.Name)
		}
	}
	return names
}

// packageFolder returns the nearest folder above a file that has a package.json, "" if there is
// none.
func packageFolder(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, language.PackageJSON)); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// JudgesDisk reports whether a server judges only what is on disk.
func (f *Finder) JudgesDisk(id string) bool {
	d, known := f.Definition(id)
	return known && d.Role == registry.Primary && d.Diagnostics.Disk != nil && d.Diagnostics.Disk.Whole
}

// ChecksDisk reports whether any server of a file knows of other files only what a check of those on
// disk finds.
func (f *Finder) ChecksDisk(file diagnostics.File) bool {
	return f.anySource(file, func(d registry.Definition) bool { return d.Diagnostics.Disk != nil })
}

// JudgedOnDisk reports whether every server of a file judges it only as it is on disk: such servers
// cannot be shown the text from before a change.
func (f *Finder) JudgedOnDisk(file *diagnostics.File) bool {
	for _, s := range file.Sources {
		d, _ := f.Definition(s.Key.ID)
		if disk := d.Diagnostics.Disk; disk == nil || !disk.Whole {
			return false
		}
	}
	return len(file.Sources) > 0
}

// Reports reports whether what the server published about a file tells what was wrong with it
// before the change.
func Reports(file diagnostics.File) bool { return file.Reported && file.Closed }

// UnloadedBeside says for which other projects it is not known what an edit did, because their
// server could not load them, or because its check of the files on disk left them out.
func (f *Finder) UnloadedBeside(own []diagnostics.FileReport) (unknown []string) {
	for i := range own {
		for _, a := range own[i].Answers {
			d, known := f.Definition(a.Server)
			if !known {
				continue
			}
			key := diagnostics.Key{ID: a.Server, Root: a.Root}
			reason := cmp.Or(f.setup.UnloadedBeside(&d, key, own[i].Path), f.collector.LeftOutBeside(key, own[i].Path))
			if reason == "" {
				continue
			}
			if reason = "what the edit did beside its own project: " + reason; !slices.Contains(unknown, reason) {
				unknown = append(unknown, reason)
			}
		}
	}
	return unknown
}
