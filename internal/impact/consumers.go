package impact

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// Bounds of a search in one consumer.
const (
	maxConsumerFiles = 20_000
	maxConsumerBytes = 2 << 20 // of one file
	maxOccurrences   = 1000
)

// A Consumer is a folder outside the workspace whose files may use a symbol of it.
type Consumer struct {
	Root string
	// Speaks reports whether a file is of the symbol's language.
	Speaks func(path string) bool
}

// Uses returns the places in a consumer that refer to the symbol declared at a place, sorted by
// path and position; notes say what was left out. Servers do not look for references across
// repositories, so that the definition of each occurrence of the name is asked for.
func (c Consumer) Uses(ctx context.Context, q *symbols.Inquiry, name string, declaration symbols.Place) (uses []symbols.Place, notes []string, err error) {
	places, notes, err := c.occurrences(ctx, q, name)
	if err != nil {
		return nil, notes, err
	}
	means := make([]bool, len(places))
	failures := make([]error, len(places))
	slots := make(chan struct{}, atOnce)
	var all guard.Group
	for i, p := range places {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			found, err := q.Places(ctx, symbols.Definition, symbols.Target{Path: p.Path, At: p.Range.Start, Name: name})
			failures[i] = err
			means[i] = slices.ContainsFunc(found, func(d symbols.Place) bool {
				return d.Path == declaration.Path && d.Range.Start.Line == declaration.Range.Start.Line
			})
		})
	}
	all.Wait()
	unknown := 0
	for i, p := range places {
		if means[i] {
			uses = append(uses, p)
		}
		if failures[i] != nil {
			unknown++
			err = failures[i]
		}
	}
	switch {
	case unknown == 0:
		return uses, notes, nil
	case unknown == len(places):
		return nil, notes, err
	}
	return uses, append(notes, fmt.Sprintf("%s: what %s of %s mean is not known: %v", c.Root, counted(unknown, "occurrence"), name, err)), nil
}

// occurrences returns where a name stands in the files of the consumer.
func (c Consumer) occurrences(ctx context.Context, q *symbols.Inquiry, name string) (found []symbols.Place, notes []string, err error) {
	pattern, err := regexp.Compile(`(?:^|[^\pL\pN_$])(` + regexp.QuoteMeta(name) + `)(?:$|[^\pL\pN_$])`)
	if err != nil {
		return nil, nil, err
	}
	files := 0
	err = filepath.WalkDir(c.Root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // what may not be read is not there
		case d.IsDir():
			if path != c.Root && (strings.HasPrefix(d.Name(), ".") || d.Name() == language.NodeFolder) {
				return filepath.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || !c.Speaks(path):
			return nil
		}
		if files++; files > maxConsumerFiles || len(found) > maxOccurrences {
			notes = append(notes, c.Root+" is too large: the search ended at "+path)
			return filepath.SkipAll
		}
		if info, err := d.Info(); err == nil && info.Size() <= maxConsumerBytes {
			found = append(found, occurrencesIn(q, path, pattern)...)
		}
		return nil
	})
	return found, notes, err
}

func occurrencesIn(q *symbols.Inquiry, path string, pattern *regexp.Regexp) (found []symbols.Place) {
	content, err := fspath.Read(path)
	if err != nil || !pattern.Match(content) {
		return nil
	}
	text, err := q.Text(path)
	if err != nil {
		return nil
	}
	content = text.Content()
	for at := 0; at < len(content); {
		m := pattern.FindSubmatchIndex(content[at:])
		if m == nil {
			break
		}
		from, to := at+m[2], at+m[3]
		found = append(found, symbols.Place{Path: path, Range: protocol.Range{
			Start: text.Position(from, protocol.UTF16), End: text.Position(to, protocol.UTF16),
		}})
		at = to
	}
	return found
}
