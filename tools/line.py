"""A slow line between ssh and the other machine, as a ProxyCommand: line.py --rate KILOBYTES --rtt MILLISECONDS COMMAND…

For instance, in ~/.ssh/config:

    Host slow
      ProxyCommand python3 tools/line.py --rate 200 --rtt 100 nc nas 22

Each direction carries `rate` kilobytes a second, takes half of `rtt`, and buffers 64 kB. If the process is stopped (SIGSTOP), so is the
line, and if it is killed, the line is broken. It needs no more than Python's smallest package.
"""

import argparse
import collections
import os
import select
import subprocess
import time

BUFFER, PIECE = 64_000, 1400


class Direction:
    """What is on its way in one direction, with the times at which it leaves the buffer and arrives."""

    def __init__(self, source, target, rate, delay):
        self.source, self.target, self.rate, self.delay = source, target, rate, delay
        self.pieces = collections.deque()
        self.free_at = 0.0
        self.is_closed = False

    def has_room(self, now):
        return not self.is_closed and (self.free_at - now) * self.rate < BUFFER

    def is_empty(self):
        return self.is_closed and not self.pieces

    def read(self, now):
        piece = os.read(self.source, PIECE)
        self.is_closed = not piece
        self.free_at = max(self.free_at, now) + len(piece) / self.rate
        self.pieces.append((self.free_at + self.delay, piece))

    def write(self, now):
        while self.pieces and self.pieces[0][0] <= now:
            piece = self.pieces.popleft()[1]
            if not piece:
                os.close(self.target)
            while piece:
                piece = piece[os.write(self.target, piece):]


def carry(directions):
    """Carries bytes until nothing comes from the other machine."""
    there, back = directions
    while not back.is_empty():
        now = time.monotonic()
        for direction in directions:
            direction.write(now)
        # A full buffer has room again after a piece.
        times = [direction.pieces[0][0] for direction in directions if direction.pieces]
        times += [now + PIECE / direction.rate for direction in directions if not direction.has_room(now)]
        sources = [direction.source for direction in directions if direction.has_room(now)]
        ready, _, _ = select.select(sources, [], [], max(0, min(times) - now) if times else None)
        for direction in directions:
            if direction.source in ready:
                direction.read(time.monotonic())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rate", type=float, required=True, help="kilobytes a second in each direction")
    parser.add_argument("--rtt", type=float, required=True, help="milliseconds there and back")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    process = subprocess.Popen(arguments.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    rate, delay = arguments.rate * 1000, arguments.rtt / 2000
    try:
        carry([
            Direction(0, process.stdin.fileno(), rate, delay),
            Direction(process.stdout.fileno(), 1, rate, delay),
        ])
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    finally:
        process.kill()


if __name__ == "__main__":
    main()
