#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Serves files with faults that nginx does not have, behind nginx.

usage: faulty_backend.py DIRECTORY; prints its port.

GET /faulty/FAULT/TIMES/NAME: the first TIMES requests of that path meet the fault, later ones get the file (ranges and If-Range included).
GET /faulty/peak: how many requests were being served at once, at most (exact only for the fault "slow").
"""
import collections
import hashlib
import http.server
import pathlib
import re
import sys
import threading
import time

LOCK = threading.Lock()
SERVED: collections.Counter[str] = collections.Counter()
TOGETHER = threading.Condition(LOCK)
now_serving = 0
peak = 0


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def head(self, status: int, length: int | None, **headers: str) -> None:
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def part(self, content: bytes, tag: str) -> tuple[int, int]:
        """The status, and the offset of what is asked for."""
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if asked is None or self.headers.get("If-Range", tag) != tag:
            return 200, 0
        offset = int(asked[1])
        return (206, offset) if offset < len(content) else (416, 0)

    def answer(self, content: bytes, status: int, offset: int, sent: bytes, tag: str) -> None:
        """Promises all from the offset on, and sends what is given."""
        headers = {"ETag": tag}
        if status == 206:
            headers["Content_Range"] = f"bytes {offset}-{len(content) - 1}/{len(content)}"
        self.head(status, len(content) - offset, **headers)
        self.wfile.write(sent)

    def serve(self, fault: str, content: bytes, path: str) -> None:
        tag = '"' + hashlib.sha256(content).hexdigest()[:16] + '"'
        status, offset = self.part(content, tag)
        rest = content[offset:]
        if status == 416 and fault != "whole":
            self.head(416, 0)
        elif fault == "":
            self.answer(content, status, offset, rest, tag)
        elif fault == "cut":
            self.answer(content, status, offset, rest[: len(rest) // 2], tag)
        elif fault == "cut-untagged":
            self.head(200, len(content))
            self.wfile.write(content[: len(content) // 2])
        elif fault.isdigit():
            self.head(int(fault), 5, **({"Retry_After": "0"} if fault == "503" else {}))
            self.wfile.write(b"sorry")
        elif fault == "trickle":
            self.answer(content, status, offset, b"", tag)
            for byte in rest:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(0.1)
        elif fault == "silent":
            time.sleep(3600)
        elif fault == "hold":
            self.answer(content, status, offset, rest[: len(rest) // 2], tag)
            self.wfile.flush()
            time.sleep(3600)
        elif fault == "slow":
            self.answer(content, status, offset, rest[: len(rest) // 2], tag)
            self.wfile.flush()
            time.sleep(0.3)
            self.leave()
            self.wfile.write(rest[len(rest) // 2 :])
        elif fault == "short":
            self.head(200, len(content) - 1, ETag=tag)
            self.wfile.write(content[:-1])
        elif fault == "unsized":
            self.head(200, None, ETag=tag)
            self.wfile.write(content[: len(content) // 2])
        elif fault == "corrupt":
            self.answer(content, status, offset, rest[:-1] + bytes([rest[-1] ^ 1]), tag)
        elif fault == "cut-then-corrupt":
            first = SERVED[path] == 1
            sent = rest[: len(rest) // 2] if first else rest[:-1] + bytes([rest[-1] ^ 1])
            self.answer(content, status, offset, sent, tag)
        elif fault == "cut-then-whole":
            first = SERVED[path] == 1
            self.answer(content, 200, 0, content[: len(content) // 2] if first else content, tag)
        elif fault == "cut-then-shifted":
            first = SERVED[path] == 1
            self.answer(content, status, max(0, offset - 1), content[: len(content) // 2] if first else content[max(0, offset - 1) :], tag)
        elif fault == "cut-then-416":
            if SERVED[path] == 1:
                self.answer(content, status, offset, rest[: len(rest) // 2], tag)
            else:
                self.head(416, 0)
        elif fault == "megabyte":
            self.answer(content, status, offset, rest[: 3 << 19], tag)
        elif fault == "endless":
            self.head(200, None)
            while True:
                self.wfile.write(bytes(65536))
        else:
            self.head(500, 0)

    def leave(self) -> None:
        """No longer being served: to be called before the client can know that it has all."""
        global now_serving
        with LOCK:
            if self.is_served:
                now_serving -= 1
            self.is_served = False

    def do_GET(self) -> None:
        global now_serving, peak
        if self.path == "/faulty/peak":
            self.head(200, len(str(peak)))
            self.wfile.write(str(peak).encode())
            return
        _, _, fault, times, name = self.path.split("/")
        content = (pathlib.Path(sys.argv[1]) / name).read_bytes()
        with LOCK:
            SERVED[self.path] += 1
            now_serving += 1
            self.is_served = True
            peak = max(peak, now_serving)
            TOGETHER.notify_all()
            if fault == "together":
                # Served only when TIMES requests have been here at once.
                if not TOGETHER.wait_for(lambda: peak >= int(times), timeout=30):
                    fault = "500"
                else:
                    fault = ""
            elif SERVED[self.path] > int(times):
                fault = ""
        try:
            self.serve(fault, content, self.path)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            self.leave()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
