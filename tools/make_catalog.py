#!/usr/bin/env python3
"""Writes a made-up catalog of photos, always the same for a number: make_catalog.py NUMBER FILE

Some 267 bytes a photo, texts of several scripts and escapes among them; the images are nowhere.
"""

import random
import sys

WORDS = (
    "Harbour Sunset over the old bridge morning fog lake alpine ridge café naïve Zürich 東京 night market red lantern "
    'quiet street rain window portrait dog beach dunes storm light \\"golden\\" hour'
).split()
CAMERAS = ["NIKON D750", "Canon EOS 6D Mark II", "ILCE-7M3", "X-T3", "iPhone 12", "Pixel 6"]


def photo(number, chance):
    date = f"{2008 + number % 17:04}-{1 + number % 12:02}-{1 + number % 28:02}"
    time = f"{number % 24:02}:{number % 60:02}:{number * 7 % 60:02}"
    return (
        f'{{"id":{number},"name":"{" ".join(chance.choices(WORDS, k=3))}",'
        f'"description":"{" ".join(chance.choices(WORDS, k=12))}","created_at":"{date}T{time}Z",'
        f'"image_url":"https://photos.example/{number % 65521:04x}/IMG_{number:07}.jpg",'
        f'"for_sale":{"true" if number % 5 == 0 else "false"},"camera":"{CAMERAS[number % 6]}"}}'
    )


def write(count, path):
    chance = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("[\n")
        for number in range(1, count + 1):
            file.write(photo(number, chance) + (",\n" if number < count else "\n"))
        file.write("]\n")


if __name__ == "__main__":
    write(int(sys.argv[1]), sys.argv[2])
