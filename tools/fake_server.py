"""The common part of the servers for tests.

In the folder of --talk, the file `log` gets a line of JSON for each request, with its method, path, body and range, and while the file
`failure` has a status other than 0, all requests fail with it.
"""

import http.server
import json
import os
import pathlib
import threading
import time
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers requests by `carry_out(url, body)` of its subclass, and refuses them by `refuse(status, reason)`."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        failure = self.talk({
            "method": self.command, "path": self.path, "body": body.decode(errors="replace"), "range": self.headers.get("Range")})
        time.sleep(getattr(self.server.options, "slow", 0))
        if failure:
            self.refuse(failure, "The server is told to fail.")
        else:
            self.carry_out(urllib.parse.urlsplit(self.path), body)

    do_GET = do_POST = do_PUT = do_DELETE = handle_request

    def talk(self, request):
        """Notes a request, and returns the status with which it fails, or 0."""
        folder = self.server.options.talk
        if folder is None:
            return 0
        with self.server.lock, open(folder / "log", "a") as log:
            print(json.dumps(request), file=log)
        failure = folder / "failure"
        return int(failure.read_text()) if failure.exists() else 0


def serve(parser, handler, prepare):
    """Serves on a free port and prints the address, until the process that has started this one ends."""
    parser.add_argument("--talk", type=pathlib.Path)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.options = parser.parse_args()
    server.lock = threading.Lock()
    prepare(server, server.options)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    parent = os.getppid()

    def watch():
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    server.serve_forever()
