package store

import "testing"

// BoundRows lets artefacts have no more answers than this, for a test.
func BoundRows(t *testing.T, most int) {
	t.Helper()
	former := maxRows
	maxRows = most
	t.Cleanup(func() { maxRows = former })
}

// WorldsKept is worldsKept.
const WorldsKept = worldsKept

// Bound lets the database become no larger than this.
func (s *Store) Bound(bytes int64) { s.most = bytes }

// Schema is the schema of a database.
const Schema = schema
