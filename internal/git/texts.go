package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Commit returns the id of the commit that is checked out; "" without a checkout, without
// git, and in a repository without commits.
func (co *Checkout) Commit(ctx context.Context) string {
	id, err := co.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// unborn reports whether the root is in a repository without commits.
func (co *Checkout) unborn(ctx context.Context) bool {
	if _, err := co.git(ctx, "rev-parse", "--git-dir"); err != nil {
		return false
	}
	_, err := co.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	return err != nil && ctx.Err() == nil
}

// TextsAt returns the contents that files had at a revision, by path, from one process
// for all; what was not there is not among them. Known is false if there is no such
// revision: without a checkout, without git, in a repository without commits. An unknown
// revision other than HEAD is a *Error as well. Files in a submodule have the contents of the commit that the revision has it
// at. Those in another checkout below the root have those of the commit that is checked out there, or of the revision if that names one.
func (co *Checkout) TextsAt(ctx context.Context, revision string, paths []string) (texts map[string][]byte, known bool, err error) {
	own, inside := co.byCheckout(paths)
	if texts, known, err = co.textsAt(ctx, revision, own); err != nil {
		return texts, known, err
	}
	if known {
		co.addGoneTexts(ctx, revision, own, texts)
	}
	if len(inside) == 0 {
		return texts, known, nil
	}
	commit, recorded := co.Commit(ctx), co.recorded(ctx, revision, slices.Collect(maps.Keys(inside)))
	for checkout, paths := range inside {
		there, base := co.at(checkout), revision
		if submodule := recorded[checkout]; submodule != "" {
			base = submodule
		} else if revision == commit { // which says nothing about the other checkout
			base = "HEAD"
		}
		more, found, err := there.TextsAt(ctx, base, paths)
		if !found || err != nil {
			more, found, err = there.TextsAt(ctx, "HEAD", paths)
		}
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if found && err == nil {
			maps.Copy(texts, more)
			known = known || len(own) == 0
		}
	}
	return texts, known, nil
}

// byCheckout returns the paths that are in no checkout but that of the root, and the others by checkout.
func (co *Checkout) byCheckout(paths []string) (own []string, inside map[string][]string) {
	inside = make(map[string][]string)
	for _, path := range paths {
		if checkout := co.outermostOf(filepath.Dir(path)); checkout != "" {
			inside[checkout] = append(inside[checkout], path)
		} else {
			own = append(own, path)
		}
	}
	return own, inside
}

// FilesAt returns the files below the root that are in a revision, relative to the root, with slashes: neither links nor what is in other
// checkouts. If there is no such revision that is a *Error.
func (co *Checkout) FilesAt(ctx context.Context, revision string) (names []string, err error) {
	output, err := co.git(ctx, "ls-tree", "-r", "-z", revision+"^{commit}")
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(output), "\x00") {
		// "<mode> <type> <id>\t<name>"
		if about, name, found := strings.Cut(entry, "\t"); found && strings.HasPrefix(about, "100") {
			names = append(names, name)
		}
	}
	return names, nil
}

// CommitOf returns the id of the commit that a revision names. If there is none that is a *Error.
func (co *Checkout) CommitOf(ctx context.Context, revision string) (string, error) {
	if revision == "" || strings.HasPrefix(revision, "-") {
		return "", &Error{[]string{"rev-parse", revision}, revision + " is no revision: it is a name or an id"}
	}
	id, err := co.git(ctx, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	if err != nil {
		return "", &Error{[]string{"rev-parse", revision}, "there is no such revision " + revision}
	}
	return strings.TrimSpace(string(id)), nil
}

func (co *Checkout) textsAt(ctx context.Context, revision string, paths []string) (texts map[string][]byte, known bool, err error) {
	texts = make(map[string][]byte, len(paths))
	if revision == "" || strings.HasPrefix(revision, "-") {
		return nil, false, &Error{[]string{"rev-parse", revision}, revision + " is no revision: it is a name or an id"}
	}
	if _, err := co.git(ctx, "rev-parse", "--verify", "--quiet", revision+"^{commit}"); err != nil {
		var failed *Error
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case revision == "HEAD":
			return texts, false, nil
		case errors.As(err, &failed) && strings.HasPrefix(failed.Reason, "exit status"):
			return nil, false, &Error{[]string{"rev-parse", revision}, "there is no such revision " + revision}
		}
		return nil, false, err
	}
	var asked []string
	var names strings.Builder
	for _, path := range paths {
		name := fmt.Sprintf("%s:./%s", revision, co.relative(path))
		if strings.Contains(name, "\n") { // which ends a name below
			if content, err := co.git(ctx, "cat-file", "blob", name); err == nil {
				texts[path] = content
			}
			continue
		}
		asked = append(asked, path)
		names.WriteString(name + "\n")
	}
	output, err := co.gitReading(ctx, strings.NewReader(names.String()), "cat-file", "--batch")
	if err != nil {
		return nil, false, err
	}
	if err := readObjects(output, asked, texts); err != nil {
		return nil, false, err
	}
	return texts, true, nil
}

// readObjects adds to texts the contents that git cat-file --batch has for paths.
func readObjects(output []byte, paths []string, texts map[string][]byte) error {
	reader := bufio.NewReader(bytes.NewReader(output))
	for _, path := range paths {
		content, found, err := nextObject(reader)
		if err != nil {
			return &Error{[]string{"cat-file", "--batch"}, err.Error()}
		}
		if found {
			texts[path] = content
		}
	}
	return nil
}

// nextObject reads one answer of git cat-file --batch: "<id> <type> <size>", the content
// and a line end, or "<name> missing".
func nextObject(r *bufio.Reader) (content []byte, found bool, err error) {
	header, err := r.ReadString('\n')
	if err != nil {
		return nil, false, err
	}
	if strings.HasSuffix(header, " missing\n") { // whatever the name looks like
		return nil, false, nil
	}
	fields := strings.Fields(header)
	if len(fields) < 3 || fields[len(fields)-2] != "blob" {
		if len(fields) == 3 && fields[1] == "tree" { // a folder of that name
			size, err := strconv.Atoi(fields[2])
			if err == nil {
				_, err = r.Discard(size + 1)
			}
			return nil, false, err
		}
		return nil, false, nil
	}
	size, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil {
		return nil, false, err
	}
	content = make([]byte, size+1)
	if _, err := io.ReadFull(r, content); err != nil {
		return nil, false, err
	}
	return content[:size], true, nil
}
