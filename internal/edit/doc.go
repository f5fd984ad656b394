// Package edit holds what an edit is: replacements of text at positions, and
// how the lines of a text move when it becomes another.
package edit
