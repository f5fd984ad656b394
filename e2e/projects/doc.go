// Package projects sets ten real projects up, rightly and in wrong ways: Go with its
// modules and with a vendor folder, TypeScript of npm and of pnpm, Python of uv and with
// a .venv, Rust, Java of Maven, C++ of CMake, and a monorepo of three languages.
//
// Each set-up is a process of its own, with an environment of its own, and is asked the
// same: a file that is right, the same file with an error, an edit that breaks a user,
// the references of a name, and the doctor. The changes are errors for any compiler: a
// value of another type, a signature that its users do not have. No answer may call that
// clean, and none may count as an error what only the set-up causes. Then the set-up is
// mended while the servers run, and asked once more: all is as with the right one.
// LSPINE_TRUTH=long tries all set-ups; docs/reference/projects.md shows the answers.
package projects
