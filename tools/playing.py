#!/usr/bin/env python3
"""Measures how videos play in a terminal: playing.py PROGRAM FILM [--rate KILOBYTES --rtt MILLISECONDS] [--markdown]

The program, mpv, timg and PixelTerm-C play the film in a pseudo-terminal of 120x36 cells of 10x20 pixels, which reads without delay, or behind
a line that carries `rate` kilobytes a second, as over SSH. Measured are, for some seconds in the middle of the film,

- the frames that were shown in a second, by what begins one in the output: a synchronized update, an image, or the cursor's way to
  the first row;
- the processor time for a frame, of the program and all its helpers, and the bytes of a frame;
- pause: the time from the key until the sign of the pause is on the screen; for peers, until the last byte. timg has no such key.
- wind: the time from `→` in the paused film until the first picture, and until the frame itself is there.

The film has to be long enough: 20 seconds. Needs python3-pil and python3-numpy. Peers are measured if they are installed.
"""

import argparse
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import termios
import fcntl
import tempfile
import time

from remote_terminal import ATTRIBUTES, EXTRA, NAMES, Line

COLUMNS, ROWS, WIDTH, HEIGHT = 120, 36, 10, 20
WARM_UP, SECONDS, WINDS = 2.5, 6, 6
TITLES = {"symbols": "characters", "sixel": "sixel", "kitty": "kitty"}
UPDATE, SIXEL, KITTY = rb"\x1b\[\?2026h", rb"\x1bP[\d;]*q", rb"\x1b_G[^;\x1b]*a=[tT]"
MPV = ["mpv", "--no-audio", "--really-quiet", "--no-config", "--profile=sw-fast"]
# The command of each program, the pattern that begins a frame, and the keys that start and pause it.
PLAYERS = {
    "symbols": [("Tintype", ["--pictures", "symbols"], UPDATE), ("mpv", ["--vo=tct"], rb"\x1b\[1;0f"),
                ("timg", ["-pq"], rb"\x1b\[\d+A"),
                # It writes the rows that have changed.
                ("PixelTerm-C", ["--protocol", "text"], rb"\x1b\[%d;1H\x1b\[2K" % (ROWS // 2))],
    "sixel": [("Tintype", ["--pictures", "sixel"], SIXEL), ("mpv", ["--vo=sixel"], SIXEL),
              ("PixelTerm-C", ["--protocol", "sixel"], SIXEL)],
    "kitty": [("Tintype", ["--pictures", "kitty"], KITTY), ("timg", ["-pk"], rb"\x1b\[\d+A"),
              ("PixelTerm-C", ["--protocol", "kitty", "--kitty-transfer", "direct"], KITTY)],
}


class Terminal:
    """A program in a pseudo-terminal, which answers its questions, and counts its frames."""

    def __init__(self, command, kind, pattern, line, folder):
        self.down = self.up = None
        if line:
            self.down, self.up = Line(*line), Line(*line)
        self.pattern, self.tail, self.questions = re.compile(pattern), b"", b""
        self.frames, self.arrivals, self.log = [], [], b""
        self.answers = EXTRA[kind] + [
            (b"\x1b[16t", b"\x1b[6;%d;%dt" % (HEIGHT, WIDTH)), (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
            (b"\x1b[14t", b"\x1b[4;%d;%dt" % (ROWS * HEIGHT, COLUMNS * WIDTH)), (b"\x1b[5n", b"\x1b[0n"),
            (b"\x1b]11;?\x1b\\", b"\x1b]11;rgb:1010/1010/1010\x1b\\"), (b"\x1b[6n", b"\x1b[1;1R"),
            (b"\x1b[>0q", b"\x1bP>|%s\x1b\\" % NAMES[kind]), (b"\x1b[>q", b"\x1bP>|%s\x1b\\" % NAMES[kind]),
            (b"\x1b[c", ATTRIBUTES[kind]), (b"\x1b[0c", ATTRIBUTES[kind])]
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            for name in "TMUX", "TMUX_PANE", "KITTY_WINDOW_ID", "STY", "SSH_CONNECTION":
                os.environ.pop(name, None)
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8")
            os.environ.update({f"XDG_{name}_HOME": folder for name in ("CONFIG", "STATE", "CACHE")})
            if line:
                os.environ["SSH_CONNECTION"] = "192.0.2.1 1 192.0.2.2 22"
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, COLUMNS * WIDTH, ROWS * HEIGHT))
            os.execvp(command[0], command)

    def type(self, keys):
        now = time.monotonic()
        self.send(keys, now)
        return now

    def send(self, data, now):
        if self.up:
            self.up.put(data, now)
        else:
            os.write(self.master, data)

    def run(self, until, condition=lambda: False):
        """Carries bytes until a time, or until a condition holds."""
        while (now := time.monotonic()) < until and not condition():
            is_free = not self.down or self.down.room(now) > 4096
            if select.select([self.master] if is_free else [], [], [], 0.002 if self.down else 0.01)[0]:
                data = os.read(self.master, 4096 if self.down else 1 << 18)
                if self.down:
                    self.down.put(data, time.monotonic())
                else:
                    self.receive(data, time.monotonic())
            if self.down:
                now = time.monotonic()
                if keys := self.up.take(now):
                    os.write(self.master, keys)
                if data := self.down.take(now):
                    self.receive(data, now)

    def receive(self, data, now):
        self.arrivals.append((now, data))
        text = self.tail + data
        end = 0
        for match in self.pattern.finditer(text):
            self.frames.append(now)
            end = match.end()
        self.tail = text[max(end, len(text) - 64):]
        self.questions += data[-4096:]
        for question, answer in self.answers:
            for _ in range(self.questions.count(question)):
                self.send(answer, now)
            self.questions = self.questions.replace(question, b"")
        self.questions = self.questions[-40:]

    def is_quiet(self, since, seconds):
        return time.monotonic() - max(since, self.arrivals[-1][0] if self.arrivals else 0) > seconds

    def processor_time(self):
        """The seconds of the program and its helpers so far."""
        def tree(process):
            yield process
            for thread in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as children:
                    for child in children.read().split():
                        yield from tree(child)
        ticks = 0
        for process in tree(self.pid):
            with open(f"/proc/{process}/stat", encoding="utf-8") as status:
                fields = status.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


def measure(terminal, name, is_slow):
    """Returns frames a second, milliseconds and bytes of a frame, and the milliseconds until a pause and until other pictures."""
    if name == "Tintype":
        for keys, pause in (b"v", 3 if is_slow else 1.5), (b"p", 0):
            terminal.run(time.monotonic() + pause)
            terminal.type(keys)
    terminal.run(time.monotonic() + WARM_UP)
    start, ticks, frames, arrivals = (
        time.monotonic(), terminal.processor_time(), len(terminal.frames), len(terminal.arrivals))
    terminal.run(start + SECONDS)
    count = max(1, len(terminal.frames) - frames)
    work = terminal.processor_time() - ticks
    carried = sum(len(data) for _, data in terminal.arrivals[arrivals:])
    result = [count / (time.monotonic() - start), 1000 * work / count, carried / count, None, [], []]
    if name == "timg":
        return result
    first = len(terminal.arrivals)
    key = terminal.type(b" ")
    terminal.run(key + 8, lambda: terminal.is_quiet(key, 1))
    seen = [now for now, data in terminal.arrivals[first:] if name != "Tintype" or "‖".encode() in data]
    if seen:
        result[3] = 1000 * ((seen[0] if name == "Tintype" else seen[-1]) - key)
    if name == "Tintype" and not is_slow:
        for number in range(WINDS):
            # A position that was shown before would be there at once.
            for pause in 0.3, 1:
                terminal.type(b" ")
                terminal.run(time.monotonic() + pause)
            first = len(terminal.arrivals)
            key = terminal.type(b"\x1b[D" if number % 2 else b"\x1b[C")
            terminal.run(key + 3, lambda: terminal.is_quiet(key, 0.6))
            # The first change is that of the time in the caption.
            pictures = [now for now, data in terminal.arrivals[first:] if len(data) > 1000 or b"a=p" in data]
            if pictures:
                result[4].append(1000 * (pictures[0] - key))
                result[5].append(1000 * (pictures[-1] - key))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("film")
    parser.add_argument("--rate", type=float, help="kilobytes a second")
    parser.add_argument("--rtt", type=float, default=100, help="milliseconds there and back")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    line = (arguments.rate * 1000, arguments.rtt / 2000) if arguments.rate else None
    print("| format | program | frames/s | processor time a frame | bytes a frame | pause | wind: first picture, frame |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for kind, players in PLAYERS.items():
        for name, options, pattern in players:
            own = [os.path.abspath(arguments.program), *options]
            timg = ["timg", *options, f"-g{COLUMNS}x{ROWS}"]
            command = {"Tintype": own, "mpv": MPV + options, "timg": timg, "PixelTerm-C": ["pixelterm", *options]}[name]
            if not shutil.which(command[0]):
                continue
            with tempfile.TemporaryDirectory() as folder:
                terminal = Terminal(command + [arguments.film], kind, pattern, line, folder)
                try:
                    rate, work, size, pause, first, last = measure(terminal, name, bool(line))
                finally:
                    terminal.end()
            wind = f"{statistics.median(first):.0f} ms, {statistics.median(last):.0f} ms" if first else ""
            print(f"| {TITLES[kind]} | {name} | {rate:.1f} | {work:.0f} ms | {size / 1000:.1f} kB "
                  f"| {'' if pause is None else f'{pause:.0f} ms'} | {wind} |", flush=True)


if __name__ == "__main__":
    main()
