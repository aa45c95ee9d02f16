"""The pixels of what a program draws in a terminal: characters, sixels, or kitty's images.

Needs python3-numpy and python3-pil.
"""

import base64
import fcntl
import functools
import itertools
import os
import pty
import re
import struct
import termios

import numpy

import remote_terminal

WIDTH, HEIGHT = 8, 16
# The colors 0 to 15 of xterm, which is also what programs assume if the terminal's name is xterm.
XTERM = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
]
FOREGROUND, BACKGROUND = XTERM[7], XTERM[0]

TOKEN = re.compile(
    rb"\x1b_G(?P<keys>[^;\x1b]*);?(?P<payload>[^\x1b]*)\x1b\\|\x1bP[0-9;]*q(?P<sixels>[^\x1b]*)\x1b\\"
    rb"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[(?P<parameters>[0-9;:<=>?]*)[ -/]*(?P<final>[@-~])"
    rb"|\x1b[ -/]*[0-~]|(?P<control>[\x00-\x1f])|(?P<text>[^\x00-\x1f]+)")


def output(command, columns, rows, environment):
    """Runs a program in a terminal of a size, and returns what it has written.

    Of its questions, only the one that every terminal answers (DA1) gets an answer, so that no program waits in vain.
    """
    child, master = pty.fork()
    if child == 0:
        for name in "TMUX", "KITTY_WINDOW_ID", "STY", "TERM_PROGRAM":
            os.environ.pop(name, None)
        os.environ.update(environment, LANG="C.UTF-8")
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * WIDTH, rows * HEIGHT))
        settings = termios.tcgetattr(0)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, settings)
        os.execvp(command[0], command)
    written, answered = bytearray(), 0
    while True:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        written += piece
        # Questions come before the image.
        questions = len(re.findall(rb"\x1b\[0?c", written[:1000]))
        os.write(master, b"\x1b[?62;4;22c" * (questions - answered))
        answered = questions
    os.close(master)
    if os.waitpid(child, 0)[1] != 0:
        raise ChildProcessError(f"{' '.join(command)}: {written.decode(errors='replace')[-300:]}")
    return bytes(written)


def pixels(written):
    """Returns the image that a program has drawn, or all cells that it has written."""
    cells, partial = Cells(), None
    for match in TOKEN.finditer(written):
        if match["sixels"] is not None:
            return remote_terminal.sixel(match["sixels"])
        if match["keys"] is not None:
            keys = dict(pair.split("=", 1) for pair in match["keys"].decode().split(",") if "=" in pair)
            if keys.get("a") in ("t", "T"):
                partial = keys, bytearray()
            if partial is not None:
                partial[1].extend(base64.b64decode(match["payload"]))
                if keys.get("m", "0") == "0":
                    return remote_terminal.kitty_pixels(partial[0], bytes(partial[1]))
        elif match["final"] is not None:
            cells.control(match["final"], match["parameters"].decode())
        elif match["control"] is not None:
            cells.move(match["control"])
        elif match["text"] is not None:
            cells.write(match["text"].decode(errors="replace"))
    return cells.pixels()


