#!/usr/bin/env python3
"""Measures how images appear over a slow line: remote.py PROGRAM PHOTOS [--rates 20,200,2000] [--markdown]

The program runs in a pseudo-terminal of 126x40 cells, as over SSH. Between it and a simple terminal lies a line that carries
`rate` kilobytes a second in each direction, takes `rtt` milliseconds there and back, and buffers 64 kB. Measured are

- the next photo in the viewer: the time until it is recognizable (nearer to its last state than to the photo before),
  readable (SSIM against the last state 0.75), sharp (0.95), and complete, and its bytes;
- the next key while an image is on its way: the time until the caption changes;
- a held key, 30 times a second for 100 photos: the photos that were recognizable while it was held, and the time from its
  release until the last one is;
- timg and chafa with the same photos, each from its start to the last byte, and yazi, from the key to the last byte.

PHOTOS is a folder of JPEGs. Needs python3-pil, python3-numpy and libvterm; tmux for kitty in tmux. Peers are measured if
they are installed.
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import statistics
import struct
import subprocess
import tempfile
import time
import zlib

from remote_terminal import COLUMNS, ROWS, Replay, Session, distance, gray, ssim, thumbnail

FORMATS = ["kitty", "tmux", "sixel", "iterm", "symbols"]
TITLES = {"kitty": "kitty", "tmux": "kitty in tmux", "sixel": "sixel", "iterm": "iTerm2", "symbols": "characters"}
TMUX = """set -g status off
set -g destroy-unattached on
set -g default-terminal tmux-256color
set -as terminal-features ',xterm-256color:RGB'
set -g allow-passthrough on
"""
HELD_KEYS, HELD_RATE = 100, 30


def quiet(rate, rtt):
    """The seconds after which no sharper image is awaited, longer than a first image takes."""
    return 2.5 + rtt + 40_000 / rate


def terminal(name):
    """The terminal that draws a format."""
    return "kitty" if name == "tmux" else name


@contextlib.contextmanager
def gallery(program, photos, name, rate, rtt):
    """The program in the viewer, with the first photo complete."""
    with tempfile.TemporaryDirectory() as place:
        command = [program, "--delay", "0", photos]
        if name == "tmux":
            pathlib.Path(place, "tmux.conf").write_text(TMUX)
            command = ["tmux", "-u", "-S", f"{place}/socket", "-f", f"{place}/tmux.conf", "new-session", *command]
        elif name != "kitty":
            command[1:1] = ["--pictures", name]
        session = Session(command, terminal(name), rate, rtt, {"XDG_STATE_HOME": place})
        try:
            session.step(time.monotonic() + 2)
            session.type("v")
            session.step_until_quiet(1 + quiet(rate, rtt), 30)
            yield session
        finally:
            if name == "tmux":
                subprocess.run(["tmux", "-S", f"{place}/socket", "kill-server"], stderr=subprocess.DEVNULL, check=False)
            session.end()


def decoded(images):
    """The images that a terminal could decode: time, bytes, and pixels. It drops those that were cut off."""
    result = []
    for when, count, pixels in images:
        try:
            result.append((when, count, pixels()))
        except (OSError, ValueError, KeyError, AttributeError, zlib.error, struct.error, SyntaxError):
            pass
    return result


def next_photos(program, photos, name, rate, rtt, count, longest):
    """For each photo after the next key: the times of the steps, and the bytes."""
    with gallery(program, photos, name, rate, rtt) as session:
        starts = []
        for _ in range(count):
            starts.append((session.type("n"), len(session.log)))
            session.step_until_quiet(quiet(rate, rtt), longest)
        log = session.log
    # Decoding takes long, and the line must not stand still meanwhile.
    replay, rows, before = Replay(terminal(name)), [], None
    replay.feed(log[:starts[0][1]])
    for number, (start, begin) in enumerate(starts):
        end = starts[number + 1][1] if number + 1 < len(starts) else len(log)
        if states := decoded(replay.shown[-1:]):
            before = thumbnail(states[-1][2])
        replay.shown.clear()
        replay.feed(log[begin:end])
        images = decoded(replay.shown)
        replay.shown[:] = replay.shown[-1:]
        if images:
            rows.append(steps(images, before, start) | {"bytes": sum(len(data) for _, data in log[begin:end])})
    return rows


def steps(images, before, start):
    last = images[-1][2]
    size, few = (last.shape[1], last.shape[0]), thumbnail(last)
    whole, times = gray(last, size), {}
    for when, _, pixels in images:
        seconds = when - start
        if before is None or distance(thumbnail(pixels), few) < distance(thumbnail(pixels), before):
            times.setdefault("recognizable", seconds)
        likeness = ssim(gray(pixels, size), whole)
        for step, least in ("readable", 0.75), ("sharp", 0.95):
            if likeness >= least:
                times.setdefault(step, seconds)
        if likeness > 0.9999:
            times.setdefault("complete", seconds)
    return times | {"images": [(round(when - start, 2), count, pixels.shape[1]) for when, count, pixels in images]}


def next_key(program, photos, name, rate, rtt, count):
    """The times from keys that were pressed while an image was on its way to the next photo's caption."""
    keys = []
    with gallery(program, photos, name, rate, rtt) as session:
        for number in range(count):
            session.type("n")
            # At different moments of the way.
            session.step(time.monotonic() + 0.5 + number % 4 * 0.4)
            session.step(time.monotonic() + 5, session.is_busy)
            keys.append((session.type("n"), len(session.log)))
            session.step_until_quiet(quiet(rate, rtt), 3)
        log = session.log
    replay, times, begin = Replay("none"), [], 0
    for start, index in keys:
        replay.feed(log[begin:index])
        caption, begin = replay.cells.text(38), index
        while begin < len(log):
            replay.feed(log[begin:begin + 1])
            begin += 1
            if replay.cells.text(38) != caption:
                # Of an earlier key's answer nothing is due any more.
                times.append(log[begin - 1][0] - start)
                break
    return times


