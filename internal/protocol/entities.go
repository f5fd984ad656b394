package protocol

import (
	"html"
	"regexp"
	"strings"
)

// entity is a character that some servers write as HTML does, for editors that show a
// page.
var entity = regexp.MustCompile(`&(?:lt|gt|quot|apos|nbsp|amp|#39|#x27|#34|#160|emsp|ensp|hellip|ndash|mdash);`)

// picture is an image whose bytes stand in the text.
var picture = regexp.MustCompile(`!\[([^\]]*)\]\(\s*<?data:[^)]*\)|<img\b[^>]*?\bsrc\s*=\s*(?:"data:[^"]*"|'data:[^']*')[^>]*>`)

// readable makes characters of the entities in a text, and ordinary blanks of those
// that do not break.
func readable(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	return entity.ReplaceAllStringFunc(text, func(written string) string {
		return strings.ReplaceAll(html.UnescapeString(written), "\u00a0", " ")
	})
}

// withoutPictures leaves of images in a text what they are called.
func withoutPictures(text string) string {
	if !strings.Contains(text, "data:") {
		return text
	}
	return picture.ReplaceAllString(text, "$1")
}
