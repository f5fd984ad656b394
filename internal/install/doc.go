// Package install brings language servers into a private folder of the user, at the
// versions that package registry pins and with the checksums that are built in, and finds
// their programs there. npm, go and rustup do the work, so that proxies, mirrors and
// caches are those that the user has set up for them. Nothing happens unless it is asked for.
package install
