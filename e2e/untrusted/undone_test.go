package untrusted

// undone are checkouts that would undo what keeps a server from running them, so it does not start.
var undone = []checkout{
	{
		name: "rust with settings of its own", servers: []string{"rust-analyzer"}, file: "src/lib.rs", programs: []string{"check.sh"},
		says: "what keeps it from that could be undone by",
		archive: `
-- Cargo.toml --
[package]
name = "shop"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
pub fn price() -> u32 { 1 }
-- rust-analyzer.toml --
[check]
overrideCommand = ["./check.sh"]
-- check.sh --
MARK(check)
`,
	},
	{
		name: "rust with variables for its compiler", servers: []string{"rust-analyzer"}, file: "src/lib.rs", programs: []string{"bin/rustc"},
		says: "what keeps it from that could be undone by .cargo/config.toml", marks: []string{"rustc"},
		archive: `
-- Cargo.toml --
[package]
name = "shop"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
pub fn price() -> u32 { 1 }
-- .cargo/config.toml --
[env]
PATH = { value = "bin:/usr/bin:/bin", relative = true, force = true }
-- bin/rustc --
MARK(rustc)
`,
	},
	{
		name: "java with processors of annotations", servers: []string{"jdtls"}, file: "src/shop/Price.java",
		says: "what keeps it from that could be undone by .factorypath",
		archive: `
-- .factorypath --
<factorypath><factorypathentry kind="WKSPJAR" id="/shop/processor.jar" enabled="true" runInBatchMode="false"/></factorypath>
-- src/shop/Price.java --
package shop;

class Price {
    int value = 1;
}
`,
	},
}