def held_key(program, photos, name, rate, rtt):
    """The photos that were recognizable while a key was held, and the seconds from its release to the last one."""
    with tempfile.TemporaryDirectory() as place:
        originals = sorted(path for path in pathlib.Path(photos).iterdir() if path.suffix.lower() in (".jpg", ".jpeg"))
        for number in range(HELD_KEYS + 2):
            source, target = originals[number % len(originals)], pathlib.Path(place, f"{number:03}.jpg")
            try:
                os.link(source, target)
            except OSError:
                shutil.copyfile(source, target)
        with gallery(program, place, name, rate, rtt) as session:
            begin = len(session.log)
            start = time.monotonic()
            for number in range(HELD_KEYS):
                session.step(start + number / HELD_RATE)
                released = session.type("n")
            session.step_until_quiet(quiet(rate, rtt), 20)
            log = session.log
    from PIL import Image
    references = []
    for path in originals:
        image = Image.open(path)
        image.draft("RGB", (640, 480))
        references.append(image.convert("RGB"))
    replay = Replay(terminal(name))
    replay.feed(log[:begin])
    replay.shown.clear()
    replay.feed(log[begin:])
    names = []
    for when, _, pixels in decoded(replay.shown):
        few = thumbnail(cropped(pixels, references[0]))
        # References have the size of the image, so that bands are the same.
        likeness = [distance(few, reference) for reference in thumbnails(references)]
        names.append((when, min(range(len(likeness)), key=likeness.__getitem__)))
    seen, last = 0, 0
    for when, photo in names:
        if photo != last and when <= released + rtt / 2:
            seen += 1
        last = photo
    wanted = HELD_KEYS % len(originals)
    arrived = next((when for when, photo in reversed(names) if photo != wanted), released)
    final = next((when for when, photo in names if photo == wanted and when > arrived), None)
    return seen, None if final is None else final - released


def thumbnails(images, cache={}):
    key = id(images)
    if key not in cache:
        import numpy
        cache[key] = [thumbnail(numpy.asarray(image)) for image in images]
    return cache[key]


def cropped(pixels, reference):
    """The image without the cells beside it."""
    height, width = pixels.shape[:2]
    if (height, width) != ((ROWS - Replay.TEXT_ROWS) * 8, COLUMNS * 4):
        return pixels
    wide = min(width, round(height * reference.width / reference.height))
    left = (width - wide) // 2
    return pixels[:, left:left + wide]


# ---------------------------------------------------------------------- peers

# By these, a peer's output shows that it has the format. Some versions draw characters instead.
MARKS = {"kitty": b"\x1b_G", "sixel": b"\x1bP", "iterm": b"\x1b]1337;", "symbols": b"\x1b["}
# The fewest bytes of an image.
LEAST = 3000


def peers(name):
    """The commands that print a photo in a format, by the name of the program."""
    size = "126x38"
    commands = {
        "kitty": {"timg": ["timg", "-pk", f"-g{size}"], "chafa": ["chafa", "-f", "kitty", "-s", size]},
        "sixel": {"timg": ["timg", "-ps", f"-g{size}"], "chafa": ["chafa", "-f", "sixels", "-s", size]},
        "iterm": {"timg": ["timg", "-pi", f"-g{size}"], "chafa": ["chafa", "-f", "iterm", "-s", size]},
        "symbols": {"timg": ["timg", "-pq", f"-g{size}"], "chafa": ["chafa", "-f", "symbols", "-c", "full", "-s", size]},
    }
    return {peer: command for peer, command in commands.get(name, {}).items() if shutil.which(command[0])}


def print_photos(command, photos, name, rate, rtt, count, longest):
    """For each photo: the seconds from the start of the command to the last byte, and the bytes."""
    rows = []
    for photo in sorted(pathlib.Path(photos).iterdir())[1:count + 1]:
        session = Session([*command, str(photo)], terminal(name), rate, rtt)
        start = time.monotonic()
        session.step(start + longest)
        size = sum(len(data) for _, data in session.log)
        is_whole = session.has_ended and not session.down.pieces
        if size > LEAST and not any(MARKS[name] in data for _, data in session.log):
            session.end()
            return []
        rows.append({"complete": session.log[-1][0] - start + rtt / 2 if is_whole else None, "bytes": size if is_whole else None})
        session.end()
        if not is_whole:
            break
    return rows


