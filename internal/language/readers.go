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
		slices.Concat(endingsOf(NativeFamily), Endings(Swift)),
		Endings(Go),
		slices.Concat(Endings(Java), Endings(Kotlin), Endings(Scala), []string{".groovy", ".clj", ".cljc"}),
		Endings(Rust),
		slices.Concat(Endings(CSharp), []string{".fs", ".fsi", ".vb", ".razor", ".cshtml"}),
		Endings(PHP),
		Endings("ruby"), Endings("shellscript"), Endings("perl"), Endings("r"), Endings("julia"),
		slices.Concat(Endings("elixir"), []string{".erl", ".hrl"}),
		{".lua"},
		{".css", ".scss", ".sass", ".less"},
		{".html", ".htm"},
		{".md", ".markdown"},
	}
})

// between are exceptions: files with these endings on the right are read by those of languages on the left.
var between = sync.OnceValue(func() []exception {
	return []exception{
		{Endings(Go), endingsOf(NativeFamily)},                                                 // cgo
		{Endings(Rust), slices.Concat(endingsOf(NativeFamily), Endings(JavaScript))},           // build scripts, wasm-bindgen
		{slices.Concat(Endings(Vue), Endings(Svelte), Endings(Astro)), circleOf(".css")},       // <style src>
		{circleOf(Endings(TypeScript)[0]), circleOf(".html")},                                  // templates
		{circleOf(".html"), slices.Concat(circleOf(Endings(TypeScript)[0]), circleOf(".css"))}, // scripts and styles
		{circleOf(".css"), circleOf(Endings(TypeScript)[0])},                                   // where classes are used
		{Endings(PHP), circleOf(".html")},
	}
})

// An exception says which files are read by those of another circle.
type exception struct{ by, of []string }

// endingsOf returns the endings of a family.
func endingsOf(f Family) (endings []string) {
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

// NeverReads reports whether it is known by their languages alone that a tool for files with some endings reads nothing of a file, so
// that nothing it says depends on that file's text. It is not known of a tool none of whose endings is listed.
func NeverReads(endings []string, file string) bool {
	ending := filepath.Ext(file)
	theirs, known := circleOf(ending), false
	if theirs == nil {
		return false
	}
	for _, own := range endings {
		circle := circleOf(own)
		if slices.Contains(circle, ending) {
			return false
		}
		for _, b := range between() {
			if slices.Contains(b.by, own) && slices.Contains(b.of, ending) {
				return false
			}
		}
		known = known || circle != nil
	}
	return known
}

// NeverUses reports whether a file can be known to use nothing of another by their languages
// alone.
func NeverUses(file, other string) bool { return NeverReads([]string{filepath.Ext(file)}, other) }
