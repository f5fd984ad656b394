package language

import (
	"bytes"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// An Inclusion is a place in a text where the program takes in another file by its name: Go's embedding, include_str! of Rust,
// #include of C. The file may be of any language, or of none.
type Inclusion struct {
	// Name is the path of the file as the text has it, with slashes, or the end of it.
	Name string
	// Root is the folder that the name is relative to.
	Root InclusionRoot
	// Pattern says that the name is one for [path.Match], and that all files in a folder of that name are meant as well.
	Pattern bool
	// Asks says that the text only asks whether there is such a file.
	Asks bool
	// Reads is what of the file can matter to what is wrong with the program.
	Reads InclusionReads
}

// An InclusionRoot is what the name of an included file is relative to.
type InclusionRoot int

const (
	Beside   InclusionRoot = iota // the folder of the file that includes it
	Above                         // that folder or one above it
	Anywhere                      // a folder that a build says, if there is no such file beside
)

// InclusionReads is what of an included file can matter.
type InclusionReads int

const (
	InclusionPresence InclusionReads = iota // that it is there
	InclusionText                           // and that it is UTF-8
	InclusionSize                           // and its size
	InclusionContent                        // all of it
)

// inclusions are the ways in which languages include files of any kind. Servers that judge what is included of files of
// their own languages know those by themselves.
var inclusions = map[ID]func(text []byte) []Inclusion{Go: goInclusions, Rust: rustInclusions}

// Includes reports whether files of the language of a file can include any other file by its name.
func Includes(file string) bool { return inclusionsOf(file) != nil }

// IncludesBelow reports whether files of the language of a file include only what is in their folder, or below it.
func IncludesBelow(file string) bool { return Is(file, Go) }

// IncluderEndings are those of the files that may include files of any folder.
func IncluderEndings() (endings []string) {
	for _, l := range languages {
		for _, ending := range l.Endings {
			if Includes(ending) && !IncludesBelow(ending) {
				endings = append(endings, ending)
			}
		}
	}
	return endings
}

func inclusionsOf(file string) func(text []byte) []Inclusion {
	l := Of(file)
	if l.Family == NativeFamily {
		return nativeInclusions
	}
	return inclusions[l.ID]
}

// Inclusions returns the files that a text includes by their names, nil if those of its language cannot.
func Inclusions(file string, text []byte) []Inclusion {
	if find := inclusionsOf(file); find != nil {
		return find(text)
	}
	return nil
}

// IsForeign reports whether a file is of another language than those whose files the servers of a file that includes others know
// anyway.
func IsForeign(file, other string) bool {
	return !slices.Contains(circleOf(filepath.Ext(file)), filepath.Ext(other))
}

// ForeignInclusions returns the inclusions of a text that are foreign to its language.
func ForeignInclusions(file string, text []byte) []Inclusion {
	return slices.DeleteFunc(Inclusions(file, text), func(i Inclusion) bool { return !i.Pattern && !IsForeign(file, i.Name) })
}

// Places returns the paths that an inclusion in a file certainly means if there are files: not those in folders that only a build
// names. Folders above the root are none.
func (i Inclusion) Places(file, root string) (paths []string) {
	dir, name := filepath.Dir(file), filepath.FromSlash(i.Name)
	if filepath.IsAbs(name) {
		return []string{filepath.Clean(name)}
	}
	for {
		paths = append(paths, filepath.Join(dir, name))
		if i.Root != Above || dir == root || dir == filepath.Dir(dir) {
			return paths
		}
		dir = filepath.Dir(dir)
	}
}

// Means reports whether an inclusion in a file may mean another file.
func (i Inclusion) Means(file, other string) bool {
	if i.Pattern {
		return i.meansBelow(filepath.Dir(file), other)
	}
	isPlace := slices.Contains(i.Places(file, ""), other)
	return file != other && (isPlace || i.Root == Anywhere && strings.HasSuffix(other, filepath.FromSlash(i.end())))
}

// meansBelow reports whether a pattern in a file of a folder means another file, or a folder that contains it.
func (i Inclusion) meansBelow(dir, other string) bool {
	relative, err := filepath.Rel(dir, other)
	if err != nil || !filepath.IsLocal(relative) {
		return false
	}
	for part := filepath.ToSlash(relative); part != "."; part = path.Dir(part) {
		if ok, err := path.Match(i.Name, part); ok && err == nil {
			return true
		}
	}
	return false
}

// end returns the end that the path of what is included has, without what leads upwards.
func (i Inclusion) end() string { return path.Clean("/" + i.Name) }

// Matters reports whether the program may be another one with the text after a change of an included file than with the text
// before; nil stands for no file.
func (i Inclusion) Matters(before, after []byte) bool {
	switch {
	case before == nil || after == nil:
		return before != nil || after != nil
	case i.Reads == InclusionContent:
		return !bytes.Equal(before, after)
	case i.Reads == InclusionSize:
		return len(before) != len(after)
	case i.Reads == InclusionText:
		return utf8.Valid(before) != utf8.Valid(after)
	}
	return false
}

var (
	embedLine    = lazyregexp.New(`(?m)^[ \t]*//go:embed[ \t]+(.+)$`)
	embedPattern = lazyregexp.New("\"([^\"]*)\"|`([^`]*)`|(\\S+)")
)

func goInclusions(text []byte) (list []Inclusion) {
	for _, line := range embedLine.FindAllSubmatch(text, -1) {
		for _, m := range embedPattern.FindAllSubmatch(line[1], -1) {
			list = append(list, Inclusion{Name: strings.TrimPrefix(string(slices.Concat(m[1], m[2], m[3])), "all:"), Pattern: true})
		}
	}
	return list
}

var (
	// rustMacros begin macros whose arguments name a file: those of the language, and those of libraries. Each begins with a
	// literal, which is what makes the search fast.
	rustMacros = []*lazyregexp.Regexp{lazyregexp.New(`include((?:_\w+)?)!\s*[(\[{]`), lazyregexp.New(`query_file(\w*)!\s*[(\[{]`)}
	partOfWord = lazyregexp.New(`\w$`)
	// rustToken is a literal among its arguments, the name of a variable of the build, or a bracket.
	rustToken = lazyregexp.New(`(?s)r"([^"]*)"|r#"(.*?)"#|"((?:\\.|[^"\\])*)"|\benv!\s*[(\[{]\s*"(\w+)"|[(\[{]|[)\]}]`)
	// rustAttribute has the keys by which attributes name files.
	rustAttribute = lazyregexp.New(`#!?\[([^\]"]*(?:"[^"\n]*"[^\]"]*)+)\]`)
	rustKey       = lazyregexp.New(`\b(?:path|grammar|schema_path|query_path)\s*=\s*"([^"\n]+)"`)
)

// maxArguments bounds the text in which the arguments of a macro are looked for.
const maxArguments = 2000

func rustInclusions(text []byte) (list []Inclusion) {
	for _, macro := range rustMacros {
		for _, m := range macro.FindAllSubmatchIndex(text, -1) {
			line := text[bytes.LastIndexByte(text[:m[0]], '\n')+1 : m[0]]
			if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("//")) || partOfWord.Match(line) {
				continue
			}
			if i, ok := rustIncluded(string(text[m[0]:m[3]]), text[m[1]:min(len(text), m[1]+maxArguments)]); ok {
				list = append(list, i)
			}
		}
	}
	if !bytes.Contains(text, []byte("= \"")) && !bytes.Contains(text, []byte("=\"")) {
		return list
	}
	for _, attribute := range rustAttribute.FindAllSubmatch(text, -1) {
		for _, m := range rustKey.FindAllSubmatch(attribute[1], -1) {
			list = append(list, Inclusion{Name: string(m[1]), Root: Anywhere, Reads: InclusionContent})
		}
	}
	return list
}

