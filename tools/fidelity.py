#!/usr/bin/env python3
"""Measures how true to the photos programs draw in a terminal: fidelity.py PROGRAM [FOLDER]

Writes the tables of docs/fidelity.md and the crops beside it. Every third of the photos that come with the program is
drawn, or all JPEGs of a folder. The program is compared with chafa, timg, termvisage, catimg and img2sixel, where
they are installed, and with a second chafa, if $CHAFA names it. docs/fidelity.md says what the columns mean.
"""

import functools
import io
import itertools
import math
import multiprocessing
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import numpy
from PIL import Image, ImageCms, ImageDraw, ImageFont, ImageOps
from scipy.ndimage import gaussian_filter

import drawing

ROOT = pathlib.Path(__file__).parent.parent
PAGE = ROOT / "docs/fidelity.md"
COLUMNS = ["PSNR", "SSIM", "ΔE", "ΔE far", "PSNR, codes", "kB"]
# The figures of which less is better.
ERRORS = ("ΔE", "ΔE far")
BLUR = 4

TRUECOLOR = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
INDEXED = {"TERM": "xterm-256color", "COLORTERM": ""}
FORMATS = [
    ("24-bit colors, 80×24 cells", (80, 24), "full", TRUECOLOR),
    ("24-bit colors, 200×60 cells", (200, 60), "full", TRUECOLOR),
    ("256 colors, 80×24 cells", (80, 24), "256", INDEXED),
    ("16 colors, 80×24 cells", (80, 24), "16", INDEXED),
    ("8 colors, 80×24 cells", (80, 24), "8", INDEXED),
    ("Monochrome, 80×24 cells", (80, 24), "none", INDEXED),
    ("Sixels, 80×24 cells of 8×16 pixels", (80, 24), "sixel", TRUECOLOR),
    ("kitty's protocol, 80×24 cells of 8×16 pixels", (80, 24), "kitty", TRUECOLOR),
]


def programs(tintype):
    """Returns the name and the path of each program that is installed."""
    found = [("Tintype", tintype)]
    for path in filter(None, (shutil.which("chafa"), os.path.expanduser(os.environ.get("CHAFA", "")))):
        found.append((f"chafa {version([path, '--version'])}", path))
    for name, option in ("timg", "--version"), ("termvisage", "--version"), ("catimg", None), ("img2sixel", "--version"):
        if path := shutil.which(name):
            # catimg doesn't say its version.
            number = version([path, option]) if option else version(["dpkg-query", "-W", "-f", "${Version}", name])
            found.append((f"{name} {number}", path))
    return found


def version(command):
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    match = re.search(r"\d+(\.\d+)+", run.stdout + run.stderr)
    return match.group() if match else ""


def commands(name, path, photo, size, colors):
    """Returns what a program can do in a format: the kind of characters, and the command."""
    cells, glyphs = "{}x{}".format(*size), ["blocks", "sextants", "octants"]
    if name == "Tintype":
        show = [path, "show", "--size", cells, "--background", "#000000"]
        if colors in ("sixel", "kitty"):
            return [("", show + ["--pictures", colors, photo])]
        depth = {"full": "truecolor", "none": "mono"}.get(colors, colors)
        return [(set_, show + ["--pictures", "symbols", "--colors", depth, "--glyphs", set_, photo]) for set_ in glyphs]
    if name.startswith("chafa"):
        if colors in ("sixel", "kitty"):
            return [("", [path, "-f", {"sixel": "sixels"}.get(colors, colors), "-s", cells, photo])]
        draw = [path, "-f", "symbols", "-c", colors, "-w", "9", "-s", cells]
        sets = [("blocks", draw + ["--symbols", "block"]), ("sextants", draw + ["--symbols", "block+sextant"])]
        if colors in ("8", "16"):
            sets.append(("blocks, diffused", sets[0][1] + ["--dither", "diffusion"]))
        return [(set_, command + [photo]) for set_, command in sets]
    if name.startswith("timg"):
        if colors == "kitty":
            return [("", [path, "-pk", f"-g{cells}", photo])]
        if colors in ("full", "256"):
            return [("quadrants", [path, "-pq", f"-g{cells}"] + ["--color8"] * (colors == "256") + [photo])]
    if name.startswith("termvisage") and colors in ("full", "kitty"):
        kind, style = ("half blocks", "block") if colors == "full" else ("", "kitty")
        draw = [path, "--no-config", "--cli", "--v-allow", "0", "--no-align", "--force-style", "-S", style]
        return [(kind, draw + [photo])]
    if name.startswith("catimg") and colors in ("full", "256"):
        width, height = fitted(photo, size[0], size[1] * 2)
        side = ["-w", str(width * 2)] if width == size[0] else ["-H", str(height)]
        return [("half blocks", [path, "-r", "2", *side] + ["-t"] * (colors == "256") + [photo])]
    if name.startswith("img2sixel") and colors == "sixel":
        width, height = fitted(photo, size[0] * drawing.WIDTH, size[1] * drawing.HEIGHT)
        return [("", [path, "-w", str(width), "-h", str(height), photo])]
    return []


