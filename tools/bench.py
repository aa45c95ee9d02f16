#!/usr/bin/env python3
"""Measures the gallery from outside, in a pseudo-terminal that reads at once: bench.py PROGRAM

Prints medians of launch, key latency, idleness, and of printing one photo. Other programs that are installed do the same
jobs in turn, for ratios that hold on any machine. The photo that is printed is $PHOTO, or the largest of those that come
with the program. With $PHOTOS, a folder of JPEGs, it also goes through that: thumbnails, the first image, a step in the
list and full-screen, a key held down, and a folder of $FILES links to them (10000). With $ROWS, say 1000000, it opens a
made-up catalog of so many photos. The map is measured with 100,000 made-up photos.
Finding and sorting, the bytes of the renditions for a slow line, and moving and copying are measured below the screens, where
`measure-finding`, `measure-rungs` and `measure-steps` are built beside the program. At the end comes the table of docs/performance.md:
what was measured beside peers.
"""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

import make_catalog

ROUNDS = 15
KEYS = 200
PRINTS = 7
IDLE_SECONDS = 10
WORDS = ["harbour", "red lan", "zurich night", "img_0042"]
# The throughput of the slow line, in bytes per second, and the number of photos that are rendered for it.
LINE, RUNG_PHOTOS = 200_000, 10
FRAME_END = b"\x1b[?2026l"
# The rows of the table: the job, its seconds, and for each peer the median of the ratios of each round.
TABLE = []
# A home without settings and places, in which the index and the thumbnails of one session are there for the next.
HOME = tempfile.TemporaryDirectory(prefix="tintype-bench-")
# What was opened before would be offered, and the first keys would choose from it.
for name in "CACHE", "CONFIG", "DATA", "STATE":
    os.environ.pop(f"XDG_{name}_HOME", None)


class Session:
    """A program in a pseudo-terminal with cells of 10x20 pixels."""

    def __init__(self, command, folder, columns=120, rows=36):
        self.started = time.perf_counter()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", HOME=HOME.name, PWD=folder)
            # The size is set by the program's own side, so that it is there before the program looks.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 10, rows * 20))
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
    p99 = f"   99% {values[int(0.99 * len(values))]:6.1f} ms" if len(values) >= 100 else ""
    return f"median {statistics.median(values):6.1f} ms   95% {p95:6.1f} ms{p99}   worst {values[-1]:6.1f} ms"


def add_row(job, own, peers):
    """Adds a row to the table: `own` are the seconds of each round, `peers` those of each peer."""
    ratios = {name: statistics.median(a / b for a, b in zip(own, times)) for name, times in peers.items() if times}
    TABLE.append((job, statistics.median(own), ratios))
    return ratios


def print_table():
    names = ["chafa", "exiftool", "exiv2", "fzf", "jhead", "nnn", "pixelterm", "termvisage", "timg", "vipsthumbnail"]
    versions = {name: version(name) for name in names if shutil.which(name)}
    print("\n| job | time | time divided by that of |\n|---|---:|---|")
    for job, seconds, ratios in TABLE:
        cells = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()) or "no peer"
        time_text = f"{1000 * seconds:.1f} ms" if seconds < 0.1 else f"{1000 * seconds:.0f} ms"
        print(f"| {job} | {time_text} | {cells} |")
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    system = [line for line in open("/etc/os-release") if line.startswith("PRETTY_NAME")][0].split('"')[1]
    print(f"\n{model[0] if model else os.uname().machine}, {os.cpu_count()} processors, {system}. "
          + ", ".join(f"{name} {number}" for name, number in versions.items()) + ".")


def version(name):
    """The number in what a program says of its version."""
    option = {"exiftool": "-ver", "jhead": "-V", "nnn": "-V"}.get(name, "--version")
    output = subprocess.run([name, option], capture_output=True, text=True)
    found = re.search(r"\d+(\.\d+)+", output.stdout + output.stderr)
    return found.group() if found else "of an unknown version"


