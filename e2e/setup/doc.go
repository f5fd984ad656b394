// Package setup shows real language servers projects that are set up wrongly on purpose:
// what they then say of a right text is not true, and LSPine must not hand it on as if it
// were. Each case lacks one thing, and says what every answer is to say about that.
package setup
