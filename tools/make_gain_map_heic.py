#!/usr/bin/env python3
"""Adds a gain map to a HEIC file in the way in which iPhones with iOS 18 write it.

    tools/make_gain_map_heic.py IN.heic OUT.heic     another file
    tools/make_gain_map_heic.py --base64 IN.heic     in base64, for Tests/Photos/RealPhoto.swift

The new item of the type `tmap` (ISO 21496-1) is made of the primary image and a gain map, for which the first other image
is taken. Metadata that describe the primary image describe the new item, too, and both are alternatives. That is why
libheif before version 1.18 refuses the file. Boxes: ISO/IEC 14496-12, 8.11, and ISO/IEC 23008-12.
"""

import base64
import struct
import sys
import textwrap


def boxes(data):
    """Returns the types and contents of the boxes in some bytes."""
    found = []
    while data:
        size, kind = struct.unpack(">I4s", data[:8])
        start = 8
        if size == 1:
            (size,) = struct.unpack(">Q", data[8:16])
            start = 16
        size = size or len(data)
        found.append([kind, data[start:size]])
        data = data[size:]
    return found


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def number(data, place, count):
    return int.from_bytes(data[place : place + count], "big")


def bytes_of(value, count):
    return value.to_bytes(count, "big")


class Locations:
    """The places of the items' contents (`iloc`)."""

    def __init__(self, data):
        self.version, sizes = data[0], number(data, 4, 2)
        self.offset, self.length, self.base = sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15
        self.index = sizes & 15 if self.version else 0
        self.id = 2 if self.version < 2 else 4
        place = 6 + self.id
        self.items = []
        for _ in range(number(data, 6, self.id)):
            item = number(data, place, self.id)
            place += self.id
            method = number(data, place, 2) if self.version else 0
            place += (2 if self.version else 0) + 2
            base = number(data, place, self.base)
            extents = number(data, place + self.base, 2)
            place += self.base + 2
            pieces = []
            for _ in range(extents):
                place += self.index
                pieces.append((number(data, place, self.offset), number(data, place + self.offset, self.length)))
                place += self.offset + self.length
            self.items.append((item, method, base, pieces))

    def content(self, shift):
        """Returns the content of the box when the contents in the file are some bytes later."""
        version = self.version or 1  # Version 0 has no place for the content of the new item.
        data = bytes([version, 0, 0, 0])
        data += bytes_of(self.offset << 12 | self.length << 8 | self.base << 4 | self.index, 2)
        data += bytes_of(len(self.items), self.id)
        for item, method, base, pieces in self.items:
            moved = shift if method == 0 else 0
            data += bytes_of(item, self.id) + bytes_of(method, 2) + bytes(2)
            data += bytes_of(base + (moved if self.base else 0), self.base) + bytes_of(len(pieces), 2)
            for offset, length in pieces:
                data += bytes(self.index) + bytes_of(offset + (0 if self.base else moved), self.offset)
                data += bytes_of(length, self.length)
        return data


def reference(kind, source, targets, size):
    data = bytes_of(source, size) + bytes_of(len(targets), 2)
    return box(kind, data + b"".join(bytes_of(target, size) for target in targets))


def references(data, primary, tone_map, gain_map):
    """Returns `iref` with the references of the new item, and with metadata that describe it, too."""
    size = 4 if data[0] else 2
    result = data[:4]
    for kind, content in boxes(data[4:]):
        targets = [number(content, size + 2 + size * index, size) for index in range(number(content, size, 2))]
        if kind == b"cdsc" and primary in targets:
            targets.append(tone_map)
        result += reference(kind, number(content, 0, size), targets, size)
    return result + reference(b"dimg", tone_map, [primary, gain_map], size)


def with_gain_map(data):
    outer = boxes(data)
    parts = {kind: content for kind, content in outer}
    meta = boxes(parts[b"meta"][4:])
    inner = {kind: content for kind, content in meta}
    locations = Locations(inner[b"iloc"])
    ids = [item[0] for item in locations.items]
    pitm = inner[b"pitm"]
    primary = number(pitm, 4, 4 if pitm[0] else 2)
    gain_map = next((item for item in ids if item != primary), primary)
    tone_map = max(ids) + 1
    # The content: a version, and how the gain map is applied. Zeros for all numbers but the denominators.
    formula = bytes(6) + b"".join(struct.pack(">II", 0, 1) for _ in range(8))
    data_box = inner.get(b"idat", b"")
    locations.items.append((tone_map, 1, 0, [(len(data_box), len(formula))]))
    information = inner[b"iinf"]
    size = 2 if information[0] == 0 else 4
    entry = box(b"infe", bytes([2, 0, 0, 0]) + bytes_of(tone_map, 2) + bytes(2) + b"tmap" + bytes(1))
    information = (
        information[:4] + bytes_of(number(information, 4, size) + 1, size) + information[4 + size :] + entry
    )
    alternatives = [tone_map, primary]
    group = bytes(4) + bytes_of(tone_map + 1, 4) + bytes_of(len(alternatives), 4)
    group = box(b"altr", group + b"".join(bytes_of(item, 4) for item in alternatives))
    new = {
        b"iinf": information,
        b"iref": references(inner.get(b"iref", bytes(4)), primary, tone_map, gain_map),
        b"idat": data_box + formula,
        b"grpl": group,
    }
    kinds = [kind for kind, _ in meta] + [kind for kind in new if kind not in inner]

    def rebuilt(shift):
        contents = {**inner, **new, b"iloc": locations.content(shift)}
        result = b""
        for kind, content in outer:
            if kind == b"ftyp":
                content += b"tmap"
            elif kind == b"meta":
                content = content[:4] + b"".join(box(kind, contents[kind]) for kind in kinds)
            result += box(kind, content)
        return result

    return rebuilt(len(rebuilt(0)) - len(data))


def main():
    arguments = sys.argv[1:]
    if len(arguments) != 2:
        sys.exit(__doc__)
    is_text = arguments[0] == "--base64"
    with open(arguments[1 if is_text else 0], "rb") as file:
        result = with_gain_map(file.read())
    if is_text:
        print("\n".join(textwrap.wrap(base64.b64encode(result).decode(), 116)))
        return
    with open(arguments[1], "wb") as file:
        file.write(result)


if __name__ == "__main__":
    main()
