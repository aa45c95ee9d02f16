#!/usr/bin/env python3
"""Measures how images appear over a slow line: remote.py PROGRAM PHOTOS [--rate 200000] [--rtt 100] [--formats kitty,sixel]

The program runs in a pseudo-terminal of 126x40 cells, as over SSH. Between it and a simple terminal lies a line that carries
`rate` bytes a second in each direction, takes `rtt` milliseconds there and back, and buffers 64 kB. In the viewer, the key
for the next photo is pressed; for each photo the time of each image and its likeness to the last one (SSIM) are noted.
Needs python3-pil and python3-numpy. Characters are compared by the colors of their cells.
"""

import argparse
import base64
import collections
import fcntl
import io
import os
import pty
import re
import select
import signal
import statistics
import struct
import termios
import time
import zlib

import numpy
from PIL import Image

COLUMNS, ROWS, CELL_WIDTH, CELL_HEIGHT = 126, 40, 10, 20
BUFFER = 64_000
QUIET = 2.0
LONGEST = 60.0

COMMON = [
    (b"\x1b[16t", b"\x1b[6;%d;%dt" % (CELL_HEIGHT, CELL_WIDTH)),
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    (b"\x1b]11;?\x1b\\", b"\x1b]11;rgb:1010/1010/1010\x1b\\"),
]
TERMINALS = {
    "kitty": [(b"\x1b[>0q", b"\x1bP>|kitty(0.41.1)\x1b\\"), (b"\x1b_Gi=31,", b"\x1b_Gi=31;OK\x1b\\"),
              (b"\x1b_Gi=32,", b"\x1b_Gi=32;ENOENT:\x1b\\"), (b"\x1b[c", b"\x1b[?62;c")],
    "sixel": [(b"\x1b[>0q", b"\x1bP>|foot(1.16.2)\x1b\\"), (b"\x1b[?1;1;0S", b"\x1b[?1;0;256S"),
              (b"\x1b[c", b"\x1b[?62;4;22c")],
    "iterm": [(b"\x1b[>0q", b"\x1bP>|iTerm2 3.5.0\x1b\\"),
              (b"\x1b]1337;ReportCellSize\x07", b"\x1b]1337;ReportCellSize=20.0;10.0;1.0\x07"), (b"\x1b[c", b"\x1b[?62;4c")],
    "symbols": [(b"\x1b[>0q", b"\x1bP>|XTerm(390)\x1b\\"), (b"\x1b[c", b"\x1b[?64;1;22c")],
}


class Line:
    """One direction of the line: bytes leave it `delay` seconds after they were carried."""

    def __init__(self, rate, delay):
        self.rate, self.delay = rate, delay
        self.pieces = collections.deque()
        self.free_at = 0.0

    def room(self, now):
        return BUFFER - max(0.0, self.free_at - now) * self.rate

    def put(self, data, now):
        for start in range(0, len(data), 1400):
            piece = data[start:start + 1400]
            self.free_at = max(self.free_at, now) + len(piece) / self.rate
            self.pieces.append((self.free_at + self.delay, piece))

    def take(self, now):
        taken = b""
        while self.pieces and self.pieces[0][0] <= now:
            taken += self.pieces.popleft()[1]
        return taken

    def next_time(self):
        return self.pieces[0][0] if self.pieces else None