class Cells:
    """The cells of a terminal without a bottom."""

    def __init__(self):
        self.row = self.column = 0
        self.cells = {}
        self.reset()

    def reset(self):
        self.foreground, self.background, self.is_inverse, self.is_bold = None, None, False, False

    def move(self, control):
        if control == b"\r":
            self.column = 0
        elif control == b"\n":
            self.row += 1
        elif control == b"\b":
            self.column = max(0, self.column - 1)

    def control(self, final, parameters):
        if final == b"m":
            self.style([int(part or 0) for part in re.split("[;:]", parameters)])
        elif final in (b"A", b"B", b"C", b"D"):
            count = int(parameters or 1)
            self.row = max(0, self.row + {b"A": -count, b"B": count}.get(final, 0))
            self.column = max(0, self.column + {b"D": -count, b"C": count}.get(final, 0))

    def style(self, codes):
        codes = iter(codes)
        for code in codes:
            if code in (38, 48):
                number = next(codes)
                color = tuple(itertools.islice(codes, 3)) if number == 2 else next(codes)
            if code == 0:
                self.reset()
            elif code == 1:
                self.is_bold = True
            elif code in (7, 27):
                self.is_inverse = code == 7
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.foreground = code - 30 if code < 90 else code - 82
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.background = code - 40 if code < 100 else code - 92
            elif code == 38:
                self.foreground = color
            elif code == 48:
                self.background = color
            elif code == 39:
                self.foreground = None
            elif code == 49:
                self.background = None

    def write(self, text):
        foreground = self.foreground
        if self.is_bold and isinstance(foreground, int) and foreground < 8:
            foreground += 8
        colors = rgb(foreground, FOREGROUND), rgb(self.background, BACKGROUND)
        for character in text:
            self.cells[self.row, self.column] = character, *(colors[::-1] if self.is_inverse else colors)
            self.column += 1

    def pixels(self):
        first = [min(cell[axis] for cell in self.cells) for axis in (0, 1)]
        size = [max(cell[axis] for cell in self.cells) - first[axis] + 1 for axis in (0, 1)]
        image = numpy.zeros((size[0], HEIGHT, size[1], WIDTH, 3), numpy.uint8)
        image[:] = BACKGROUND
        for (row, column), (character, foreground, background) in self.cells.items():
            share = coverage(character)[:, :, None]
            mixed = share * numpy.array(foreground) + (1 - share) * numpy.array(background)
            image[row - first[0], :, column - first[1]] = numpy.round(mixed)
        return image.reshape(size[0] * HEIGHT, size[1] * WIDTH, 3)


def rgb(color, default):
    if color is None:
        return default
    if isinstance(color, tuple):
        return color
    return XTERM[color] if color < 16 else remote_terminal.indexed(color)


# The octants of Unicode 16 that other blocks have, by their fields: bit 0 is the top left one, bit 1 the top right one.
ELSEWHERE = {
    0x01: 0x1CEA8, 0x02: 0x1CEAB, 0x03: 0x1FB82, 0x14: 0x1FBE6, 0x28: 0x1FBE7, 0x3F: 0x1FB85, 0x40: 0x1CEA3, 0x80: 0x1CEA0}
BLOCKS = {
    0x00: 0x20, 0x05: 0x2598, 0x0A: 0x259D, 0x0F: 0x2580, 0x50: 0x2596, 0x55: 0x258C, 0x5A: 0x259E, 0x5F: 0x259B, 0xA0: 0x2597,
    0xA5: 0x259A, 0xAA: 0x2590, 0xAF: 0x259C, 0xC0: 0x2582, 0xF0: 0x2584, 0xF5: 0x2599, 0xFA: 0x259F, 0xFC: 0x2586, 0xFF: 0x2588}
OCTANTS = dict(zip(range(0x1CD00, 0x1CDE6), (fields for fields in range(256) if fields not in ELSEWHERE | BLOCKS)))
OCTANTS |= {code: fields for fields, code in (ELSEWHERE | BLOCKS).items()}
SEXTANTS = dict(zip(range(0x1FB00, 0x1FB3C), (fields for fields in range(1, 63) if fields not in (0b010101, 0b101010))))


@functools.cache
def coverage(character):
    """Returns how much of each pixel of a cell a character covers. Blocks are drawn as terminals draw them, without a font."""
    code, share = ord(character), numpy.zeros((HEIGHT, WIDTH))
    if code in OCTANTS or code in SEXTANTS:
        lines = (0, 4, 8, 12, 16) if code in OCTANTS else (0, 5, 11, 16)
        fields = OCTANTS.get(code, SEXTANTS.get(code))
        for field in range(2 * len(lines) - 2):
            row, left = field // 2, field % 2 * 4
            share[lines[row]:lines[row + 1], left:left + 4] = fields >> field & 1
    elif 0x2581 <= code <= 0x2588:
        share[HEIGHT - 2 * (code - 0x2580):] = 1
    elif 0x2589 <= code <= 0x258F:
        share[:, :0x2590 - code] = 1
    elif 0x2591 <= code <= 0x2593:
        share[:] = (code - 0x2590) / 4
    elif code == 0x2594:
        share[:2] = 1
    elif code == 0x2595:
        share[:, -1] = 1
    else:
        raise ValueError(f"no picture is known of U+{code:04X}")
    return share
