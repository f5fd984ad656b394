// A host in TypeScript, without packages: starts the service and asks it for diagnostics.
// node client.ts ROOT FILE... (Node 22.18; before, the types have to be stripped)
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

type Diagnostic = { file: string; line: number; character: number; severity: string; message: string };

class Service {
  child: ChildProcess;
  ready: Promise<void>;
  last = 0;
  waiting = new Map<number, (result: unknown) => void>();

  constructor(root: string, config: object = {}, command: string[] = ['lspine', 'service']) {
    const env = { ...process.env, LSP_BOOTSTRAP: JSON.stringify({ workspaceRoot: root, config }) };
    this.child = spawn(command[0], command.slice(1), { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] });
    let buffer = Buffer.alloc(0);
    this.ready = new Promise((resolve) => {
      this.child.stdout!.on('data', (part: Buffer) => {
        buffer = Buffer.concat([buffer, part]);
        for (;;) {
          const head = buffer.indexOf('\r\n\r\n');
          const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, head).toString())?.[1]);
          if (head < 0 || buffer.length < head + 4 + length) return;
          const message = JSON.parse(buffer.subarray(head + 4, head + 4 + length).toString());
          buffer = buffer.subarray(head + 4 + length);
          if (message.method === 'lsp/ready') resolve();
          this.waiting.get(message.id)?.(message.result);
          this.waiting.delete(message.id);
        }
      });
    });
  }

  // Resolves to the result, or to otherwise where there is none in time.
  call<T>(method: string, params: object, otherwise: T, timeout = 15_000): Promise<T> {
    const id = ++this.last;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(otherwise), timeout);
      this.waiting.set(id, (result) => {
        clearTimeout(timer);
        resolve((result ?? otherwise) as T);
      });
      this.child.stdin!.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  }

  check(filePath: string, text?: string): Promise<Diagnostic[]> {
    return this.call<Diagnostic[]>('lsp/checkFile', { filePath, text }, []);
  }
}

const [root, ...files] = process.argv.slice(2);
const service = new Service(root, JSON.parse(process.env.LSP_CONFIG ?? '{}'));
await service.ready;
for (const file of files) {
  for (const d of await service.check(join(root, file))) console.log(`${d.file}:${d.line}:${d.character} ${d.severity}: ${d.message}`);
}
await service.call('lsp/shutdown', {}, null, 3000);
