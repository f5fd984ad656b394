// Package hostile gives every front what a stranger can make: names of files, contents, links and devices, and arguments. Each has
// to live, to answer, to show nothing that is not what it seems, and to answer the next ordinary question right. What happened is
// the table in docs/reference/hostile.md.
package hostile
