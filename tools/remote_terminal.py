"""A slow line, and the terminal at its end: what a program sends is kept with its times, and looked at afterwards.

Needs python3-pil, python3-numpy, and libvterm, which the tests need too.
"""

import base64
import binascii
import collections
import ctypes
import ctypes.util
import fcntl
import functools
import io
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import zlib

import numpy
from PIL import Image

COLUMNS, ROWS, CELL_WIDTH, CELL_HEIGHT = 126, 40, 10, 20
BUFFER = 64_000
PIECE = 1400

COMMON = [
    (b"\x1b[16t", b"\x1b[6;%d;%dt" % (CELL_HEIGHT, CELL_WIDTH)),
    (b"\x1b[14t", b"\x1b[4;%d;%dt" % (ROWS * CELL_HEIGHT, COLUMNS * CELL_WIDTH)),
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    (b"\x1b[5n", b"\x1b[0n"),
    (b"\x1b]11;?\x1b\\", b"\x1b]11;rgb:1010/1010/1010\x1b\\"),
    (b"\x1b]11;?\x07", b"\x1b]11;rgb:1010/1010/1010\x1b\\"),
    (b"\x1b[6n", b"\x1b[1;1R"),
    (b"\x1b[>c", b"\x1b[>1;4000;41c"),
]
NAMES = {"kitty": b"kitty(0.41.1)", "sixel": b"foot(1.16.2)", "iterm": b"iTerm2 3.5.0", "symbols": b"XTerm(390)"}
ATTRIBUTES = {"kitty": b"\x1b[?62;c", "sixel": b"\x1b[?62;4;22c", "iterm": b"\x1b[?62;4c", "symbols": b"\x1b[?64;1;22c"}
EXTRA = {
    "kitty": [(b"\x1b_Gi=31,", b"\x1b_Gi=31;OK\x1b\\"), (b"\x1b_Gi=32,", b"\x1b_Gi=32;ENOENT:\x1b\\")],
    "sixel": [(b"\x1b[?1;1;0S", b"\x1b[?1;0;256S")],
    "iterm": [(b"\x1b]1337;ReportCellSize\x07", b"\x1b]1337;ReportCellSize=20.0;10.0;1.0\x07")],
    "symbols": [],
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
        for start in range(0, len(data), PIECE):
            piece = data[start:start + PIECE]
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

    def __init__(self, command, terminal, rate, rtt, environment=None):
        self.down, self.up = Line(rate, rtt / 2), Line(rate, rtt / 2)
        self.answers = EXTRA[terminal] + COMMON + [
            (b"\x1b[>0q", b"\x1bP>|%s\x1b\\" % NAMES[terminal]), (b"\x1b[>q", b"\x1bP>|%s\x1b\\" % NAMES[terminal]),
            (b"\x1b[c", ATTRIBUTES[terminal]), (b"\x1b[0c", ATTRIBUTES[terminal])]
        # What has arrived, with its times.
        self.log = []
        self.tail = b""
        self.live = Replay("none")
        self.has_ended = False
        self.changed = self.started = time.monotonic()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            for name in "TMUX", "TMUX_PANE", "KITTY_WINDOW_ID", "STY":
                os.environ.pop(name, None)
            os.environ.update(
                TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", SSH_CONNECTION="192.0.2.1 1 192.0.2.2 22")
            os.environ.update(environment or {})
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack(
                "HHHH", ROWS, COLUMNS, COLUMNS * CELL_WIDTH, ROWS * CELL_HEIGHT))
            os.execvp(command[0], command)

    def type(self, keys):
        """Presses keys, and returns when."""
        now = time.monotonic()
        self.up.put(keys.encode(), now)
        return now

    def step(self, until, condition=lambda: False):
        """Carries bytes until a time, or until a condition holds."""
        while (now := time.monotonic()) < until and not condition():
            times = [t for t in (self.down.next_time(), self.up.next_time()) if t is not None]
            wait = max(0.0, min(times + [until]) - now)
            readable = [self.master] if self.down.room(now) > 4096 and not self.has_ended else []
            if not readable:
                wait = min(wait, 0.01)
            if select.select(readable, [], [], wait)[0]:
                try:
                    self.down.put(os.read(self.master, 4096), time.monotonic())
                except OSError:
                    self.has_ended = True
            now = time.monotonic()
            if (keys := self.up.take(now)) and not self.has_ended:
                os.write(self.master, keys)
            if data := self.down.take(now):
                self.receive(data, now)
            if self.has_ended and not self.down.pieces:
                return

    def receive(self, data, now):
        self.log.append((now, data))
        self.live.feed(self.log[-1:])
        if len(data) > 16:
            self.changed = now
        self.tail += data
        if b"\x1b" in self.tail:
            for question, answer in self.answers:
                for _ in range(self.tail.count(question)):
                    self.up.put(answer, now)
                self.tail = self.tail.replace(question, b"\x00" * len(question))
        self.tail = self.tail[-40:]

    def is_busy(self):
        """Whether more bytes are on their way than those of a frame."""
        return sum(len(piece) for _, piece in self.down.pieces) > 3000

    def step_until_quiet(self, quiet, longest):
        """Carries bytes until for some seconds nothing has come, or the footer has not said that a sharper image is on its
        way. Images of the next photos may still come then."""
        start = improving = time.monotonic()

        def is_quiet():
            nonlocal improving
            now = time.monotonic()
            if "○" in self.live.cells.text(ROWS - 1):
                improving = now
            return now - improving > quiet or now - max(self.changed, start) > max(8, quiet)
        self.step(start + longest, is_quiet)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


class Cells:
    """The cells of a terminal, by libvterm."""

    # VTermScreenCell: six characters, the width, attributes, and two colors of four bytes.
    SIZE = 40

    def __init__(self):
        name = ctypes.util.find_library("vterm") or "libvterm.so.0"
        self.library = library = ctypes.CDLL(name)
        for function in library.vterm_new, library.vterm_obtain_screen:
            function.restype = ctypes.c_void_p
        self.terminal = ctypes.c_void_p(library.vterm_new(ROWS, COLUMNS))
        library.vterm_set_utf8(self.terminal, 1)
        self.screen = ctypes.c_void_p(library.vterm_obtain_screen(self.terminal))
        library.vterm_screen_enable_altscreen(self.screen, 1)
        library.vterm_screen_reset(self.screen, 1)
        library.vterm_input_write.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        library.vterm_obtain_state.restype = ctypes.c_void_p
        self.state = ctypes.c_void_p(library.vterm_obtain_state(self.terminal))
        self.buffer = ctypes.create_string_buffer(self.SIZE)
        self.unfinished = b""

    # libvterm 0.1 takes neither the color space of 38:2:SPACE:R:G:B nor all marks of a placeholder.
    COLOR_SPACE = re.compile(rb"([34]8:2:):")
    PLACEHOLDER = b"\xf4\x8e\xbb\xae"
    MARKS = re.compile(PLACEHOLDER + rb"(?:[\xcc-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|\xf0[\x80-\xbf]{3}){0,2}")

    # What clears the screen, or shows the other one.
    CLEARING = re.compile(rb"\x1b\[[23]J|\x1b\[\?(?:47|1047|1049)[hl]|\x1bc")

    def write(self, data, is_whole=False):
        """Writes data, and returns whether it cleared the screen. What is unfinished at its end waits unless it is whole."""
        data = self.unfinished + data
        end = len(data) if is_whole else self.end(data)
        self.unfinished, data = data[end:], self.MARKS.sub(self.PLACEHOLDER, self.COLOR_SPACE.sub(rb"\1", data[:end]))
        self.library.vterm_input_write(self.terminal, data, len(data))
        return self.CLEARING.search(data) is not None

    def cursor(self):
        """The row and the column of the cursor."""
        position = (ctypes.c_int * 2)()
        self.library.vterm_state_get_cursorpos(self.state, position)
        return tuple(position)

    def end(self, data):
        """Where an unfinished sequence, placeholder or character begins at the end of the data."""
        if (start := data.rfind(b"\x1b", max(0, len(data) - 48))) >= 0 and not re.match(
                rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[^\[])", data[start:]):
            return start
        if (start := data.rfind(self.PLACEHOLDER, max(0, len(data) - 12))) >= 0:
            return start
        for back in range(1, min(4, len(data)) + 1):
            byte = data[-back]
            if byte >= 0xC0:
                return len(data) - back if back < (4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2) else len(data)
            if byte < 0x80:
                break
        return len(data)

    def cell(self, row, column):
        """The character of a cell, and its two colors as tuples, or None for the terminal's own."""
        position = ctypes.c_uint64((column << 32 | row) & 0xFFFFFFFFFFFFFFFF)
        self.library.vterm_screen_get_cell(self.screen, position, self.buffer)
        raw = self.buffer.raw
        colors = []
        for start, flag in (32, 2), (36, 4):
            kind, red, green, blue = raw[start:start + 4]
            colors.append(None if kind & flag else indexed(red) if kind & 1 else (red, green, blue))
        return int.from_bytes(raw[:4], "little"), colors[0], colors[1]

    def text(self, row):
        return "".join(chr(self.cell(row, column)[0] or 32) for column in range(COLUMNS))

    def pixels(self, rows):
        """The cells of the first rows as an image with 4 by 8 pixels each."""
        image = numpy.zeros((rows * 8, COLUMNS * 4, 3), numpy.uint8)
        for row in range(rows):
            for column in range(COLUMNS):
                character, foreground, background = self.cell(row, column)
                place = image[row * 8:row * 8 + 8, column * 4:column * 4 + 4]
                place[:] = background or (16, 16, 16)
                if (coverage := glyph(character)) is not None:
                    place[coverage] = foreground or (220, 220, 220)
        return image


def indexed(number):
    if number < 16:
        level = 255 if number > 8 else 170
        return tuple(level if number >> bit & 1 else 0 for bit in range(3))
    if number < 232:
        number -= 16
        return tuple((0, 95, 135, 175, 215, 255)[part] for part in (number // 36, number // 6 % 6, number % 6))
    return (8 + 10 * (number - 232),) * 3


QUADRANTS = {0x2596: 4, 0x2597: 8, 0x2598: 1, 0x2599: 13, 0x259A: 9, 0x259B: 7, 0x259C: 11, 0x259D: 2, 0x259E: 6, 0x259F: 14}


@functools.cache
def glyph(character):
    """Which of a cell's 4 by 8 pixels a block element covers; None for other characters."""
    coverage = numpy.zeros((8, 4), bool)
    if character == 0x2580:
        coverage[:4] = True
    elif 0x2581 <= character <= 0x2588:
        coverage[8 - (character - 0x2580):] = True
    elif 0x2589 <= character <= 0x258F:
        coverage[:, :max(1, (0x2590 - character) // 2)] = True
    elif character == 0x2590:
        coverage[:, 2:] = True
    elif character == 0x2594:
        coverage[:1] = True
    elif character == 0x2595:
        coverage[:, 3:] = True
    elif character in QUADRANTS:
        for part in range(4):
            if QUADRANTS[character] >> part & 1:
                coverage[part // 2 * 4:part // 2 * 4 + 4, part % 2 * 2:part % 2 * 2 + 2] = True
    else:
        return None
    return coverage


class Placements:
    """The stored images that lie over the cells (kitty)."""

    def __init__(self):
        # The image, the number of the placement, its layer, and its rows and columns; the last one lies on top in its layer.
        self.parts = []

    def place(self, keys, cursor, size):
        """Places an image of a size in pixels, or a part of it, at the cursor."""
        image, number = int(keys.get("i", "0")), int(keys.get("p", "0"))
        if number:
            self.keep(lambda part: part[:2] != (image, number))
        width = int(keys.get("w", "0")) or size[0] - int(keys.get("x", "0"))
        height = int(keys.get("h", "0")) or size[1] - int(keys.get("y", "0"))
        columns = int(keys.get("c", "0")) or -(-width // CELL_WIDTH)
        rows = int(keys.get("r", "0")) or -(-height // CELL_HEIGHT)
        row, column = cursor
        self.parts.append((image, number, int(keys.get("z", "0")), range(row, row + rows), range(column, column + columns)))

    def remove(self, keys):
        """Follows a command that deletes images or placements."""
        what = keys.get("d", "a").lower()
        image, number = int(keys.get("i", "0")), int(keys.get("p", "0"))
        if what == "a":
            self.clear()
        elif what == "i":
            self.keep(lambda part: part[0] != image or number not in (0, part[1]))
        elif what == "z":
            self.keep(lambda part: part[2] != int(keys.get("z", "0")))
        elif what == "r":
            self.keep(lambda part: not int(keys.get("x", "0")) <= part[0] <= int(keys.get("y", "0")))

    def keep(self, condition):
        self.parts = [part for part in self.parts if condition(part)]

    def clear(self):
        self.parts = []

    def image(self, row, column):
        """The image that a cell shows; None if there is none."""
        parts = [part for part in self.parts if row in part[3] and column in part[4]]
        return max(reversed(parts), key=lambda part: part[2])[0] if parts else None


class Replay:
    """What a terminal showed, from what has arrived: `shown` has a time, bytes, and a function that returns the pixels."""

    SEQUENCE = re.compile(
        rb"\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\|\x1bP[0-9;]*q([^\x1b]*)\x1b\\|\x1b\]1337;File=([^:]*):([^\x07\x1b]*)(?:\x07|\x1b\\)"
        rb"|\x1b\]1337;(?:MultipartFile|FilePart|FileEnd)[^\x07\x1b]*(?:\x07|\x1b\\)")

    # The rows below the viewer's image: its caption, and the footer.
    TEXT_ROWS = 2

    def __init__(self, terminal):
        self.terminal = terminal
        self.cells = Cells()
        self.placements = Placements()
        self.pending, self.partial, self.stored = b"", {}, {}
        self.shown, self.shown_id = [], None

    def feed(self, log):
        sampled = 0.0
        for index, (now, data) in enumerate(log):
            images = self.split(data, now)
            if self.terminal == "kitty":
                self.note_shown(now)
            # tmux shows kitty's previews as characters.
            if self.terminal == "symbols" or self.terminal == "kitty" and self.has_colors():
                # Looking at all cells takes long, so only the ends of frames count, and pauses.
                is_still = index + 1 == len(log) or log[index + 1][0] - now > 0.03
                is_end = self.terminal == "kitty" or b"\x1b[?2026l" in data
                if is_still or now - sampled > (0.02 if is_end else 0.2):
                    sampled, self.shown_id = now, None
                    pixels = self.cells.pixels(ROWS - self.TEXT_ROWS)
                    self.shown.append((now, 0, lambda pixels=pixels: pixels))
            self.shown += images

    def write(self, text, is_whole=False):
        if self.cells.write(text, is_whole):
            self.placements.clear()

    def split(self, data, now):
        """Writes the text of the data, and returns the images that were drawn."""
        self.pending += data
        # Searching a long image again with each piece would take long.
        if not any(end in self.pending[-len(data) - 1:] for end in (b"\x1b\\", b"\x07")):
            starts = [self.pending.find(start) for start in (b"\x1b_G", b"\x1bP", b"\x1b]1337;")]
            starts = [start for start in starts if start >= 0]
            start = min(starts, default=self.unfinished(self.pending))
            text, self.pending = self.pending[:start], self.pending[start:]
            self.write(text)
            return []
        images, last = [], 0
        for match in self.SEQUENCE.finditer(self.pending):
            self.write(self.pending[last:match.start()])
            last = match.end()
            keys, payload, sixels, header, jpeg = match.groups()
            count = len(match.group(0))
            if keys is not None:
                self.kitty(keys.decode(), payload, count)
            elif sixels is not None:
                images.append((now, count, lambda sixels=sixels: sixel(sixels)))
            elif jpeg is not None:
                images.append((now, count, lambda jpeg=jpeg: picture(base64.b64decode(jpeg))))
        rest = self.pending[last:]
        starts = [rest.rfind(start) for start in (b"\x1b_G", b"\x1bP", b"\x1b]1337;")]
        start = max(starts) if max(starts) >= 0 and b"\x1b\\" not in rest[max(starts):] else self.unfinished(rest)
        self.pending = rest[start:]
        self.write(rest[:start])
        return images

    @staticmethod
    def unfinished(data):
        """Where a sequence begins at the end of the data that may be that of an image."""
        start = data.rfind(b"\x1b", max(0, len(data) - 12))
        is_begun = start >= 0 and any(begin.startswith(data[start:]) for begin in (b"\x1b_G", b"\x1bP", b"\x1b]1337;"))
        return start if is_begun else len(data)

    def kitty(self, text, payload, count):
        keys = dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
        if keys.get("a") == "p":
            self.place(keys)
        elif keys.get("a") == "d":
            self.placements.remove(keys)
        if keys.get("a") in ("t", "T") or (not self.partial and "i" in keys and "a" not in keys):
            self.partial = {"keys": keys, "data": b"", "bytes": 0}
        if not self.partial or keys.get("a", "t") not in ("t", "T"):
            return
        try:
            self.partial["data"] += base64.b64decode(payload + b"===") if payload else b""
        except binascii.Error:
            pass
        self.partial["bytes"] += count
        if keys.get("m", "0") == "0":
            first, data = self.partial["keys"], self.partial["data"]
            number = int(first.get("i", "0"))
            self.stored[number] = (self.partial["bytes"], lambda: kitty_pixels(first, data), kitty_size(first, data))
            if number == self.shown_id:
                # The image of the cells on the screen is replaced.
                self.shown_id = None
            self.partial = {}
            # A new image takes the old one's placements away.
            self.placements.remove({"d": "i", "i": str(number)})
            if first.get("a") == "T":
                self.place(first)

    def place(self, keys):
        """Places a stored image, unless only its placeholders show it."""
        number = int(keys.get("i", "0"))
        if "U" not in keys and number in self.stored:
            self.write(b"", is_whole=True)
            self.placements.place(keys, self.cells.cursor(), self.stored[number][2])

    def has_colors(self):
        """Whether the middle of the screen is an image of characters."""
        row, column = ROWS // 2 - 1, COLUMNS // 2
        character, _, background = self.cells.cell(row, column)
        return self.placements.image(row, column) is None and character != 0x10EEEE and background is not None

    def note_shown(self, now):
        """Takes note of the image that lies over the middle of the screen, or else of the one whose placeholder is there."""
        row, column = ROWS // 2 - 1, COLUMNS // 2
        number = self.placements.image(row, column)
        if number is None:
            character, color, _ = self.cells.cell(row, column)
            if character != 0x10EEEE or color is None:
                return
            number = color[0] << 16 | color[1] << 8 | color[2]
        if number != self.shown_id and number in self.stored:
            self.shown_id = number
            self.shown.append((now, *self.stored[number][:2]))


def kitty_size(keys, data):
    """The width and the height of a stored image in pixels."""
    if keys.get("f") == "100":
        return struct.unpack(">II", data[16:24].ljust(8, b"\0"))
    return int(keys.get("s", "0")), int(keys.get("v", "0"))


def kitty_pixels(keys, data):
    if keys.get("f") == "100":
        return picture(data)
    if keys.get("o") == "z":
        data = zlib.decompress(data)
    channels = 3 if keys.get("f") == "24" else 4
    return numpy.frombuffer(data, numpy.uint8).reshape(int(keys["v"]), int(keys["s"]), channels)[:, :, :3]


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
                registers[register] = [(int(part) * 255 + 50) // 100 for part in (red, green, blue)]
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


def thumbnail(pixels):
    """A few colors of an image, by which it is told from others."""
    return numpy.asarray(Image.fromarray(numpy.ascontiguousarray(pixels)).resize((16, 12), Image.BOX), numpy.float64)


def distance(one, other):
    """The mean difference of two thumbnails, 0 to 255."""
    return float(numpy.mean(numpy.abs(one - other)))


def gray(pixels, size):
    return numpy.asarray(Image.fromarray(numpy.ascontiguousarray(pixels)).resize(size, Image.BICUBIC).convert("L"), numpy.float64)


def ssim(one, other):
    """The mean structural similarity (Wang et al., 2004) in windows of 8 by 8 pixels."""
    def mean(values):
        sums = numpy.cumsum(numpy.cumsum(numpy.pad(values, ((1, 0), (1, 0))), 0), 1)
        return (sums[8:, 8:] - sums[:-8, 8:] - sums[8:, :-8] + sums[:-8, :-8]) / 64
    a, b = mean(one), mean(other)
    aa, bb, ab = mean(one * one) - a * a, mean(other * other) - b * b, mean(one * other) - a * b
    c1, c2 = 6.5025, 58.5225
    return float(numpy.mean((2 * a * b + c1) * (2 * ab + c2) / ((a * a + b * b + c1) * (aa + bb + c2))))
