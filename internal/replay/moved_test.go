package replay

import "testing"

// The name of the folder is replaced once wherever it is, also if one name begins with the other, and nowhere else.
func TestMoved(t *testing.T) {
	at := func(folder string) placed { return placed{RootURI: "file://" + folder, RootPath: folder} }
	tests := map[string]struct {
		there, here   placed
		message, want string
	}{
		"the new name begins with the old one": {
			at("/x/ts1"), at("/x/ts1X"),
			`{"rootUri":"file:///x/ts1","rootPath":"/x/ts1","uri":"file:///x/ts1/a.ts","text":"in /x/ts1."}`,
			`{"rootUri":"file:///x/ts1X","rootPath":"/x/ts1X","uri":"file:///x/ts1X/a.ts","text":"in /x/ts1X."}`,
		},
		"the old name begins with the new one": {
			at("/x/ts1X"), at("/x/ts1"),
			`{"uri":"file:///x/ts1X/a.ts","path":"/x/ts1/a.ts"}`,
			`{"uri":"file:///x/ts1/a.ts","path":"/x/ts1/a.ts"}`,
		},
		"the new folder is in the old one": {
			at("/x"), at("/x/x"),
			`["file:///x","/x/a","/x:/x/x"]`,
			`["file:///x/x","/x/x/a","/x/x:/x/x/x"]`,
		},
		"names of other folders": {
			at("/x/a"), at("/y"),
			`["/x/ab","/x/a-b","/x/a.b","/x/a_","file:///x/a%20b","/x/aé","/x/a..b"]`,
			`["/x/ab","/x/a-b","/x/a.b","/x/a_","file:///x/a%20b","/x/aé","/x/a..b"]`,
		},
		"names that end": {
			at("/x/a"), at("/y"),
			`["/x/a","/x/a/","/x/a:1","\"/x/a\"","‘/x/a’","/x/a\n","/x/a, /x/a...","file:///x/a#1"]`,
			`["/y","/y/","/y:1","\"/y\"","‘/y’","/y\n","/y, /y...","file:///y#1"]`,
		},
		"a path that JSON escapes": {
			placed{RootURI: "file:///c%3A/a", RootPath: `C:\a`},
			placed{RootURI: "file:///d%3A/b", RootPath: `D:\b`},
			`["file:///c%3A/a/f","C:\\a\\f"]`,
			`["file:///d%3A/b/f","D:\\b\\f"]`,
		},
		"the same folder": {
			at("/x"), at("/x"), `"/x/a"`, `"/x/a"`,
		},
		"a folder without a name": {
			placed{}, at("/x"), `"/x/a"`, `"/x/a"`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(movedFrom(test.there, test.here).text([]byte(test.message))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
