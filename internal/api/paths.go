package api

import (
	"reflect"
	"slices"
	"strings"
)

// Members of requests that name files or folders, and those that name symbols, whose file comes
// first. Maps with one of the names have paths as their keys.
var (
	pathMembers   = []string{"file", "files", "path", "new_path", "rename_to", "add", "remove", "consumer_roots", "contents", "before"}
	symbolMembers = []string{"at", "symbols"}
)

// PathsOf returns the files and folders that a request names, as it names them, each once. Where
// a symbol is named it cannot be told from the words alone which of them are its file: then every
// beginning that may be is among them.
func PathsOf(request any) []string {
	var paths []string
	collectPaths(reflect.ValueOf(request), "", &paths)
	var once []string
	for _, path := range paths {
		if path != "" && !slices.Contains(once, path) {
			once = append(once, path)
		}
	}
	return once
}

// collectPaths adds what a value names; member is the name of the one that holds it.
func collectPaths(v reflect.Value, member string, paths *[]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			collectPaths(v.Elem(), member, paths)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				collectPaths(v.Field(i), name, paths)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 { // JSON
			return
		}
		for i := range v.Len() {
			collectPaths(v.Index(i), member, paths)
		}
	case reflect.Map:
		if slices.Contains(pathMembers, member) {
			for _, key := range v.MapKeys() {
				*paths = append(*paths, key.String())
			}
		}
	case reflect.String:
		switch {
		case slices.Contains(pathMembers, member):
			*paths = append(*paths, v.String())
		case slices.Contains(symbolMembers, member):
			*paths = append(*paths, filesAt(v.String())...)
		}
	}
}

// filesAt returns what may be the file of a selector such as "src/a.go:42 Load".
func filesAt(at string) (files []string) {
	for end := range len(at) + 1 {
		if end == len(at) || at[end] == ' ' {
			files = append(files, withoutPosition(at[:end]))
		}
	}
	return files
}

// withoutPosition returns a path without a line and a column behind it.
func withoutPosition(path string) string {
	for range 2 {
		if i := strings.LastIndexByte(path, ':'); i > 0 && i < len(path)-1 && strings.Trim(path[i+1:], "0123456789") == "" {
			path = path[:i]
		}
	}
	return path
}
