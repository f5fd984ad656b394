// Package daemon keeps one engine, with its warm language servers, for many short or long
// callers: [Run] is the process that has it, [Dial] the way to it, which starts it if need be.
//
// A daemon belongs to a user, a workspace root, a configuration and an environment, which
// together are its [Key]; each key has a folder of its own, which nobody else may enter, with
// a lock, a socket, a record (daemon.json) and a log. Who starts or ends a daemon, or removes
// what a dead one left, holds the lock; who connects does not need it. The version is not part
// of the key, so that a client of another version finds the daemon that is there, and asks it
// to make room.
//
// One connection is one session: what its calls open, are told or are still to hear is of that
// session, and ends with it.
package daemon
