package checking

import (
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
)

func pathsOf(reports []diagnostics.FileReport) (paths []string) {
	for i := range reports {
		paths = append(paths, reports[i].Path)
	}
	return paths
}

// caveats returns notes on how the servers of the checked files judge them differently than the
// project would, each once in a session.
func (ch *Checker) caveats(detection *roots.Detection, paths []string) (notes []string) {
	for _, path := range paths {
		for _, c := range detection.Candidates(path) {
			for _, note := range []string{c.Deviation(), ch.workspace.PrefersGo(&c)} {
				if note != "" && !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return slices.DeleteFunc(notes, func(note string) bool {
		said := ch.session.said[note]
		ch.session.said[note] = true
		return said
	})
}
