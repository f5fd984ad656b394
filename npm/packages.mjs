// Makes the npm packages of a release, for `npm publish`:
//
//	node npm/packages.mjs OUT
//
// It takes what goreleaser left in bin/dist; OUT gets a folder for each package: lspine, and one with the
// program for each system, of which npm installs the one that fits.
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const [out] = process.argv.slice(2)
if (!out) {
  console.error("usage: node npm/packages.mjs OUT")
  process.exit(2)
}
const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, "..", "bin", "dist")
const { version } = JSON.parse(readFileSync(join(dist, "metadata.json"), "utf8"))
const artifacts = JSON.parse(readFileSync(join(dist, "artifacts.json"), "utf8"))
const main = JSON.parse(readFileSync(join(here, "lspine", "package.json"), "utf8"))
const systems = { linux: "linux", darwin: "darwin", windows: "win32" }
const processors = { amd64: "x64", arm64: "arm64" }

function write(folder, description) {
  writeFileSync(join(folder, "package.json"), JSON.stringify(description, null, 2) + "\n")
  for (const file of ["LICENSE", "README.md"]) copyFileSync(join(here, "..", file), join(folder, file))
}

main.version = version
main.optionalDependencies = {}
for (const { type, goos, goarch, path, name } of artifacts) {
  if (type !== "Binary") continue
  const os = systems[goos], cpu = processors[goarch]
  const scoped = `@lspine/${os}-${cpu}`
  const folder = join(out, `${os}-${cpu}`)
  mkdirSync(join(folder, "bin"), { recursive: true })
  copyFileSync(join(here, "..", path), join(folder, "bin", name))
  chmodSync(join(folder, "bin", name), 0o755)
  const { license, homepage, repository } = main
  write(folder, { name: scoped, version, description: `lspine for ${os} on ${cpu}`, license, homepage, repository, os: [os], cpu: [cpu] })
  main.optionalDependencies[scoped] = version
}
cpSync(join(here, "lspine"), join(out, "lspine"), { recursive: true })
write(join(out, "lspine"), main)
