package raw

import "strings"

// lineEdit is the content change from before to after that replaces the lines
// between the first and the last that differ: servers that parse incrementally
// have the least to do.
func lineEdit(before, after string) object {
	prefix := 0
	for prefix < len(before) && prefix < len(after) && before[prefix] == after[prefix] {
		prefix++
	}
	prefix = strings.LastIndexByte(before[:prefix], '\n') + 1

	rest := min(len(before), len(after)) - prefix
	suffix := 0
	for suffix < rest && before[len(before)-1-suffix] == after[len(after)-1-suffix] {
		suffix++
	}
	// From the first whole line in what is the same.
	if i := strings.IndexByte(before[len(before)-suffix:], '\n'); i >= 0 {
		suffix -= i + 1
	} else {
		suffix = 0
	}
	return object{
		"range": object{
			"start": position(before, prefix),
			"end":   position(before, len(before)-suffix),
		},
		"text": after[prefix : len(after)-suffix],
	}
}

// position is the LSP position of a byte offset: 0-based line, UTF-16 units.
func position(text string, offset int) object {
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	units := 0
	for _, r := range text[start:offset] {
		units++
		if r > 0xFFFF {
			units++
		}
	}
	return object{"line": strings.Count(text[:offset], "\n"), "character": units}
}