def step_until_still(session, seconds, longest):
    """Carries bytes until nothing has come for some seconds."""
    start = time.monotonic()
    session.step(start + longest, lambda: time.monotonic() - max(session.changed, start) > seconds)


def browse_with_yazi(photos, name, rate, rtt, count, longest):
    """For each photo in yazi's preview: the seconds from the key to the last byte, and the bytes."""
    yazi = shutil.which("yazi")
    if yazi is None:
        return []
    with tempfile.TemporaryDirectory() as place:
        # Its preview as large as can be.
        pathlib.Path(place, "yazi.toml").write_text("[mgr]\nratio = [0, 1, 12]\n[preview]\nmax_width = 2000\nmax_height = 2000\n")
        environment = {"YAZI_CONFIG_HOME": place, "XDG_CACHE_HOME": place, "XDG_STATE_HOME": place}
        session = Session([yazi, photos], terminal(name), rate, rtt, environment)
        rows = []
        try:
            step_until_still(session, 3 + rtt, longest)
            for _ in range(count):
                start, begin = session.type("j"), len(session.log)
                step_until_still(session, 1.5 + rtt, longest)
                log = session.log[begin:]
                size = sum(len(data) for _, data in log)
                if size > LEAST and any(MARKS[name] in data for _, data in log):
                    rows.append({"complete": session.changed - start, "bytes": size})
        finally:
            session.end()
        return rows


# --------------------------------------------------------------------- output

def median(rows, key):
    values = [row[key] for row in rows if row.get(key) is not None]
    return statistics.median(values) if len(values) * 2 > len(rows) else None


def seconds(value):
    return "–" if value is None else f"{value:.1f} s" if value >= 9.95 else f"{value:.2f} s"


def size(value):
    return "–" if value is None else f"{value / 1e6:.2f} MB" if value >= 1e6 else f"{value / 1000:.0f} kB"


def print_row(cells, markdown):
    if markdown:
        print("| " + " | ".join(cells) + " |", flush=True)
    else:
        print("".join(cell.ljust(width) for cell, width in zip(cells, (15, 10, 14, 11, 11, 11, 10, 10, 12, 10))), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("photos")
    parser.add_argument("--rates", default="20,200,2000", help="in kB/s")
    parser.add_argument("--rtt", type=float, default=100, help="in ms")
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--count", type=int, default=10, help="photos for each figure")
    parser.add_argument("--longest", type=float, default=60, help="seconds to wait for a photo")
    parser.add_argument("--parts", default="photos,key,held,peers")
    parser.add_argument("--each", action="store_true", help="print each image")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    rtt, parts = options.rtt / 1000, options.parts.split(",")
    program, photos = os.path.realpath(options.program), os.path.realpath(options.photos)
    for rate in options.rates.split(","):
        bytes_per_second = float(rate) * 1000
        print(f"\n{'### ' if options.markdown else ''}{rate} kB/s, {options.rtt:.0f} ms\n")
        print_row(["format", "program", "recognizable", "readable", "sharp", "complete", "bytes", "next key", "held key", "released"],
                  options.markdown)
        if options.markdown:
            print_row(["---"] * 10, True)
        for name in options.formats.split(","):
            if name == "tmux" and not shutil.which("tmux"):
                continue
            line = (name, bytes_per_second, rtt)
            rows = next_photos(program, photos, *line, options.count, options.longest) if "photos" in parts else []
            if options.each:
                for row in rows:
                    print("  ", row)
            answers = next_key(program, photos, *line, options.count) if "key" in parts else []
            seen, release = held_key(program, photos, *line) if "held" in parts else (None, None)
            if parts != ["peers"]:
                print_row(
                    [TITLES[name], "Tintype"] + [seconds(median(rows, key)) for key in ("recognizable", "readable", "sharp", "complete")]
                    + [size(median(rows, "bytes")), f"{seconds(statistics.median(answers))}" if answers else "–",
                       "–" if seen is None else f"{seen} of {HELD_KEYS}", seconds(release)], options.markdown)
            if "peers" not in parts or name == "tmux":
                continue
            for peer, command in peers(name).items():
                if rows := print_photos(command, photos, *line, min(5, options.count), options.longest):
                    print_peer(peer, name, rows, options)
            if rows := browse_with_yazi(photos, *line, min(5, options.count), options.longest):
                print_peer("yazi", name, rows, options)


def print_peer(peer, name, rows, options):
    complete = median(rows, "complete")
    text = f"> {options.longest:.0f} s" if complete is None else seconds(complete)
    print_row([TITLES[name], peer, "", "", "", text, size(median(rows, "bytes")), "", "", ""], options.markdown)


if __name__ == "__main__":
    main()
