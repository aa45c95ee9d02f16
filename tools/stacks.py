#!/usr/bin/python3
"""Makes stacks of similar shots from photos, with known blur, for the measurement of ranking by sharpness.

usage: stacks.py OUT [--side PIXELS] [--whole] [--seed NUMBER] [--jobs NUMBER] PHOTO...

Each photo becomes one stack of 12 JPEGs in OUT: one shot without added blur, and 11 with it. By default, a part of
--side pixels (2400) is cut out of the photo at its own resolution. With --whole, the whole photo is used. Nothing is
ever enlarged. The stacks alternate between the kinds of blur:

    gauss   Gaussian blur, sigma from 0.6 to 4 pixels
    disk    defocus: a disk of radius 1 to 6 pixels
    motion  camera shake: a line or an arc of 2.5 to 16 pixels in any direction
    focus   the wrong focus: the subject is blurred and the rest sharp in 6 shots; in the other 6, including the best
            one, the rest is blurred, and in 5 of these the subject is too, a little
    mixed   4 shots of each of the first three kinds, less the best one
    close   as mixed, but no blur is larger than 1.6 times the least one of its kind

Every shot, also the best one, has its own noise (ISO 100 to 12800), exposure (±1/3 EV), white balance, JPEG quality
(85 to 97), shift (up to 0.7 % of the frame), rotation (up to 0.6 degrees) and scale (up to 0.4 %).

OUT/labels.tsv has one line for each shot: stack, kind of stack, file, kind of blur, its size in pixels, the true
sharpness from 0 to 1 (the mean of the blur's MTF in 16 directions, relative to no blur), the subject's place
in 1/65536 of the width and height (or -), and the ISO.

The output depends only on the photos, their order, and the seed. Blur and noise are computed in linear light.
"""
import argparse, math, os, sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from PIL import Image, ImageFile
from scipy import ndimage

ImageFile.LOAD_TRUNCATED_IMAGES = True
Image.MAX_IMAGE_PIXELS = None
KINDS = ["gauss", "disk", "motion", "focus", "mixed", "close"]
SHOTS = 12
DECODE = ((np.arange(256) / 255) ** 2.2).astype(np.float32)
# The codes of 4096 levels of light.
ENCODE = np.round(255 * (np.arange(4097) / 4096) ** (1 / 2.2)).astype(np.uint8)


def line_kernel(length, angle, bend):
    """Returns the path of a shaking camera, drawn with bilinear weights."""
    reach = int(math.ceil(length / 2)) + 2
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    count = max(16, int(length * 8))
    for step in np.linspace(-0.5, 0.5, count):
        along, across = step * length, bend * length * (step * step - 1 / 12)
        x = reach + along * math.cos(angle) - across * math.sin(angle)
        y = reach + along * math.sin(angle) + across * math.cos(angle)
        x0, y0 = int(math.floor(x)), int(math.floor(y))
        fx, fy = x - x0, y - y0
        for dy, wy in ((0, 1 - fy), (1, fy)):
            for dx, wx in ((0, 1 - fx), (1, fx)):
                kernel[y0 + dy, x0 + dx] += wx * wy
    return kernel / kernel.sum()


def disk_kernel(radius):
    """Returns a disk, whose edge is smoothed by counting eight by eight places in each pixel."""
    reach = int(math.ceil(radius + 0.5))
    places = (np.arange((2 * reach + 1) * 8) + 0.5) / 8 - reach - 0.5
    inside = (places[None, :] ** 2 + places[:, None] ** 2 <= radius * radius).astype(np.float32)
    kernel = inside.reshape(2 * reach + 1, 8, 2 * reach + 1, 8).sum((1, 3))
    return kernel / kernel.sum()


def gauss_kernel(sigma):
    reach = max(1, int(math.ceil(3.5 * sigma)))
    line = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2).astype(np.float32)
    kernel = np.outer(line, line)
    return kernel / kernel.sum()


def kernel_of(kind, size, rng):
    if kind == "gauss":
        return gauss_kernel(size)
    if kind == "disk":
        return disk_kernel(size)
    return line_kernel(size, rng.uniform(0, math.pi), rng.choice([0, 0, rng.uniform(0.2, 0.8)]))


