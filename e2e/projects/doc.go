// Package projects sets ten real projects up, rightly and in wrong ways: Go with its
// modules and with a vendor folder, TypeScript of npm and of pnpm, Python of uv and with
// a .venv, Rust, Java of Maven, C++ of CMake, and a monorepo of three languages.
//
// Each set-up is a process of its own, with an environment of its own, and is asked the
// same: a file that is right, the same file with an error, an edit that breaks a user,
// the references of a name, and the doctor. What the compiler says of these texts in the
// right set-up is known (LSPINE_TRUTH=long asks it); no answer may call clean what the
// compiler does not, and none may count as an error what only the set-up causes.
// docs/reference/projects.md shows all answers.
package projects