// rustIncluded returns what a macro includes, given its name and the text that its arguments begin; false if that is not said.
func rustIncluded(macro string, arguments []byte) (i Inclusion, ok bool) {
	switch macro {
	case "include":
		i.Reads = InclusionContent
	case "include_str":
		i.Reads = InclusionText
	case "include_bytes":
		i.Reads = InclusionSize
	default: // of a library, which says what it is relative to
		i.Root, i.Reads = Anywhere, InclusionContent
	}
	depth, variable := 1, 0 // of brackets; that of a variable's, which may have a message of its own
	for depth > 0 {
		at := rustToken.FindSubmatchIndex(arguments)
		if at == nil {
			break
		}
		m := rustToken.FindSubmatch(arguments[at[0]:at[1]])
		arguments = arguments[at[1]:]
		literal := slices.Concat(m[1], m[2], m[3])
		switch {
		case len(m[4]) > 0:
			depth++
			if variable, i.Root = depth, Anywhere; string(m[4]) == "CARGO_MANIFEST_DIR" {
				i.Root = Above
			}
		case len(literal) > 0 && variable == 0:
			i.Name += string(literal)
		case bytes.ContainsAny(m[0], "([{") && len(m[0]) == 1:
			depth++
		case bytes.ContainsAny(m[0], ")]}") && len(m[0]) == 1:
			if depth--; depth < variable {
				variable = 0
			}
		}
	}
	i = i.cleaned()
	return i, i.Name != ""
}

