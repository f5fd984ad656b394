package protocol

import (
	"html"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// entity is a character that some servers write as HTML does, for editors that show a
// page.
var entity = lazyregexp.New(`&(?:lt|gt|quot|apos|nbsp|amp|#39|#x27|#34|#160|emsp|ensp|hellip|ndash|mdash);`)

// picture is an image whose bytes stand in the text.
var picture = lazyregexp.New(`!\[([^\]]*)\]\(\s*<?data:[^)]*\)|<img\b[^>]*?\bsrc\s*=\s*(?:"data:[^"]*"|'data:[^']*')[^>]*>`)

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