class Session:
    """A program behind the line, and the terminal in front of it."""

    def __init__(self, command, terminal, rate, rtt):
        self.down, self.up = Line(rate, rtt / 2), Line(rate, rtt / 2)
        self.answers = TERMINALS[terminal] + COMMON
        self.terminal = terminal
        self.pending = b""
        self.images, self.partial = [], {}
        self.arrived = 0
        self.changed = time.monotonic()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.environ.update(
                TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", SSH_CONNECTION="192.0.2.1 1 192.0.2.2 22")
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack(
                "HHHH", ROWS, COLUMNS, COLUMNS * CELL_WIDTH, ROWS * CELL_HEIGHT))
            os.execvp(command[0], command)

    def type(self, keys):
        self.up.put(keys.encode(), time.monotonic())

    def step(self, until):
        """Carries bytes until a time."""
        while (now := time.monotonic()) < until:
            times = [t for t in (self.down.next_time(), self.up.next_time()) if t is not None]
            wait = max(0.0, min(times + [until]) - now)
            readable = [self.master] if self.down.room(now) > 4096 else []
            if not readable:
                wait = min(wait, 0.01)
            if select.select(readable, [], [], wait)[0]:
                try:
                    self.down.put(os.read(self.master, 4096), time.monotonic())
                except OSError:
                    return
            now = time.monotonic()
            if keys := self.up.take(now):
                os.write(self.master, keys)
            if data := self.down.take(now):
                self.receive(data, now)

    def receive(self, data, now):
        self.arrived += len(data)
        if len(data) > 16:
            self.changed = now
        self.pending += data
        # Searching a long image again with each piece would hold up the line.
        fresh = self.pending[-len(data) - 1:]
        if not any(end in fresh for end in (b"\x1b\\", b"\x07", b"\x1b[")):
            return
        consumed = 0
        # Whole sequences; what is unfinished waits for its rest.
        for match in re.finditer(
                rb"\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\|\x1bP[0-9;]*q([^\x1b]*)\x1b\\|\x1b\]1337;File=([^:]*):([^\x07]*)\x07",
                self.pending):
            keys, payload, sixels, header, jpeg = match.groups()
            if keys is not None:
                self.kitty(keys.decode(), payload, now)
            elif sixels is not None:
                self.images.append((now, len(match.group(0)), lambda text=sixels: sixel(text)))
            else:
                self.images.append((now, len(match.group(0)), lambda text=jpeg: picture(base64.b64decode(text))))
            consumed = match.end()
        for question, answer in self.answers:
            for _ in range(self.pending.count(question)):
                self.up.put(answer, now)
            self.pending = self.pending.replace(question, b"\x00" * len(question))
        rest = self.pending[consumed:]
        start = max(rest.rfind(b"\x1b_G"), rest.rfind(b"\x1bP"), rest.rfind(b"\x1b]1337;File"))
        self.pending = rest[start:] if start >= 0 else rest[-32:]

    def kitty(self, text, payload, now):
        keys = dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
        if keys.get("a") in ("t", "T"):
            self.partial = {"keys": keys, "data": b"", "bytes": 0}
        if not self.partial or keys.get("a", "t") not in ("t", "T"):
            return
        self.partial["data"] += base64.b64decode(payload + b"===") if payload else b""
        self.partial["bytes"] += len(payload) + len(text) + 8
        if keys.get("m", "0") == "0":
            first, data = self.partial["keys"], self.partial["data"]
            if first.get("f") == "100":
                decode = lambda: picture(data)
            else:
                decode = lambda: numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(
                    int(first["v"]), int(first["s"]), 3)
            self.images.append((now, self.partial["bytes"], decode))
            self.partial = {}

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