def fitted(photo, width, height):
    """Returns the size of a photo in an area, in whole pixels."""
    own = upright(photo).size
    factor = min(width / own[0], height / own[1])
    return tuple(math.floor(side * factor + 1e-6) for side in own)


@functools.lru_cache(maxsize=2)
def upright(photo):
    """Returns a photo in sRGB, as it is to be seen."""
    image = Image.open(photo)
    profile = image.info.get("icc_profile")
    if profile:
        image = ImageCms.profileToProfile(
            image, io.BytesIO(profile), ImageCms.createProfile("sRGB"), outputMode="RGB",
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)
    return ImageOps.exif_transpose(image).convert("RGB")


@functools.lru_cache(maxsize=8)
def reference(photo, size, is_light):
    """Returns a photo in so many pixels, scaled in light or between the codes of sRGB."""
    if not is_light:
        return numpy.asarray(upright(photo).resize(size, Image.LANCZOS))
    channels = numpy.moveaxis(light(numpy.asarray(upright(photo))), 2, 0)
    scaled = [numpy.asarray(Image.fromarray(channel).resize(size, Image.LANCZOS)) for channel in channels]
    values = numpy.clip(numpy.stack(scaled, 2), 0, 1)
    codes = numpy.where(values <= 0.0031308, values * 12.92, 1.055 * values ** (1 / 2.4) - 0.055)
    return numpy.round(codes * 255).astype(numpy.uint8)


LIGHT = numpy.arange(256) / 255
LIGHT = numpy.where(LIGHT <= 0.04045, LIGHT / 12.92, ((LIGHT + 0.055) / 1.055) ** 2.4).astype(numpy.float32)


def light(codes):
    """Returns the linear light of sRGB codes, from 0 to 1 (IEC 61966-2-1)."""
    return LIGHT[codes]


def without_margin(drawn, photo):
    """Returns what was drawn without the margin around it, in one color, that widens sixels to whole cells.

    Among the parts that can be the photo, the one that is nearest to it is returned.
    """
    height, width = drawn.shape[:2]
    shape = upright(photo).width / upright(photo).height
    margin = drawn[0, 0]
    parts = [drawn]
    for w, h in itertools.product(range(width - drawing.WIDTH + 1, width + 1), range(height - drawing.HEIGHT + 1, height + 1)):
        x, y = (width - w) // 2, (height - h) // 2
        around = drawn[:y], drawn[y + h:], drawn[:, :x], drawn[:, x + w:]
        if min(abs(w - h * shape), abs(h - w / shape)) <= 1 and all((part == margin).all() for part in around):
            parts.append(drawn[y:y + h, x:x + w])
    return max(parts, key=lambda part: psnr(part, reference(photo, part.shape[1::-1], True)))


def measured(drawn, photo, byte_count):
    """Returns the figures of COLUMNS for what was drawn."""
    drawn = without_margin(drawn, photo)
    size = drawn.shape[1::-1]
    true = reference(photo, size, True)
    one, other = light(drawn), light(true)
    def blurred(values):
        return gaussian_filter(values, (BLUR, BLUR, 0))
    return {
        "PSNR": psnr(drawn, true), "SSIM": ssim(luma(drawn), luma(true)), "ΔE": ciede2000(lab(one), lab(other)).mean(),
        "ΔE far": ciede2000(lab(blurred(one)), lab(blurred(other))).mean(),
        "PSNR, codes": psnr(drawn, reference(photo, size, False)), "kB": byte_count / 1000}


