#!/usr/bin/env python3
"""Measures the gallery from outside, in a pseudo-terminal that reads at once: bench.py PROGRAM [PEER ...]

Prints medians of launch, key latency, idleness, and of printing one photo. PEER is another terminal program (nnn by
default, if it is installed) that is launched in turn, for a ratio that holds on any machine; photos are printed beside
chafa and timg, where they are installed: $PHOTO, or the largest of those that come with the program.
"""

import fcntl
import os
import pathlib
import pty
import select
import shutil
import signal
import statistics
import struct
import sys
import termios
import time

ROUNDS = 15
KEYS = 200
PRINTS = 7
IDLE_SECONDS = 10
FRAME_END = b"\x1b[?2026l"


class Session:
    """A program in a pseudo-terminal of 120x36 cells."""

    def __init__(self, command, folder):
        self.started = time.perf_counter()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8")
            # The size is set by the program's own side, so that it is there before the program looks.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
            os.execvp(command[0], command)
        self.output = bytearray()

    def read(self, timeout):
        """Reads once; returns when the bytes came, or None."""
        if not select.select([self.master], [], [], timeout)[0]:
            return None
        received = os.read(self.master, 1 << 16)
        self.output += received
        now = time.perf_counter()
        # As terminals do: who asks for the attributes or a cell's size would otherwise wait in vain.
        for question, answer in (
            (b"\x1b[16t", b"\x1b[6;20;10t"),
            (b"\x1b[>q", b"\x1bP>|bench\x1b\\"),
            (b"\x1b]11;?", b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
            (b"\x1b[c", b"\x1b[?62;4;22c"),
        ):
            if question in received:
                os.write(self.master, answer)
        return now

    def wait(self, text, start=0):
        """Returns when `text` had come, in seconds of the clock."""
        deadline = time.perf_counter() + 10
        while True:
            if self.output.find(text, start) >= 0:
                return time.perf_counter()
            if self.read(0.5) is None and time.perf_counter() > deadline:
                sys.exit(f"bench: {text!r} never came; the last output: {bytes(self.output[-300:])!r}")

    def wait_still(self, quiet):
        """Returns when the last byte before `quiet` seconds of silence came."""
        last = time.perf_counter()
        while (now := self.read(quiet)) is not None:
            last = now
        return last

    def switches(self):
        """How often the program's threads have woken, all together."""
        total = 0
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            for line in (task / "status").read_text().splitlines():
                if line.startswith("voluntary_ctxt_switches"):
                    total += int(line.split()[1])
        return total

    def cpu_ticks(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def memory_mb(self):
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
        return 0

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


def milliseconds(values):
    values = sorted(1000 * value for value in values)
    p95 = values[min(len(values) - 1, int(0.95 * len(values)))]
    return f"median {statistics.median(values):6.1f} ms   95% {p95:6.1f} ms   worst {values[-1]:6.1f} ms"


def launch(program):
    session = Session([program, "--delay", "0"], "/")
    seconds = session.wait(b"1/20") - session.started
    session.end()
    return seconds


def launch_peer(command, folder):
    session = Session(command, folder)
    session.read(5)
    seconds = session.wait_still(0.2) - session.started
    session.end()
    return seconds


def key_latencies(program, pictures):
    """From each key to the last byte of what it changed, which with pictures is the picture."""
    session = Session([program, "--delay", "0", "--pictures", pictures], "/")
    session.wait(b"1/20")
    session.wait_still(0.3)
    seconds, before = [], len(session.output)
    for number in range(KEYS):
        start, sent = len(session.output), time.perf_counter()
        os.write(session.master, b"j" if number // 15 % 2 == 0 else b"k")
        session.wait(FRAME_END, start)
        seconds.append(session.wait_still(0.15 if pictures != "none" else 0.02) - sent)
    size, memory = (len(session.output) - before) / KEYS, session.memory_mb()
    session.end()
    return seconds, size, memory


def idle(program):
    session = Session([program, "--delay", "0"], "/")
    session.wait(b"1/20")
    session.wait_still(1)
    switches, ticks = session.switches(), session.cpu_ticks()
    session.wait_still(IDLE_SECONDS)
    result = session.switches() - switches, session.cpu_ticks() - ticks
    session.end()
    return result


def print_photo(command):
    session = Session(command, "/")
    while True:
        try:
            session.read(5)
        except OSError:
            break
    seconds = time.perf_counter() - session.started
    os.waitpid(session.pid, 0)
    os.close(session.master)
    return seconds


def compare_printing(program, photo):
    print(f"printing {os.path.basename(photo)} ({os.path.getsize(photo) / 1e6:.1f} MB)")
    for size in "80x24", "200x60":
        for protocol, peers in {
            "symbols": [["chafa", "-f", "symbols", "-c", "full", "-s", size], ["timg", "-ph", f"-g{size}"]],
            "sixel": [["chafa", "-f", "sixels", "-s", size]],
            "kitty": [["chafa", "-f", "kitty", "-s", size], ["timg", "-pk", f"-g{size}"]],
        }.items():
            peers = [peer for peer in peers if shutil.which(peer[0])]
            own, others = [], [[] for _ in peers]
            for _ in range(PRINTS):
                own.append(print_photo([program, "show", "--size", size, "--pictures", protocol, photo]))
                for times, peer in zip(others, peers):
                    times.append(print_photo(peer + [photo]))
            ratios = "".join(
                f"   {statistics.median(a / b for a, b in zip(own, times)):.2f} of {peer[0]}'s"
                for times, peer in zip(others, peers)
            )
            print(f"  {protocol:<8}{size:<8}median {1000 * statistics.median(own):6.1f} ms{ratios}")


def main():
    program = os.path.realpath(sys.argv[1])
    photos = os.path.dirname(program) + "/tintype_Resources.resources/photos"
    peer = sys.argv[2:] or ["nnn"]
    has_peer = shutil.which(peer[0]) is not None

    own, others = [], []
    for _ in range(ROUNDS):
        own.append(launch(program))
        if has_peer:
            others.append(launch_peer(peer, photos))
    print(f"launch to the list    {milliseconds(own)}   ({ROUNDS} rounds)")
    if has_peer:
        ratio = statistics.median(a / b for a, b in zip(own, others))
        print(f"  {peer[0]:<20}{milliseconds(others)}   ratio {ratio:.2f}")
    else:
        print(f"  no peer: {peer[0]} is not installed")

    for pictures in "none", "symbols", "kitty", "sixel":
        keys, size, memory = key_latencies(program, pictures)
        print(f"key, pictures {pictures:<8}{milliseconds(keys)}   ({KEYS} keys, {size:.0f} bytes each, {memory:.0f} MB)")
    wakeups, ticks = idle(program)
    print(f"idle for {IDLE_SECONDS} s         {wakeups} wakeups, {ticks} ticks of CPU")
    largest = max(pathlib.Path(photos).iterdir(), key=lambda path: path.stat().st_size)
    compare_printing(program, os.environ.get("PHOTO", str(largest)))


main()