def grouped(number):
    """A number as the gallery writes it."""
    return (f"{number:,}" if number >= 10_000 else str(number)).encode()


def launch(program):
    session = Session([program, "--delay", "0"], "/")
    seconds = session.wait(b"1/36") - session.started
    session.end()
    return seconds


def launch_peer(command, folder):
    session = Session(command, folder)
    seconds = session.wait(min(os.listdir(folder)).encode()) - session.started
    session.end()
    return seconds


def installed(peers):
    """Those of the peers that are installed. A peer has a name, a command, and the key for the next photo."""
    return {name: peer for name, peer in peers.items() if shutil.which(name)}


def termvisage(folder, images):
    """The command that lists the photos of a folder, and shows the first one."""
    style = {"symbols": "block"}.get(images, images)
    return ["termvisage", "--tui", "-S", style, "--force-style"] + sorted(map(str, pathlib.Path(folder).iterdir()))


def finders(images):
    """The peers that show the photos of a folder in a list with a preview."""
    draw = "chafa -f symbols -c full -s ${FZF_PREVIEW_COLUMNS}x${FZF_PREVIEW_LINES} {}"
    fzf = ["env", "FZF_DEFAULT_COMMAND=ls", "fzf", "--reverse", "--preview", draw]
    return installed({"fzf": (fzf, b"\x1b[B")} if images == "symbols" and shutil.which("chafa") else {})


def viewers(folder, images):
    """The peers that show one photo of a folder as large as they can."""
    # With chafa's library of Debian 12, PixelTerm-C uses all characters by default, and takes seconds for a photo.
    pixelterm = ["pixelterm", "--protocol", {"symbols": "text"}.get(images, images), "--text-symbols", "quarter"]
    found = {"pixelterm": (pixelterm + [f"{folder}/{min(os.listdir(folder))}"], b"l")}
    if images != "sixel":
        found["termvisage"] = termvisage(folder, images), b"\x1b[B"
    return installed(found)