// cleaned returns the inclusion with the name that is left of one whose beginning stands for its root.
func (i Inclusion) cleaned() Inclusion {
	if rest, found := strings.CutPrefix(i.Name, "$CARGO_MANIFEST_DIR"); found {
		i.Name, i.Root = rest, Above
	}
	if i.Root != Beside { // it goes on from a folder
		i.Name = strings.TrimLeft(i.Name, "/")
	}
	return i
}

var (
	nativeDirective = lazyregexp.New(`^#[ \t]*(include|import|include_next|embed)\b[ \t]*(?:["<]([^">\n]+)[">]|(\w+))`)
	nativeAsked     = lazyregexp.New(`__has_(?:include|include_next|embed)[ \t]*\([ \t]*["<]([^">\n]+)[">]`)
	nativeNamed     = lazyregexp.New(`^#[ \t]*define[ \t]+(\w+)[ \t]+["<]([^">\n]+)[">]`)
)

// directiveLines returns the lines that begin with a #, from there on.
func directiveLines(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; ; {
			next := bytes.IndexByte(text[at:], '#')
			if next < 0 {
				return
			}
			begin := at + next
			line, _, _ := bytes.Cut(text[begin:], []byte("\n"))
			before := text[bytes.LastIndexByte(text[:begin], '\n')+1 : begin]
			if at = begin + len(line); len(bytes.TrimLeft(before, " \t")) == 0 && !yield(line) {
				return
			}
		}
	}
}

func nativeInclusions(text []byte) (list []Inclusion) {
	names := make(map[string]string) // by the macro that stands for it
	var used []string
	for line := range directiveLines(text) {
		i := Inclusion{Root: Anywhere, Reads: InclusionContent}
		if m := nativeDirective.FindSubmatch(line); m != nil {
			if string(m[1]) == "embed" {
				i.Reads = InclusionSize
			}
			if i.Name = string(m[2]); i.Name != "" {
				list = append(list, i)
			} else {
				used = append(used, string(m[3]))
			}
			continue
		}
		if m := nativeNamed.FindSubmatch(line); m != nil {
			names[string(m[1])] = string(m[2])
		}
		for _, m := range nativeAsked.FindAllSubmatch(line, -1) {
			list = append(list, Inclusion{Name: string(m[1]), Root: Anywhere, Asks: true})
		}
	}
	for _, macro := range used {
		if name := names[macro]; name != "" {
			list = append(list, Inclusion{Name: name, Root: Anywhere, Reads: InclusionContent})
		}
	}
	return list
}
