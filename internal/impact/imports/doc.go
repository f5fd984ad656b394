// Package imports finds by text which files a change of names may concern: those
// that bring in the changed file, by way of others, too, and mention a name that is
// declared by means of a changed one.
//
// It errs on the side of too many: what it does not find cannot be concerned, as far
// as a language says in the text what a file brings in. Servers then say what is so.
// It knows TypeScript and JavaScript, Python, C and C++ and their kin.
package imports
