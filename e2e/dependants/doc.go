// Package dependants compares what an edit is said to break with what the
// compilers of the languages say that it broke.
//
// For each language there is an archive in testdata: a small project,
// and cases, each of which is a patch. A case is applied by the operation edit, to
// files that nobody opened, and taken back by another one. Before and after, the
// compiler looks at the whole tree. The files, and the number of errors in each, that
// it has after an edit and did not have before are those that the answer must list:
// none more, none less. docs/reference/dependants.md shows the outcome.
package dependants