def psnr(one, other):
    error = numpy.mean((one.astype(float) - other) ** 2)
    return 10 * math.log10(255 ** 2 / error) if error else 99


def luma(codes):
    return codes @ numpy.array([0.299, 0.587, 0.114])


def ssim(one, other):
    """Returns the mean structural similarity in Gaussian windows (Wang et al., 2004)."""
    def mean(values):
        return gaussian_filter(values, 1.5)
    a, b = mean(one), mean(other)
    aa, bb, ab = mean(one * one) - a * a, mean(other * other) - b * b, mean(one * other) - a * b
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return ((2 * a * b + c1) * (2 * ab + c2) / ((a * a + b * b + c1) * (aa + bb + c2))).mean()


def lab(values):
    """Returns the CIELAB colors of linear light in sRGB's primaries, with the white D65."""
    matrix = numpy.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]], numpy.float32)
    ratio = values @ (matrix / matrix.sum(1, keepdims=True)).T
    root = numpy.where(ratio > 216 / 24389, numpy.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    x, y, z = numpy.moveaxis(root, 2, 0)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one, other):
    """Returns the color differences of the standard CIE 142-2001, as G. Sharma et al. describe it (2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    c7 = ((numpy.hypot(a1, b1) + numpy.hypot(a2, b2)) / 2) ** 7
    g = 1.5 - numpy.sqrt(c7 / (c7 + 25.0 ** 7)) / 2
    a1, a2 = a1 * g, a2 * g
    c1, c2 = numpy.hypot(a1, b1), numpy.hypot(a2, b2)
    h1, h2 = numpy.degrees(numpy.arctan2(b1, a1)) % 360, numpy.degrees(numpy.arctan2(b2, a2)) % 360
    is_gray = c1 * c2 == 0
    turn = numpy.where(is_gray, 0, (h2 - h1 + 180) % 360 - 180)
    hue = numpy.where(is_gray, h1 + h2, h1 + turn / 2) % 360
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    def cosine(degrees):
        return numpy.cos(numpy.radians(degrees))
    t = 1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63)
    dl = (l2 - l1) / (1 + 0.015 * (l - 50) ** 2 / numpy.sqrt(20 + (l - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * c)
    dh = 2 * numpy.sqrt(c1 * c2) * numpy.sin(numpy.radians(turn / 2)) / (1 + 0.015 * c * t)
    rotation = -2 * numpy.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7)) * numpy.sin(
        numpy.radians(60 * numpy.exp(-(((hue - 275) / 25) ** 2))))
    return numpy.sqrt(numpy.maximum(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh, 0))


def measure(job):
    """Draws a photo with each program in a format, and returns the figures by program and characters."""
    found, photo, (_, size, colors, environment) = job
    rows = {}
    for name, path in found:
        for kind, command in commands(name, path, photo, size, colors):
            written = drawing.output(command, *size, environment)
            rows[name, kind] = measured(drawing.pixels(written), photo, len(written))
    return rows


def table(rows):
    """Returns the table of a format, with the best figures in bold. Each row has the figures of all photos."""
    kinds = ["", "half blocks", "quadrants", "blocks", "blocks, diffused", "sextants", "octants"]
    rows = sorted(rows.items(), key=lambda row: kinds.index(row[0][1]))
    has_kinds = any(kind for (_, kind), _ in rows)
    texts = [
        ["{:.{}f}".format(statistics.mean(photo[column] for photo in photos), {"SSIM": 3, "kB": 0}.get(column, 2))
         for column in COLUMNS] for _, photos in rows]
    for index, column in enumerate(COLUMNS[:-1]):
        best = (min if column in ERRORS else max)((row[index] for row in texts), key=float)
        for row in texts:
            row[index] = f"**{row[index]}**" if row[index] == best else row[index]
    head = ["program"] + ["characters"] * has_kinds + COLUMNS
    lines = [head, ["---"] * (1 + has_kinds) + ["--:"] * len(COLUMNS)]
    lines += [[name] + [kind] * has_kinds + figures for ((name, kind), _), figures in zip(rows, texts)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def weakest(rows, photos):
    """Returns a sentence about the photo whose structure Tintype keeps worst, compared with the best of the other programs."""
    own, others = ({key: figures for key, figures in rows.items() if (key[0] == "Tintype") == is_own} for is_own in (True, False))
    def best(rows, index):
        return max((figures[index]["SSIM"], name) for (name, _), figures in rows.items())
    leads = [(best(own, index)[0] - best(others, index)[0], index) for index in range(len(photos))]
    index = min(leads)[1]
    return "Tintype is weakest with {}: its SSIM is {:.3f}, and that of {} {:.3f}.\n".format(
        pathlib.Path(photos[index]).stem, best(own, index)[0], *best(others, index)[::-1])


# The part of a photo that is shown, as shares of its width and height, and what is shown of it.
CROPS = {
    "fidelity-colors.png": ("kitten.jpg", (0.3, 0.1, 0.75, 0.65), [FORMATS[0]], ["blocks", "octants", "quadrants", "half blocks"]),
    "fidelity-few.png": ("kitten.jpg", (0.3, 0.1, 0.75, 0.65), FORMATS[3:6], ["blocks"]),
}


def crops(found, photo, part, formats, kinds):
    """Returns the same part of a photo, drawn by each program, with its name below. Each format begins with the photo."""
    tiles = []
    for text, size, colors, environment in formats:
        has_photo = False
        for name, path in found:
            for kind, command in commands(name, path, photo, size, colors):
                if kind not in kinds:
                    continue
                image = drawing.pixels(drawing.output(command, *size, environment))
                label = f"{text.split(',')[0].lower()}: " if len(formats) > 1 else ""
                if not has_photo:
                    tiles.append(("the photo", reference(photo, image.shape[1::-1], True)))
                    has_photo = True
                tiles.append((f"{label}{name.lower()}, {kind}", image))
    across, gap, label = 4, 8, 18
    cut = [(text, image[round(part[1] * image.shape[0]):, round(part[0] * image.shape[1]):]) for text, image in tiles]
    width = min(round((part[2] - part[0]) * image.shape[1]) for _, image in tiles)
    height = min(round((part[3] - part[1]) * image.shape[0]) for _, image in tiles)
    down = math.ceil(len(cut) / across)
    sheet = Image.new("RGB", (across * (width + gap) + gap, down * (height + gap + label) + gap), "white")
    draw = ImageDraw.Draw(sheet)
    for index, (text, image) in enumerate(cut):
        x, y = gap + index % across * (width + gap), gap + index // across * (height + gap + label)
        sheet.paste(Image.fromarray(image[:height, :width]), (x, y))
        draw.text((x, y + height + 3), text, "black", ImageFont.load_default())
    return sheet


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = programs(os.path.abspath(sys.argv[1]))
    bundled = sorted((ROOT / "Resources/photos").glob("*.jpg"))
    photos = list(map(str, sorted(pathlib.Path(sys.argv[2]).expanduser().glob("*.jp*g")) if len(sys.argv) > 2 else bundled[::3]))
    parts = []
    with multiprocessing.Pool() as pool:
        for format_ in FORMATS:
            print(format_[0], file=sys.stderr)
            rows = {}
            for photo in pool.imap(measure, [(found, photo, format_) for photo in photos]):
                for key, figures in photo.items():
                    rows.setdefault(key, []).append(figures)
            parts.append(f"### {format_[0]}\n\n{table(rows)}\n{weakest(rows, photos)}")
    names = ", ".join(name for name, _ in found[1:])
    text = f"Means of {len(photos)} photos, beside {names}.\n\n" + "\n".join(parts)
    page = PAGE.read_text()
    begin, end = page.index("<!-- figures -->") + len("<!-- figures -->\n"), page.index("<!-- end of figures -->")
    PAGE.write_text(page[:begin] + "\n" + text + "\n" + page[end:])
    for name, (photo, *rest) in CROPS.items():
        crops(found, str(ROOT / "Resources/photos" / photo), *rest).save(PAGE.parent / name, optimize=True)


if __name__ == "__main__":
    main()