def mtf_area(kernel):
    """Returns the mean of the MTF up to half the sampling frequency in 16 directions: 1 without blur."""
    if kernel is None:
        return 1.0
    spectrum = np.abs(np.fft.fftshift(np.fft.fft2(kernel, (128, 128))))
    radii = np.linspace(0, 62, 63)
    total = 0
    for angle in np.arange(16) * math.pi / 16:
        x, y = 64 + radii * math.cos(angle), 64 + radii * math.sin(angle)
        total += ndimage.map_coordinates(spectrum, [y, x], order=1).mean()
    return float(total / 16)


def blurred(light, kernel):
    if kernel is None:
        return light
    out = np.empty_like(light)
    rank = np.linalg.svd(kernel)
    for band in range(3):
        if rank[1][1] < 1e-5 * rank[1][0]:  # A product of two lines
            column, row = rank[0][:, 0] * math.sqrt(rank[1][0]), rank[2][0] * math.sqrt(rank[1][0])
            first = ndimage.convolve1d(light[:, :, band], column, axis=0, mode="nearest")
            out[:, :, band] = ndimage.convolve1d(first, row, axis=1, mode="nearest")
        else:
            reach = kernel.shape[0] // 2
            padded = np.pad(light[:, :, band], reach, mode="edge")
            total = np.zeros(light.shape[:2], np.float32)
            height, width = total.shape
            for y, x in zip(*np.nonzero(kernel > 1e-5)):
                # A convolution mirrors the kernel. It doesn't matter for a random one.
                total += kernel[y, x] * padded[y:y + height, x:x + width]
            out[:, :, band] = total
    return out


def noisy(light, iso, rng):
    """Adds the noise of a sensor: shot noise and read noise, a little correlated as after demosaicing."""
    gain = iso / 100
    # A full well of 40,000 electrons at ISO 100, and 4 electrons of read noise.
    electrons = 40_000 / gain
    noise = rng.standard_normal(light.shape, dtype=np.float32)
    # Demosaicing and the camera's noise reduction correlate neighbors, more so at a high ISO.
    blur = 0.45 if iso < 1600 else 0.6
    for band in range(3):
        noise[:, :, band] = ndimage.gaussian_filter(noise[:, :, band], blur, truncate=3)
    noise /= noise[:64, :64].std()
    # Noise reduction leaves half of the noise.
    share = 0.7 if iso < 1600 else 0.5
    return light + noise * share * np.sqrt(np.maximum(light, 0) / electrons + (4 / electrons) ** 2).astype(np.float32)


def placed(photo, size, shift, rotation, scale):
    """Returns a frame of the photo as seen by an unsteady hand."""
    width, height = size
    cos, sin = math.cos(rotation) * scale, math.sin(rotation) * scale
    center_x, center_y = photo.size[0] / 2 + shift[0], photo.size[1] / 2 + shift[1]
    matrix = (cos, sin, center_x - cos * width / 2 - sin * height / 2,
              -sin, cos, center_y + sin * width / 2 - cos * height / 2)
    return photo.transform(size, Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC)


