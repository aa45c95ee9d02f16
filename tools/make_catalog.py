#!/usr/bin/env python3
"""Writes a made-up catalog of photos, always the same for a number: make_catalog.py NUMBER FILE [places]

Some 267 bytes a photo, texts of several scripts and escapes among them; the images are nowhere. With `places`, each photo
has a position: near one of 200 points on land or sea.
"""

import random
import sys

WORDS = (
    "Harbour Sunset over the old bridge morning fog lake alpine ridge café naïve Zürich 東京 night market red lantern "
    'quiet street rain window portrait dog beach dunes storm light \\"golden\\" hour'
).split()
CAMERAS = ["NIKON D750", "Canon EOS 6D Mark II", "ILCE-7M3", "X-T3", "iPhone 12", "Pixel 6"]


def position(number):
    """A position that depends on the number alone, so that the rest of the catalog is the same with and without it."""
    point = random.Random(number % 200)
    near = random.Random(number)
    latitude = point.uniform(-50, 65) + near.gauss(0, 0.2)
    longitude = point.uniform(-180, 180) + near.gauss(0, 0.2)
    return f',"latitude":{latitude:.5f},"longitude":{(longitude + 180) % 360 - 180:.5f}'


def photo(number, chance, has_place=False):
    date = f"{2008 + number % 17:04}-{1 + number % 12:02}-{1 + number % 28:02}"
    time = f"{number % 24:02}:{number % 60:02}:{number * 7 % 60:02}"
    return (
        f'{{"id":{number},"name":"{" ".join(chance.choices(WORDS, k=3))}",'
        f'"description":"{" ".join(chance.choices(WORDS, k=12))}","created_at":"{date}T{time}Z",'
        f'"image_url":"https://photos.example/{number % 65521:04x}/IMG_{number:07}.jpg",'
        f'"for_sale":{"true" if number % 5 == 0 else "false"},"camera":"{CAMERAS[number % 6]}"{position(number) if has_place else ""}}}'
    )


def write(count, path, has_places=False):
    chance = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("[\n")
        for number in range(1, count + 1):
            file.write(photo(number, chance, has_places) + (",\n" if number < count else "\n"))
        file.write("]\n")


if __name__ == "__main__":
    write(int(sys.argv[1]), sys.argv[2], sys.argv[3:] == ["places"])
