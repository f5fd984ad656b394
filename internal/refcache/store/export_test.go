package store

import "testing"

// BoundArtefacts lets artefacts have no more answers and bytes than this, for a test.
func BoundArtefacts(t *testing.T, rows int, bytes int64) {
	t.Helper()
	formerRows, formerBytes := maxRows, maxUnpacked
	maxRows, maxUnpacked = rows, bytes
	t.Cleanup(func() { maxRows, maxUnpacked = formerRows, formerBytes })
}

// WorldsKept is worldsKept.
const WorldsKept = worldsKept

// Bound lets the database become no larger than this.
func (s *Store) Bound(bytes int64) { s.most = bytes }

// Schema is the schema of a database.
const Schema = schema
