package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// A section of the page; its heading is its name.
type section struct{ heading, text string }

const title = "# Benchmarks\n"

// page writes sections below the title.
func page(list []section) string {
	var b strings.Builder
	b.WriteString(title)
	for _, s := range list {
		b.WriteString("\n## " + s.heading + "\n\n" + strings.TrimSpace(s.text) + "\n")
	}
	return b.String()
}

// parsePage takes a page apart. What stands before the first heading is left out.
func parsePage(text string) []section {
	var list []section
	for _, part := range strings.Split("\n"+text, "\n## ")[1:] {
		heading, rest, _ := strings.Cut(part, "\n")
		list = append(list, section{heading, rest})
	}
	return list
}

// merged replaces sections of a page by those measured now; others stay. The
// order is that of [sections].
func merged(old string, measured []section) string {
	all := slices.Clone(measured)
	for _, s := range parsePage(old) {
		if !slices.ContainsFunc(all, func(m section) bool { return m.heading == s.heading }) {
			all = append(all, s)
		}
	}
	place := func(s section) int {
		for i := range sections {
			if sections[i].heading == s.heading {
				return i
			}
		}
		return len(sections)
	}
	slices.SortStableFunc(all, func(a, b section) int { return place(a) - place(b) })
	return page(all)
}

// publish writes what was measured into the page.
func publish(file string, measured []section) error {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(file, []byte(merged(string(old), measured)), 0o644)
}
