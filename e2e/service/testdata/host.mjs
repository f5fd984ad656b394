// A host as LLxprt is one: it starts its service with five sockets, speaks vscode-jsonrpc over
// the standard streams and the MCP SDK over the others, and writes what it saw as JSON.
//
//   node host.mjs MODULES ROOT straight|crossed
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, root, order] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const rpc = require('vscode-jsonrpc/node');
const { Client } = await import(pathToFileURL(require.resolve('@modelcontextprotocol/sdk/client/index.js')));

const seen = { timings: {} };
let last = performance.now();
const lap = (name) => {
  const now = performance.now();
  seen.timings[name] = Math.round(now - last);
  last = performance.now();
};

const child = spawn('bun', ['packages/lsp/src/main.ts'], {
  cwd: root,
  stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'],
  detached: true,
  env: { ...process.env, LSP_BOOTSTRAP: JSON.stringify({ workspaceRoot: root, config: { servers: [], navigationTools: undefined } }) },
});
const exited = new Promise((resolve) => child.on('exit', resolve));
const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
const ready = new Promise((resolve) => connection.onNotification('lsp/ready', resolve));
connection.listen();
await ready;
lap('ready');

// The plan writes to 3 and reads 4; the shipped host has them crossed.
const [out, into] = order === 'crossed' ? [child.stdio[4], child.stdio[3]] : [child.stdio[3], child.stdio[4]];
const transport = {
  async start() {
    createInterface({ input: into }).on('line', (line) => this.onmessage?.(JSON.parse(line)));
  },
  async send(message) {
    out.write(JSON.stringify(message) + '\n');
  },
  async close() {
    this.onclose?.();
  },
};
const navigation = new Client({ name: 'llxprt', version: '1.0.0' });
await navigation.connect(transport, { timeout: 60_000 });
seen.server = navigation.getServerVersion().name;
seen.tools = (await navigation.listTools(undefined, { timeout: 60_000 })).tools.map((tool) => tool.name).sort();
lap('registered');

const file = (name) => join(root, name);
const check = async (name, text) =>
  (await connection.sendRequest('lsp/checkFile', { filePath: file(name), text })).map((d) => `${d.file}:${d.line}:${d.column} ${d.severity} ${d.code}`);
const rewrite = (name, from, to) => writeFileSync(file(name), readFileSync(file(name), 'utf8').replace(from, to));
const known = async () =>
  Object.fromEntries(Object.entries(await connection.sendRequest('lsp/diagnostics', {})).map(([path, list]) => [path, list.map((d) => d.code)]));

seen.clean = await check('main.ts');
lap('clean');
rewrite('main.ts', 'total: number', 'total: string');
seen.broken = await check('main.ts');
lap('broken');
rewrite('main.ts', 'total: string', 'total: number');
seen.mended = await check('main.ts');
lap('mended');
rewrite('lib.ts', 'b: number', 'b: string');
seen.changed = await check('lib.ts');
seen.dependant = await known();
lap('dependant');
rewrite('lib.ts', 'b: string', 'b: number');
seen.restored = await known();
lap('restored');
seen.text = await check('main.ts', '');
seen.cancelled = await (async () => {
  const source = new rpc.CancellationTokenSource();
  source.cancel();
  const answer = connection.sendRequest('lsp/checkFile', { filePath: file('main.ts') }, source.token);
  return answer.then((list) => (Array.isArray(list) ? 'ok' : 'odd'), (error) => (error.code === -32800 ? 'ok' : String(error)));
})();
seen.unknown = await connection.sendRequest('lsp/nothing', {}).catch((error) => error.code);
seen.wrong = await connection.sendRequest('lsp/checkFile', {}).catch((error) => [error.code, error.message]);
seen.epochs = (await connection.sendRequest('lsp/getDiagnosticEpoch')) > 1;
seen.running = (await connection.sendRequest('lsp/status', {})).filter((s) => s.state === 'ok').map((s) => s.serverId);
lap('other');

// This host waits 250 ms; its model asks again where the server still loads.
const tool = async (name, args) => {
  for (let tries = 1; ; tries++) {
    try {
      const { content, isError } = await navigation.callTool({ name, arguments: args }, undefined, { timeout: 250 });
      const text = content[0].text;
      if (!isError || !text.startsWith('Still loading')) return isError ? `error ${text}` : text;
    } catch (error) {
      if (tries > 200) throw error;
    }
    if (tries > 200) throw new Error(`${name} never answers`);
  }
};
await tool('lsp_hover', { filePath: 'main.ts', line: 3, character: 30 }); // the first question about the file
seen.definition = await tool('lsp_goto_definition', { filePath: 'main.ts', line: 3, character: 30 });
seen.references = await tool('lsp_find_references', { file: 'lib.ts', line: 1, character: 17 });
seen.symbols = await tool('lsp_document_symbols', { file: 'lib.ts' });
seen.workspace = await tool('lsp_workspace_symbols', { query: 'add' });
seen.nobody = await tool('lsp_workspace_symbols', { query: 'nobodyHasThisName' });
seen.diagnostics = await tool('lsp_diagnostics', {});
seen.outside = await tool('lsp_hover', { file: '../x.ts', line: 1, character: 1 });
lap('navigation');

seen.shutdown = await connection.sendRequest('lsp/shutdown');
lap('shutdown');
seen.exit = await exited;
console.log(JSON.stringify(seen));
connection.dispose();
