#!/usr/bin/python3
"""Measures how well `tintype duplicates` tells the copies of photos from other shots (docs/duplicates.md).

usage: duplicates.py [--program PATH] OUT PHOTO... [--shots FOLDER...]

For each kind of copy, a folder in OUT gets the photos and a copy of each. The recall is the share of the copies that are
found with their photo. The precision is the share of right pairs among all pairs of photos that are found together.

    half, quarter   scaled to a half and a quarter of each side, JPEG 85
    jpeg50, jpeg20  JPEG with the quality 50 and 20
    png, webp       another format; WebP with the quality 80
    crop            a part of 95 % of the width and the height, at any place
    turned          rotated by 90 degrees; upside down; mirrored
    gray            without colors
    brighter        with a curve (gamma 0.8)

The copies have no metadata ("bare"). For "crop, timed", all photos and copies have a time with a fraction of a second, each
photo its own, as most cameras write it.

Each folder of --shots has shots of one scene, none of which is a copy of another one. They are searched as they are, and
without metadata.

The output depends only on the photos, their order, and the program.
"""
import argparse, itertools, os, random, shutil, subprocess
from concurrent.futures import ProcessPoolExecutor

from PIL import Image, ImageOps

TIME, FRACTION, SUB_IFD = 0x9003, 0x9291, 0x8769


def crop(image, number):
    width, height = round(image.width * 0.95), round(image.height * 0.95)
    place = random.Random(number)
    x, y = place.randint(0, image.width - width), place.randint(0, image.height - height)
    return image.crop((x, y, x + width, y + height))


def scaled(image, part):
    return image.resize((max(1, image.width // part), max(1, image.height // part)), Image.LANCZOS)


KINDS = {
    "half": (lambda image, _: scaled(image, 2), "jpg", 85),
    "quarter": (lambda image, _: scaled(image, 4), "jpg", 85),
    "jpeg50": (lambda image, _: image, "jpg", 50),
    "jpeg20": (lambda image, _: image, "jpg", 20),
    "png": (lambda image, _: image, "png", None),
    "webp": (lambda image, _: image, "webp", 80),
    "rotated": (lambda image, _: image.transpose(Image.ROTATE_90), "jpg", 90),
    "upside down": (lambda image, _: image.transpose(Image.ROTATE_180), "jpg", 90),
    "mirrored": (lambda image, _: image.transpose(Image.FLIP_LEFT_RIGHT), "jpg", 90),
    "gray": (lambda image, _: image.convert("L"), "jpg", 90),
    "brighter": (lambda image, _: image.point(lambda code: round(255 * (code / 255) ** 0.8)), "jpg", 90),
    "crop": (crop, "jpg", 90),
}


def save(image, path, quality, exif):
    options = {"exif": exif} if exif else {}
    if quality is not None:
        options["quality"] = quality
    image.save(path, **options)


def copy(job):
    """Writes a photo and its copy."""
    number, path, folder, kind, metadata = job
    change, suffix, quality = KINDS[kind]
    with Image.open(path) as opened:
        exif = opened.getexif()
        image = ImageOps.exif_transpose(opened).convert("RGB")
    # The pixels of the copy are upright.
    exif.pop(0x0112, None)
    original = f"{folder}/{number:03d}-photo.jpg"
    if metadata == "timed":
        exif[0x0110] = "Camera"
        sub = exif.get_ifd(SUB_IFD)
        sub[TIME], sub[FRACTION] = "2020:01:01 12:00:00", f"{number + 1:03d}"
        save(image, original, 95, exif)
    else:
        shutil.copyfile(path, original)
    save(change(image, number), f"{folder}/{number:03d}-copy.{suffix}", quality, exif if metadata == "timed" else None)


def bare(job):
    path, target = job
    with Image.open(path) as image:
        ImageOps.exif_transpose(image).convert("RGB").save(target, quality=95)


def found(program, folder):
    """Returns the pairs of names that are found together."""
    lines = subprocess.run([program, "duplicates", "--format", "tsv", folder], capture_output=True, text=True).stdout
    groups = {}
    for line in lines.splitlines()[1:]:
        group, path = line.split("\t")[:2]
        groups.setdefault(group, []).append(os.path.basename(path))
    return [pair for names in groups.values() for pair in itertools.combinations(sorted(names), 2)]


def measure_copies(program, out, photos, kind, metadata, pool):
    folder = f"{out}/{kind} {metadata}"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    list(pool.map(copy, [(number, path, folder, kind, metadata) for number, path in enumerate(photos)]))
    pairs = found(program, folder)
    right = [pair for pair in pairs if pair[0][:3] == pair[1][:3]]
    precision = f"{len(right) / len(pairs):.1%}" if pairs else "-"
    print(f"{kind}, {metadata}: {len(right)} of {len(photos)} found ({len(right) / len(photos):.1%}), "
          f"precision {precision}", flush=True)
    for pair in pairs:
        if pair not in right:
            print(f"    wrong: {' '.join(pair)}", flush=True)


def measure_shots(program, out, folder, pool):
    names = sorted(os.listdir(folder))
    target = f"{out}/bare {os.path.basename(folder)}"
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    list(pool.map(bare, [(f"{folder}/{name}", f"{target}/{os.path.splitext(name)[0]}.jpg") for name in names]))
    count = len(names) * (len(names) - 1) // 2
    for metadata, place in (("with metadata", folder), ("bare", target)):
        pairs = found(program, place)
        print(f"{os.path.basename(folder)}, {metadata}: {len(pairs)} of {count} pairs found", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="tintype")
    parser.add_argument("--shots", nargs="*", default=[])
    parser.add_argument("out")
    parser.add_argument("photos", nargs="+")
    arguments = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        for kind in KINDS:
            measure_copies(arguments.program, arguments.out, arguments.photos, kind, "bare", pool)
        measure_copies(arguments.program, arguments.out, arguments.photos, "crop", "timed", pool)
        for folder in arguments.shots:
            measure_shots(arguments.program, arguments.out, folder.rstrip("/"), pool)


if __name__ == "__main__":
    main()