def detailed_part(photo, side, rng):
    """Returns a part with much detail: the best of some random ones, and all of a small photo."""
    width, height = min(photo.size[0], side), min(photo.size[1], side * 2 // 3)
    gray = np.asarray(photo.convert("L"), np.float32)
    best = None
    for _ in range(12):
        x, y = rng.integers(0, photo.size[0] - width + 1), rng.integers(0, photo.size[1] - height + 1)
        part = gray[y:y + height:3, x:x + width:3]
        detail = np.percentile(np.abs(np.diff(part, axis=1)), 90)
        if best is None or detail > best[0]:
            best = (detail, x, y)
    return photo.crop((best[1], best[2], best[1] + width, best[2] + height))


def shots(kind, rng):
    """Returns the kind and size of the blur of the subject, and of the rest, of each shot. The first is the best."""
    def some(each):
        size = {"gauss": (0.6, 4), "disk": (1.0, 6), "motion": (2.5, 16)}[each]
        ratio = 1.6 if kind == "close" else size[1] / size[0]
        return size[0] * ratio ** rng.uniform(0, 1)

    least = {"gauss": 0.6, "disk": 1.0, "motion": 2.5}
    none = ("none", 0)
    if kind == "focus":
        rest = rng.uniform(2, 5)
        front = [(none, ("disk", rest))] + [(("disk", size), ("disk", rest)) for size in (1.2, 1.6, 2.2, 3, 4)]
        back = [(("disk", size), none) for size in (1.2, 1.8, 2.4, 3, 4, 5)]
        return front + back
    kinds = [kind] * 11 if kind not in ("mixed", "close") else ["gauss"] * 4 + ["disk"] * 4 + ["motion"] * 3
    # In each stack, one shot of each kind has the least blur.
    chosen, seen = [], set()
    for each in kinds:
        size = some(each) if each in seen else least[each]
        seen.add(each)
        chosen.append(((each, size), (each, size)))
    return [(none, none)] + chosen


def make_stack(out, number, path, side, whole, seed):
    rng = np.random.default_rng([seed, number])
    photo = Image.open(path).convert("RGB")
    kind = KINDS[number % len(KINDS)]
    if not whole:
        photo = detailed_part(photo, side, rng)
    # The margin that shifts, rotations and scales need.
    size = (int(photo.size[0] * 0.965) // 8 * 8, int(photo.size[1] * 0.965) // 8 * 8)
    name = f"{number:03d}-{os.path.splitext(os.path.basename(path))[0]}".replace(" ", "_")
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    order = rng.permutation(SHOTS)
    subject = (rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7), rng.uniform(0.1, 0.17)) if kind == "focus" else None
    lines = []
    for index, ((blur, strength), (rest_blur, rest_strength)) in enumerate(shots(kind, rng)):
        shift = [rng.uniform(-0.007, 0.007) * side for side in size]
        frame = placed(photo, size, shift, math.radians(rng.uniform(-0.6, 0.6)), 1 + rng.uniform(-0.004, 0.004))
        light = DECODE[np.asarray(frame)]
        kernel = None if blur == "none" else kernel_of(blur, strength, rng)
        sharp = light
        light = blurred(sharp, kernel)
        place = "-"
        if subject:
            rest = blurred(sharp, None if rest_blur == "none" else kernel_of(rest_blur, rest_strength, rng))
            x, y = subject[0] - shift[0] / size[0], subject[1] - shift[1] / size[1]
            place = f"{int(x * 65536)},{int(y * 65536)}"
            across = (np.arange(size[0]) / size[0] - x)[None, :] * size[0] / size[1]
            down = (np.arange(size[1]) / size[1] - y)[:, None]
            distance = np.sqrt(across ** 2 + down ** 2) / subject[2]
            mask = np.clip((1.15 - distance) / 0.3, 0, 1).astype(np.float32)[:, :, None]
            light = light * mask + rest * (1 - mask)
        iso = int(rng.choice([100, 200, 400, 800, 1600, 3200, 6400, 12800]))
        balance = np.exp(rng.normal(0, 0.02, 3)).astype(np.float32)
        light = noisy(light, iso, rng) * balance * np.float32(2 ** rng.uniform(-1 / 3, 1 / 3))
        codes = ENCODE[np.clip(light * 4096 + 0.5, 0, 4096).astype(np.uint16)]
        file = f"{name}/{order[index]:02d}.jpg"
        Image.fromarray(codes).save(
            os.path.join(out, file), quality=int(rng.integers(85, 98)), subsampling=int(rng.choice([0, 1, 2])))
        label = blur if not subject else "best" if index == 0 else "front" if index < 6 else "back"
        lines.append("\t".join(map(str, [
            name, kind, file, label, round(strength, 2), round(mtf_area(kernel), 4), place, iso])))
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--side", type=int, default=2400)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("photos", nargs="+")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    with ProcessPoolExecutor(arguments.jobs) as pool, open(os.path.join(arguments.out, "labels.tsv"), "w") as labels:
        work = [pool.submit(make_stack, arguments.out, number, path, arguments.side, arguments.whole, arguments.seed)
                for number, path in enumerate(arguments.photos)]
        for each in work:
            for line in each.result():
                labels.write(line + "\n")
            labels.flush()


main()
