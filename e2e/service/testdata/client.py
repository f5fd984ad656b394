"""A host in Python: starts the service and asks it for diagnostics. python3 client.py ROOT FILE..."""
import json
import os
import subprocess
import sys
import threading


class Service:
    """One child process for one session; no method fails because of a language server."""

    def __init__(self, root, config=None, command=("lspine", "service")):
        bootstrap = json.dumps({"workspaceRoot": root, "config": config or {}})
        self.process = subprocess.Popen(
            command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "LSP_BOOTSTRAP": bootstrap})
        self.ready, self.lock = threading.Event(), threading.Lock()
        self.last, self.waiting = 0, {}
        threading.Thread(target=self._read, daemon=True).start()
        self.alive = self.ready.wait(10)

    def _read(self):
        while header := self.process.stdout.readline():
            length = int(header.split(b":")[1])
            self.process.stdout.readline()
            message = json.loads(self.process.stdout.read(length))
            if message.get("method") == "lsp/ready":
                self.ready.set()
            elif "id" in message and (waiter := self.waiting.pop(message["id"], None)):
                waiter["answer"] = message.get("result")
                waiter["event"].set()

    def call(self, method, params, otherwise, timeout=15):
        """Returns the result, or otherwise where there is none."""
        waiter = {"event": threading.Event()}
        with self.lock:
            self.last += 1
            self.waiting[self.last] = waiter
            body = json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}).encode()
            try:
                self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                self.process.stdin.flush()
            except OSError:
                return otherwise
        return waiter.get("answer", otherwise) if waiter["event"].wait(timeout) else otherwise

    def check(self, path, text=None):
        params = {"filePath": path} if text is None else {"filePath": path, "text": text}
        return self.call("lsp/checkFile", params, [])

    def shutdown(self):
        self.call("lsp/shutdown", {}, None, timeout=3)
        self.process.stdin.close()
        return self.process.wait(3)


if __name__ == "__main__":
    service = Service(sys.argv[1], json.loads(os.environ.get("LSP_CONFIG", "{}")))
    for name in sys.argv[2:]:
        for d in service.check(os.path.join(sys.argv[1], name)):
            print(f"{d['file']}:{d['line']}:{d['character']} {d['severity']}: {d['message']}")
    sys.exit(service.shutdown())