def picture(data):
    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def sixel(text):
    """The pixels of sixels."""
    parts = re.match(rb'"\d+;\d+;(\d+);(\d+)', text)
    width, height = int(parts.group(1)), int(parts.group(2))
    pixels = numpy.zeros((height + 6, width, 3), numpy.uint8)
    registers, color, x, y = {}, (0, 0, 0), 0, 0
    for match in re.finditer(rb"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~])|(\$)|(-)", text[parts.end():]):
        register, red, green, blue, count, repeated, single, back, down = match.groups()
        if register is not None:
            if red is not None:
                registers[register] = [int(part) * 255 // 100 for part in (red, green, blue)]
            color = registers.get(register, (0, 0, 0))
        elif back:
            x = 0
        elif down:
            x, y = 0, y + 6
        else:
            length = int(count or 1)
            bits = (repeated or single)[0] - 63
            for bit in range(6):
                if bits >> bit & 1:
                    pixels[y + bit, x:x + length] = color
            x += length
    return pixels[:height]


def gray(pixels, size):
    return numpy.asarray(Image.fromarray(pixels).resize(size, Image.BICUBIC).convert("L"), numpy.float64)


def ssim(one, other):
    """The mean structural similarity (Wang et al., 2004) in windows of 8 by 8 pixels."""
    def mean(values):
        sums = numpy.cumsum(numpy.cumsum(numpy.pad(values, ((1, 0), (1, 0))), 0), 1)
        return (sums[8:, 8:] - sums[:-8, 8:] - sums[8:, :-8] + sums[:-8, :-8]) / 64
    a, b = mean(one), mean(other)
    aa, bb, ab = mean(one * one) - a * a, mean(other * other) - b * b, mean(one * other) - a * b
    c1, c2 = 6.5025, 58.5225
    return float(numpy.mean((2 * a * b + c1) * (2 * ab + c2) / ((a * a + b * b + c1) * (aa + bb + c2))))


def measure(command, terminal, rate, rtt, photos):
    session = Session(command, terminal, rate, rtt)
    session.step(time.monotonic() + 2)
    session.type("v")
    session.step(time.monotonic() + 8)
    rows = []
    for _ in range(photos):
        session.images.clear()
        start, before = time.monotonic(), session.arrived
        session.type("n")
        while (now := time.monotonic()) < start + LONGEST:
            session.step(now + 0.1)
            if now - max(session.changed, start + 0.5) > QUIET + rtt and session.arrived > before:
                break
        rows.append({
            "bytes": session.arrived - before, "quiet": session.changed - start,
            "images": [(when - start, count, decode) for when, count, decode in session.images]})
    session.end()
    # Decoding takes long, and the line must not stand still meanwhile.
    for row in rows:
        row["images"] = compared(row["images"])
    return rows


def compared(images):
    """The images as they were seen: time, bytes, width, height, and likeness to the last one."""
    decoded = []
    for when, count, decode in images:
        try:
            decoded.append((when, count, decode()))
        except (OSError, zlib.error, struct.error):
            pass  # An image that was cut off, which the terminal drops, too.
    if not decoded:
        return []
    last = decoded[-1][2]
    size = (last.shape[1], last.shape[0])
    whole = gray(last, size)
    return [(round(when, 2), count, pixels.shape[1], pixels.shape[0], round(ssim(gray(pixels, size), whole), 3))
            for when, count, pixels in decoded]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("photos")
    parser.add_argument("--rate", type=float, default=200_000)
    parser.add_argument("--rtt", type=float, default=100)
    parser.add_argument("--formats", default="kitty,sixel,iterm,symbols")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--each", action="store_true", help="print each image")
    options = parser.parse_args()
    for name in options.formats.split(","):
        command = [options.program, "--delay", "0", "--pictures", name, options.photos]
        rows = measure(command, name, options.rate, options.rtt / 1000, options.count)
        if options.each:
            for row in rows:
                print(" ", row["bytes"], round(row["quiet"], 2), row["images"])
        def median(values):
            return f"{statistics.median(values):6.2f}" if values else "     -"
        first = [row["images"][0][0] if row["images"] else row["quiet"] for row in rows]
        readable = [next((i[0] for i in row["images"] if i[4] >= 0.75), row["quiet"]) for row in rows]
        good = [next((i[0] for i in row["images"] if i[4] >= 0.95), row["quiet"]) for row in rows]
        last = [row["images"][-1][0] if row["images"] else row["quiet"] for row in rows]
        print(f"{name:8} first {median(first)}  readable {median(readable)}  0.95 {median(good)}  last {median(last)} s"
              f"  worst {max(first):.2f} {max(readable):.2f} {max(last):.2f}  {statistics.median([r['bytes'] for r in rows]):,.0f} bytes")


if __name__ == "__main__":
    main()
