package language

import (
	"path/filepath"
	"slices"
	"sync"
)

// circles are the languages whose compilers and servers read files of each other, and of no other circle, by the endings of their
// files. Languages that are not listed may be read by anybody: data and settings are.
var circles = sync.OnceValue(func() [][]string {
	return [][]string{
		slices.Concat(Endings(TypeScript), Endings(TypeScriptReact), Endings(JavaScript), Endings(JavaScriptReact), Endings(Vue), Endings(Svelte), Endings(Astro)),
		Endings(Python),
		slices.Concat(FamilyEndings(NativeFamily), Endings(Swift)),
		Endings(Go),
		slices.Concat(Endings(Java), Endings(Kotlin), Endings(Scala), []string{".groovy", ".clj", ".cljc"}),
		Endings(Rust),
		slices.Concat(Endings(CSharp), []string{".fs", ".fsi", ".vb", ".razor", ".cshtml"}),
		Endings(PHP),
		Endings("ruby"), Endings("shellscript"), Endings("perl"), Endings("r"), Endings("julia"),
		slices.Concat(Endings("elixir"), []string{".erl", ".hrl"}),
		{".lua"},
		{".tf", ".tfvars"},
		{".dart"},
		{".zig"},
		{".nix"},
		{".hs"},
		{".ml", ".mli"},
		{".sql"},
		{".proto"},
		{".css", ".scss", ".sass", ".less"},
		{".html", ".htm"},
		{".md", ".markdown"},
	}
})

// A Crossing is a way in which files of one circle come into another, which only some projects and tools have.
type Crossing int

const (
	// Cgo: Go packages that import "C" read C.
	Cgo Crossing = iota + 1
	// GoEmbedding: Go files embed others.
	GoEmbedding
	// BuildScripts: programs that run before a crate is compiled read any file, above all C.
	BuildScripts
	// Frameworks: templates, style sheets and scripts use each other by the rules of a framework, whose tools say that all of
	// these are among their languages.
	Frameworks
)

// between are exceptions: files with these endings on the right are read by those of languages on the left.
var between = sync.OnceValue(func() []exception {
	// What is included as it stands: as a part of the program, or of a text in it.
	read := slices.Concat(circleOf(".html"), circleOf(".css"), circleOf(".md"), circleOf(".lua"), Endings("shellscript"))
	return []exception{
		{FamilyEndings(NativeFamily), slices.Concat(Endings(JavaScript), Endings(Python), read), 0}, // #include
		{Endings(Go), FamilyEndings(NativeFamily), Cgo},
		{Endings(Rust), slices.Concat(FamilyEndings(NativeFamily), Endings(JavaScript), read), BuildScripts},
		{slices.Concat(Endings(Vue), Endings(Svelte), Endings(Astro)), circleOf(".css"), 0},                // <style src>
		{circleOf(Endings(TypeScript)[0]), circleOf(".html"), Frameworks},                                  // templates
		{circleOf(".html"), slices.Concat(circleOf(Endings(TypeScript)[0]), circleOf(".css")), Frameworks}, // scripts and styles
		{circleOf(".css"), circleOf(Endings(TypeScript)[0]), Frameworks},                                   // where classes are used
		{Endings(PHP), circleOf(".html"), 0},
	}
})

// An exception says which files are read by those of another circle; if it has a crossing, only where there is that.
type exception struct {
	by, of []string
	where  Crossing
}

// FamilyEndings returns the endings of the files of a family.
func FamilyEndings(f Family) (endings []string) {
	for i := range languages {
		if languages[i].Family == f {
			endings = append(endings, languages[i].Endings...)
		}
	}
	return endings
}

// circleOf returns the endings of the circle that has one, nil if none has it.
func circleOf(ending string) []string {
	at := slices.IndexFunc(circles(), func(c []string) bool { return slices.Contains(c, ending) })
	if at < 0 {
		return nil
	}
	return circles()[at]
}

// A Reading says what of a file can matter to a tool for files of other languages.
type Reading int

const (
	ReadsNothing  Reading = iota
	ReadsPresence         // whether it is there: what a program embeds is not understood, but must exist
	ReadsContent
)

// ReadingOf returns what of a file can matter, by their languages, to a tool for files with some endings. has reports whether the file
// is read by a crossing; nil means that it may be by any. Of a tool none of whose endings is listed, and of a file whose ending is not,
// nothing is known: its content may.
func ReadingOf(endings []string, file string, has func(Crossing) bool) Reading {
	may := func(c Crossing) bool { return c == 0 || has == nil || has(c) }
	ending := filepath.Ext(file)
	theirs, known, reading := circleOf(ending), false, ReadsNothing
	if theirs == nil {
		return ReadsContent
	}
	for _, own := range endings {
		circle := circleOf(own)
		if slices.Contains(circle, ending) {
			return ReadsContent
		}
		for _, b := range between() {
			if slices.Contains(b.by, own) && slices.Contains(b.of, ending) && may(b.where) {
				return ReadsContent
			}
		}
		if slices.Contains(embedding(), own) && (!slices.Contains(Endings(Go), own) || may(GoEmbedding)) {
			reading = ReadsPresence
		}
		known = known || circle != nil
	}
	if !known {
		return ReadsContent
	}
	return reading
}

// embedding are the endings of files that embed others, whatever these hold.
var embedding = sync.OnceValue(func() []string { return slices.Concat(Endings(Go), Endings(Rust)) })

// MayCross reports whether a file may come into Go or Rust by a crossing, which depends on the project.
func MayCross(file string) bool {
	ending := filepath.Ext(file)
	return circleOf(ending) != nil && !takesOthers(file)
}

// takesOthers reports whether a file is of a language into which others come by crossings that depend on the project.
func takesOthers(file string) bool { return slices.Contains(embedding(), filepath.Ext(file)) }

// NeverUses reports whether a file can be known to use nothing that another declares, by their languages
// alone.
func NeverUses(file, other string) bool {
	return ReadingOf([]string{filepath.Ext(file)}, other, nil) < ReadsContent
}