def key_latencies(program, images):
    """From each key to the last byte of what it changed, which with images is the image."""
    session = Session([program, "--delay", "0", "--pictures", images], "/")
    session.wait(b"1/36")
    session.wait_still(0.3)
    seconds, before = [], len(session.output)
    for number in range(KEYS):
        start, sent = len(session.output), time.perf_counter()
        os.write(session.master, b"j" if number // 15 % 2 == 0 else b"k")
        session.wait(FRAME_END, start)
        seconds.append(session.wait_still(0.15 if images != "none" else 0.02) - sent)
    size, memory = (len(session.output) - before) / KEYS, session.memory_mb()
    session.end()
    return seconds, size, memory


def room_switches(program):
    """From a room's key to its first frame, and to the last change, once every room has loaded."""
    session = Session([program, "--delay", "0"], "/")
    session.wait(b"1/36")
    before = session.memory_mb()
    for _ in range(5):
        os.write(session.master, b"]")
        session.wait_still(0.7)
    first, settled = [], []
    for _ in range(50):
        start, sent = len(session.output), time.perf_counter()
        os.write(session.master, b"]")
        first.append(session.wait(FRAME_END, start) - sent)
        settled.append(session.wait_still(0.1) - sent)
    memory = session.memory_mb()
    session.end()
    print(f"another room          {milliseconds(first)}   {before:.0f} MB with one room, {memory:.0f} MB with five")
    print(f"  with its images   {milliseconds(settled)}")


def idle(program):
    session = Session([program, "--delay", "0"], "/")
    session.wait(b"1/36")
    session.wait_still(1)
    switches, ticks = session.switches(), session.cpu_ticks()
    session.wait_still(IDLE_SECONDS)
    result = session.switches() - switches, session.cpu_ticks() - ticks
    session.end()
    return result


def catalog(folder, path):
    """A catalog of all photos of a folder."""
    names = sorted(os.listdir(folder))
    rows = [
        {"id": n, "name": name, "created_at": "2026-01-01T00:00:00Z", "image_url": f"{folder}/{name}"}
        for n, name in enumerate(names)
    ]
    pathlib.Path(path).write_text(json.dumps({"photos": rows}))
    return names


def tree_ticks(session):
    """CPU of the program and of its workers, as far as it has waited for them or they run, in ticks."""
    total = session.cpu_ticks()
    for child in pathlib.Path(f"/proc/{session.pid}/task/{session.pid}/children").read_text().split():
        fields = pathlib.Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total


def first_images(command, folder, quiet):
    """From the start to the first frame with an image, and to the last change of the screen."""
    session = Session(command, folder)
    rough = None
    while (now := session.read(quiet)) is not None:
        last = now
        # An image has many colors, all else on the screen few.
        if rough is None and session.output.count(b"48;2;") + session.output.count(b"48:2:") > 300:
            rough = now
    # Thumbnails are made once nothing has been asked for a while.
    time.sleep(2)
    session.end()
    return (rough or last) - session.started, last - session.started


def key_times(session, key, quiet, count):
    """From each key to the last change of the screen."""
    seconds = []
    for _ in range(count):
        sent = time.perf_counter()
        os.write(session.master, key)
        seconds.append(session.wait_still(quiet) - sent)
    return seconds


def peer_key_times(command, key, folder, count):
    """The same of another program, which may draw nothing for a while before it draws an image."""
    session = Session(command, folder)
    session.read(5)
    session.wait_still(2)
    seconds = key_times(session, key, 1, count)
    session.end()
    return seconds


def results(peers, job):
    """What a job returns for each of the peers that can do it."""
    found = {}
    for name, (command, key) in peers.items():
        try:
            found[name] = job(command, key)
        # PixelTerm-C ends if the first photo has more than 16.8 megapixels.
        except OSError:
            print(f"    no peer: {name} has ended")
    return found


def print_peers(times, ratios):
    for name, ratio in ratios.items():
        print(f"    {name:<18}{milliseconds(times[name])}   ratio {ratio:.2f}")


def browse(program, folder, kind):
    """Goes through the photos of a folder. The kind of the photos is a part of the names of the jobs."""
    print(f"browsing {folder}")
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CACHE_HOME"] = place
        path = f"{place}/all.json"
        names = catalog(folder, path)
        count = min(40, len(names) - 1)
        peers = finders("symbols") | viewers(folder, "symbols")
        cold, warm, others = [], [], {name: [] for name in peers}
        for _ in range(5):
            shutil.rmtree(f"{place}/thumbnails", ignore_errors=True)
            for rounds in cold, warm:
                rounds.append(first_images([program, "--delay", "0", "--pictures", "symbols", path], "/", 0.4))
            for name, times in results(peers, lambda command, _: first_images(command, folder, 2)).items():
                others[name].append(times)
        # The peers have no thumbnails.
        for label, rounds, peer_rounds in ("cold", cold, others), ("cached", warm, {}):
            for part, job in enumerate(("the first image", "all images sharp")):
                own = [times[part] for times in rounds]
                seconds = {name: [times[part] for times in rounds] for name, rounds in peer_rounds.items()}
                print(f"  {job}, {label:<7}{milliseconds(own)}")
                print_peers(seconds, add_row(f"launch to {job}, {label}{kind}", own, seconds))
        for images in "symbols", "kitty", "sixel":
            shutil.rmtree(f"{place}/thumbnails", ignore_errors=True)
            session = Session([program, "--delay", "0", "--pictures", images, path], "/")
            session.wait(f"1/{len(names)}".encode())
            session.wait_still(1)
            ticks, start = tree_ticks(session), len(session.output)
            seconds = key_times(session, b"j", 0.2, count)
            cpu = 1000 * (tree_ticks(session) - ticks) / os.sysconf("SC_CLK_TCK") / count
            size = (len(session.output) - start) / count / 1000
            print(f"  step, {images:<8}{milliseconds(seconds)}   {cpu:.0f} ms CPU, {size:.0f} kB each")
            times = results(finders(images), lambda command, key: peer_key_times(command, key, folder, count))
            print_peers(times, add_row(f"a key to the next photo's image, {images}{kind}", seconds, times))
            for _ in range(100):
                os.write(session.master, b"j")
                sent = time.perf_counter()
                while time.perf_counter() < sent + 1 / 30:
                    session.read(max(0, sent + 1 / 30 - time.perf_counter()))
            settled = session.wait_still(0.4) - sent
            print(f"  held at 30/s, {images:<8}settled in {1000 * settled:.0f} ms, {session.memory_mb():.0f} MB")
            session.end()
            shutil.rmtree(f"{place}/thumbnails", ignore_errors=True)
            session = Session([program, "--delay", "0", "--pictures", images, path], "/")
            session.wait(f"1/{len(names)}".encode())
            os.write(session.master, b"v")
            session.wait_still(2)
            seconds = key_times(session, b"n", 1, count)
            session.end()
            print(f"  full-screen, {images:<8}{milliseconds(seconds)}")
            times = results(viewers(folder, images), lambda command, key: peer_key_times(command, key, folder, count))
            print_peers(times, add_row(f"a key to the next photo's image full-screen, {images}{kind}", seconds, times))
        compare_thumbnails(program, folder, names, place)


def index(program, folder, count):
    """Opens a folder of so many photos, for the first time and again, beside what reads the same metadata of the same files."""
    # Beside the photos, since they are linked and not copied; each name is another file to the index.
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as place:
        names = sorted(name for name in os.listdir(folder) if name.lower().endswith((".jpg", ".jpeg")))
        os.mkdir(f"{place}/photos")
        for number in range(count):
            os.link(f"{folder}/{names[number % len(names)]}", f"{place}/photos/{number:05}.jpg")
        os.environ["XDG_CACHE_HOME"] = f"{place}/cache"
        figures = {}
        for _ in range(PRINTS):
            shutil.rmtree(f"{place}/cache", ignore_errors=True)
            for label in "cold", "warm":
                session = Session([program, "--pictures", "none", f"{place}/photos"], "/")
                first = session.wait(b"00000.jpg") - session.started
                # Of a text that was longer or shorter before, only what differs is written.
                listed = session.wait((b"1/" + grouped(count))[:6]) - session.started
                whole = session.wait_still(0.4) - session.started
                figures.setdefault(label, []).append((first, listed, whole))
                session.end()
        print(f"folder of {count} photos")
        for label, values in figures.items():
            first, listed, whole = ([value[part] for value in values] for part in range(3))
            print(f"  {label}  first row {milliseconds(first)}")
            print(f"        all rows  {milliseconds(listed)}")
            print(f"        all metadata {milliseconds(whole)}   {count / statistics.median(whole):.0f} photos a second")
        own = [value[2] for value in figures["cold"]]
        files = sorted(str(path) for path in pathlib.Path(f"{place}/photos").iterdir())
        peers = {}
        for peer, command in {
            "exiv2": ["exiv2", "-q", "-g", "Exif.Photo.DateTimeOriginal", "-Pv"],
            "jhead": ["jhead", "-se"],
            "exiftool": ["exiftool", "-q", "-q", "-fast2", "-s3", "-DateTimeOriginal"],
        }.items():
            if shutil.which(peer) is None:
                print(f"  no peer: {peer} is not installed")
                continue
            started = time.perf_counter()
            # The system limits the arguments of a program.
            for begin in range(0, len(files), 10_000):
                part = files[begin:begin + 10_000]
                subprocess.run(command + part, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            seconds = time.perf_counter() - started
            # A peer takes seconds, so that one round must do.
            peers[peer] = [seconds] * len(own)
            print(f"  {peer:<10}{seconds:6.2f} s   {count / seconds:.0f} photos a second")
        add_row(f"a folder of {count:,} photos: all names", [value[1] for value in figures["cold"]], {})
        add_row(f"a folder of {count:,} photos: all metadata, for the first time", own, peers)


def compare_thumbnails(program, folder, names, place):
    files = [f"{folder}/{name}" for name in names]
    own, others = [], []
    for _ in range(3):
        shutil.rmtree(f"{place}/thumbnails", ignore_errors=True)
        started = time.perf_counter()
        subprocess.run([program, "thumbnails", *files], check=False)
        own.append(time.perf_counter() - started)
        if shutil.which("vipsthumbnail"):
            started = time.perf_counter()
            command = ["xargs", "-d", "\n", "-P2", "-n50", "vipsthumbnail", "-s", "256", "-o", f"{place}/%s.jpg"]
            environment = dict(os.environ, VIPS_CONCURRENCY="1")
            subprocess.run(command, input="\n".join(files).encode(), env=environment, check=False)
            others.append(time.perf_counter() - started)
    ratios = add_row(f"{len(files)} thumbnails of 256 pixels", own, {"vipsthumbnail": others})
    ratio = f"   {ratios['vipsthumbnail']:.2f} of two vipsthumbnail's" if ratios else "   no peer: vipsthumbnail"
    print(f"  {len(files)} thumbnails      {statistics.median(own):.1f} s{ratio}")


def print_photo(command, size):
    session = Session(command, "/", *map(int, size.split("x")))
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
    fill = ["termvisage", "--cli", "--v-allow", "0", "--no-align", "--force-style", "-S"]
    for size in "80x24", "200x60":
        for protocol, peers in {
            "symbols": [
                ["chafa", "-f", "symbols", "-c", "full", "-s", size], ["timg", "-ph", f"-g{size}"], fill + ["block"]],
            "sixel": [["chafa", "-f", "sixels", "-s", size]],
            "kitty": [["chafa", "-f", "kitty", "-s", size], ["timg", "-pk", f"-g{size}"], fill + ["kitty"]],
        }.items():
            peers = [peer for peer in peers if shutil.which(peer[0])]
            own, others = [], [[] for _ in peers]
            for _ in range(PRINTS):
                own.append(print_photo([program, "show", "--size", size, "--pictures", protocol, photo], size))
                for times, peer in zip(others, peers):
                    times.append(print_photo(peer + [photo], size))
            ratios = add_row(
                f"printing an image: {protocol}, {size}", own, {peer[0]: times for peer, times in zip(peers, others)})
            text = "".join(f"   {ratio:.2f} of {name}'s" for name, ratio in ratios.items())
            print(f"  {protocol:<8}{size:<8}median {1000 * statistics.median(own):6.1f} ms{text}")


def large_catalog(program, rows):
    """From the start to the first photos, and to all of them; by a file, packed, and through a pipe."""
    with tempfile.TemporaryDirectory() as place:
        path = f"{place}/catalog.json"
        make_catalog.write(rows, path)
        subprocess.run(["gzip", "-1k", path], check=True)
        print(f"catalog of {rows} photos ({os.path.getsize(path) / 1e6:.0f} MB)")
        for label, source in {
            "file": [path],
            "gzip": [path + ".gz"],
            "pipe": ["-"],
        }.items():
            first, whole, memory = [], [], []
            for _ in range(PRINTS):
                call = [program, "--delay", "0", "--pictures", "none"] + source
                if label == "pipe":
                    call = ["bash", "-c", 'exec "$@" < <(cat "$0")', path] + call
                session = Session(call, "/")
                # The pane of the detail has the first photo's address.
                first.append(session.wait(b"IMG_0000001") - session.started)
                # Only the digits that change are drawn, so no text shows that all are there.
                whole.append(session.wait_still(2) - session.started)
                memory.append(session.memory_mb())
                session.end()
            add_row(f"a catalog of {rows:,} photos, {label}", whole, {})
            print(f"  {label:<6}first photos {milliseconds(first)}, all {milliseconds(whole)}, {max(memory):.0f} MB")


def map_steps(program, rows):
    """The map of so many photos: from `gm` to the map, and from a key that moves or enlarges it to the end of the frame."""
    with tempfile.TemporaryDirectory() as place:
        path = f"{place}/catalog.json"
        make_catalog.write(rows, path, has_places=True)
        opened, moved, zoomed = [], [], []
        for _ in range(PRINTS):
            session = Session([program, "--delay", "0", "--pictures", "none", path], "/")
            session.wait(b"IMG_0000001")
            session.wait_still(1)
            start, sent = len(session.output), time.perf_counter()
            os.write(session.master, b"gm")
            opened.append(session.wait(b"km wide", start) - sent)
            session.wait_still(0.3)
            # The whole world can't be moved up or down, so two steps come before.
            for keys, seconds in (b"++", []), (b"lljjhhkk", moved), (b"++-+--+-", zoomed):
                for key in keys:
                    start, sent = len(session.output), time.perf_counter()
                    os.write(session.master, bytes([key]))
                    session.wait(FRAME_END, start)
                    seconds.append(session.wait_still(0.05) - sent)
            memory = session.memory_mb()
            session.end()
    print(f"the map of {rows} photos ({memory:.0f} MB)")
    for job, seconds in ("from gm to the map", opened), ("a pan step", moved), ("a zoom step", zoomed):
        print(f"  {job:<20}{milliseconds(seconds)}")
    add_row(f"a map of {rows:,} photos: a pan step", moved, {})


def finding(program, rows, has_places=False):
    """Each key of some words typed letter by letter, and each order, in a catalog of so many photos."""
    command = os.path.dirname(program) + "/measure-finding"
    if not os.path.exists(command):
        return
    with tempfile.TemporaryDirectory() as place:
        path = f"{place}/catalog.json"
        make_catalog.write(rows, path, has_places)
        figures = {}
        for _ in range(5):
            output = subprocess.run([command, path, *WORDS], check=True, capture_output=True, text=True).stdout
            for line in output.splitlines():
                name, value = line.rsplit(" ", 1)
                figures.setdefault(name, []).append(float(value))
    print(f"finding in {rows} photos{' with positions' if has_places else ''}")
    for name, values in figures.items():
        if name.startswith("memory"):
            print(f"  {name:<14}{max(values):6.0f} MB")
        else:
            print(f"  {name:<14}{milliseconds(values)}")


def steps(program, count):
    """Photos that are moved to another folder as one step, and the way back, beside mv."""
    command = os.path.dirname(program) + "/measure-steps"
    if not os.path.exists(command):
        return
    figures = {"mv": []}
    for _ in range(5):
        # In memory, so that the disk's own speed is left out.
        with tempfile.TemporaryDirectory(dir="/dev/shm") as place:
            measure_steps(command, place, count, 100, figures)
            os.mkdir(f"{place}/target")
            start = time.monotonic()
            subprocess.run("ls | xargs mv -t ../target", shell=True, check=True, cwd=f"{place}/photos")
            figures["mv"].append(time.monotonic() - start)
    print(f"moving and copying {count} photos")
    for name, values in figures.items():
        print(f"  {name:<14}{milliseconds(values)}")
    print(f"  ratio         {statistics.median(figures['move']) / statistics.median(figures['mv']):.1f}")


def copy(program, count, size):
    """Copies of large photos on the disk, beside cp with what makes it as safe: a flush, and a comparison with the disk."""
    command = os.path.dirname(program) + "/measure-steps"
    if not os.path.exists(command):
        return
    figures = {"cp": [], "cp, sync, cmp": []}
    for _ in range(3):
        with tempfile.TemporaryDirectory(dir=".") as place:
            measure_steps(command, place, count, size, figures)
            start = time.monotonic()
            subprocess.run(["cp", "-a", "--reflink=auto", f"{place}/photos", f"{place}/cp"], check=True)
            figures["cp"].append(time.monotonic() - start)
            subprocess.run(["sync", "-f", place], check=True)
            for path in pathlib.Path(f"{place}/cp").iterdir():
                with open(path) as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            subprocess.run(["diff", "-r", f"{place}/photos", f"{place}/cp"], check=True)
            figures["cp, sync, cmp"].append(time.monotonic() - start)
    print(f"copying {count} photos of {size / 1e6:.0f} MB on the disk")
    for name in "copy", "cp", "cp, sync, cmp":
        print(f"  {name:<14}{milliseconds(figures[name])}")
    add_row(f"copying {count} photos of {size / 1e6:.0f} MB", figures["copy"], {"cp and cmp": figures["cp, sync, cmp"]})


def measure_steps(command, place, count, size, figures):
    """Adds the seconds of each step to the figures."""
    output = subprocess.run(
        [command, place, str(count), str(size)], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        name, value = line.rsplit(" ", 1)
        figures.setdefault(name, []).append(float(value))


def rungs(program, photos):
    """The renditions that a slow line gets of each photo, one after the other."""
    command = os.path.dirname(program) + "/measure-rungs"
    if not os.path.exists(command):
        return
    with tempfile.TemporaryDirectory() as place:
        output = subprocess.run(
            [command, os.path.dirname(program) + "/tintype-pictures", str(LINE), *map(str, photos)], check=True,
            capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=place)).stdout
    figures = {}
    for line in output.splitlines():
        name, rung, *values = line.split()
        figures.setdefault((name, int(rung)), []).append([float(value) for value in values])
    print(f"over a line of {LINE // 1000} kB/s, medians of {len(photos)} photos")
    for (name, rung), values in figures.items():
        width, height, size, seconds = (statistics.median(column) for column in zip(*values))
        unit = "cells" if name == "symbols" else "pixels"
        print(f"  {name:<8}{rung}. of {len(values):<3}{width:6.0f}×{height:<5.0f}{unit:<7}"
              f"{size / 1000:8.0f} kB  {size / LINE:6.2f} s  made in {1000 * seconds:6.0f} ms")


def main():
    program = os.path.realpath(sys.argv[1])
    photos = os.path.dirname(program) + "/tintype_Resources.resources/photos"
    peers = installed({"nnn": (["nnn"], b""), "pixelterm": (["pixelterm"], b""), "termvisage": (termvisage(photos, "symbols"), b"")})

    own, others = [], {name: [] for name in peers}
    for _ in range(ROUNDS):
        own.append(launch(program))
        for name, seconds in results(peers, lambda command, _: launch_peer(command, photos)).items():
            others[name].append(seconds)
    print(f"launch to the list    {milliseconds(own)}   ({ROUNDS} rounds)")
    print_peers(others, add_row("launch to the list", own, others))

    for images in "none", "symbols", "kitty", "sixel":
        keys, size, memory = key_latencies(program, images)
        add_row(f"a key to the next row, images {images}", keys, {})
        print(f"key, images {images:<8}{milliseconds(keys)}   ({KEYS} keys, {size:.0f} bytes each, {memory:.0f} MB)")
    room_switches(program)
    wakeups, ticks = idle(program)
    print(f"idle for {IDLE_SECONDS} s         {wakeups} wakeups, {ticks} ticks of CPU")
    largest = max(pathlib.Path(photos).iterdir(), key=lambda path: path.stat().st_size)
    compare_printing(program, os.environ.get("PHOTO", str(largest)))
    rungs(program, sorted(pathlib.Path(os.environ.get("PHOTOS", photos)).glob("*.jpg"))[:RUNG_PHOTOS])
    steps(program, 10_000)
    copy(program, 100, 25_000_000)
    for rows in 100_000, 1_000_000:
        finding(program, rows)
    finding(program, 100_000, has_places=True)
    map_steps(program, 100_000)
    browse(program, photos, ", bundled photos")
    if "PHOTOS" in os.environ:
        browse(program, os.path.realpath(os.environ["PHOTOS"]), "")
        index(program, os.path.realpath(os.environ["PHOTOS"]), int(os.environ.get("FILES", 10_000)))
    if "ROWS" in os.environ:
        large_catalog(program, int(os.environ["ROWS"]))
    print_table()


main()
