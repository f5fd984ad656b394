// Package daemon keeps one engine, with its language servers running, for many callers. [Run] is
// the process that keeps it. [Dial] connects to that process, and starts it if it is not running.
//
// A daemon belongs to a user, a workspace root, a configuration and an environment, which together
// determine its [Key]. Each key has its own folder, which no other user may enter, with a lock, a
// socket, a record (daemon.json) and a log. Starting or ending a daemon, and removing what a dead
// one left behind, requires the lock; connecting does not. The version is not part of the key: a
// client of another version finds the running daemon, and asks it to make room.
//
// A connection is a session: what its calls open, and what they have yet to be told, belongs to
// that session and ends with it.
package daemon
