// Package truth changes real code, and projects of all shapes, in realistic ways, and
// holds what LSPine says of each change against what the language's own compiler says
// of the same tree before and after it.
//
// Each archive of e2e/code is a project, real or its own, and a script of changes. A
// change is made by the operation edit, by writing files, or by git; after the last
// two check is asked about the changed files. Then it is taken back, by the same way,
// and what is said of that is judged as well. Random changes by a seed follow.
//
// What the compiler has after a change and did not have before is what an answer has
// to call new, file by file; what went is fixed; and the verdict has to fit. An answer
// may say that it does not know: that is counted. All else that differs is a mismatch,
// and fails the test unless the table of limits explains it.
//
// TestRenames renames declared names and asks the compiler; TestReferences asks where symbols
// are used, and holds that against the index that the language's own indexer makes. The table
// of differences explains in what they may differ.
//
// docs/reference/truth.md shows the outcome.
package truth
