#!/usr/bin/env python3
"""An Immich server for tests: fake_immich.py PHOTOS [--count N] [--key KEY] [--slow SECONDS] [--rate BYTES] [--talk FOLDER]

It answers as API 3.3 says, with as many assets as wanted, whose images are the files of a folder. In the folder `PHOTOS/preview`
and `PHOTOS/thumbnail` there may be smaller files of the same names, and in `PHOTOS/movies` the movies of live photos. Requests that the real server would refuse are refused:
those without the key, and those with members that their schema does not have. The first line that it prints is its address.

Each answer takes so many seconds longer with --slow, and all share a line of so many bytes per second with --rate.
See fake_server.py for --talk. It needs no package.
"""

import argparse
import datetime
import gzip
import json
import pathlib
import threading
import time
import urllib.parse
import uuid

import fake_server

FILTERS = {
    "albumIds", "checksum", "city", "country", "createdAfter", "createdBefore", "filter", "isEncoded", "isFavorite", "isMotion",
    "isNotInAlbum", "isOffline", "lensModel", "libraryId", "make", "model", "ocr", "personIds", "rating", "state", "tagIds",
    "takenAfter", "takenBefore", "trashedAfter", "trashedBefore", "type", "updatedAfter", "updatedBefore", "visibility",
}
PAGE = {"page", "size", "withDeleted", "withExif"}
# The members of each body, as the schemas of the specification have them.
SCHEMAS = {
    "/api/search/metadata": FILTERS | PAGE | {
        "cursor", "description", "encodedVideoPath", "id", "order", "orderBy", "originalFileName", "originalPath", "previewPath",
        "thumbnailPath", "withPeople", "withStacked"},
    "/api/search/smart": FILTERS | PAGE | {"language", "query", "queryAssetId"},
    "/api/search/statistics": FILTERS | {"description"},
}
CHANGES = {
    "dateTimeOriginal", "description", "isFavorite", "latitude", "livePhotoVideoId", "longitude", "rating", "visibility"}
PIECE = 16_384
OWNER = str(uuid.UUID(int=0xABC, version=4))
USER = {"id": OWNER, "email": "ana@example.org", "name": "Ana", "profileImagePath": "", "avatarColor": "blue",
        "profileChangedAt": "2026-01-01T00:00:00.000Z"}
PEOPLE = [{"id": str(uuid.UUID(int=70 + n, version=4)), "name": name, "birthDate": None, "isHidden": False, "thumbnailPath": "",
           "otherPeople": [], "sharedBy": [], "sharedWith": []} for n, name in enumerate(["Ana", ""])]
CITIES = ["Lisbon", "Porto", None]
FIRST = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc)


def text(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Library:
    """The assets, from the newest on."""

    def __init__(self, folder, count):
        self.folder = folder
        self.names = sorted(path.name for path in folder.iterdir() if path.is_file())
        self.changed = {}
        # The tags by their values, and the assets of each by its ID.
        self.tags, self.tagged = {}, {}
        self.count = len(self.names) if count is None else count

    def name(self, number):
        return self.names[number % len(self.names)]

    def number(self, asset):
        return uuid.UUID(asset).int & 0xFFFFFFFF

    def movie(self, number):
        """The file with the movie of a live photo, and its ID; None for another photo."""
        file = self.folder / "movies" / self.name(number)
        return (file, str(uuid.UUID(int=0x2_0000_0000_0000_0000_0000_0000 | number, version=4))) if file.exists() else None

    def months(self):
        """The numbers of photos by the months of their local times."""
        counts = {}
        for number in self.found({"visibility": "timeline"}):
            month = self.asset(number, False)["localDateTime"][:7] + "-01"
            counts[month] = counts.get(month, 0) + 1
        return counts

    def asset(self, number, with_exif):
        name = self.name(number)
        moment = FIRST - datetime.timedelta(hours=5 * number)
        identity = str(uuid.UUID(int=0x1_0000_0000_0000_0000_0000_0000 | number, version=4))
        changed = self.changed.get(identity, {})
        is_video = name.lower().endswith((".mp4", ".mov"))
        movie = self.movie(number)
        visibility = "archive" if number % 10 == 7 else "timeline"
        asset = {
            "checksum": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "createdAt": text(FIRST), "duration": 12_345 if is_video else None,
            "fileCreatedAt": text(moment), "fileModifiedAt": text(moment), "hasMetadata": True, "height": 2000, "id": identity,
            "isArchived": visibility == "archive", "isEdited": False, "isFavorite": changed.get("isFavorite", number % 5 == 0),
            "isOffline": False, "isTrashed": number % 50 == 49, "libraryId": None, "livePhotoVideoId": movie[1] if movie else None,
            # The photographer's clock was two hours ahead.
            "localDateTime": text(moment + datetime.timedelta(hours=2)),
            "originalFileName": f"{number:06}-{name}" if self.count > len(self.names) else name,
            "originalMimeType": "image/jpeg", "originalPath": f"/data/{name}", "ownerId": OWNER, "people": [],
            "tags": [tag for tag in self.tags.values() if identity in self.tagged.get(tag["id"], ())],
            "thumbhash": None, "type": "VIDEO" if is_video else "IMAGE", "updatedAt": text(FIRST), "visibility": visibility,
            "width": 3000,
        }
        if with_exif:
            asset["exifInfo"] = {
                "make": "NIKON CORPORATION", "model": "NIKON Z 6", "lensModel": "NIKKOR Z 24-70mm f/4 S", "exposureTime": "1/250",
                "fNumber": 5.6, "focalLength": 35, "iso": 200 + number % 7 * 100, "latitude": 38.7 + number % 3,
                "longitude": -9.1, "rating": changed.get("rating", number % 6 or None), "description": changed.get(
                    "description", f"Photo {number}"), "fileSizeInByte": 4_000_000 + number, "exifImageWidth": 3000,
                "exifImageHeight": 2000, "orientation": "1", "city": CITIES[number % 3], "country": "Portugal", "state": None,
                "timeZone": "UTC+2", "dateTimeOriginal": text(moment), "modifyDate": text(moment), "projectionType": None,
            }
        return asset

    def upsert(self, value):
        """Returns a tag, which is created if it is new."""
        identity = str(uuid.UUID(int=700 + len(self.tags), version=4))
        return self.tags.setdefault(value, {
            "id": identity, "name": value.split("/")[-1], "value": value, "createdAt": text(FIRST), "updatedAt": text(FIRST)})

    def found(self, body):
        """The numbers of the assets that a search finds."""
        numbers = range(self.count)
        if "visibility" in body:
            numbers = [n for n in numbers if (n % 10 == 7) == (body["visibility"] == "archive")]
        if body.get("isFavorite"):
            numbers = [n for n in numbers if self.asset(n, False)["isFavorite"]]
        if body.get("albumIds") or body.get("personIds"):
            numbers = [n for n in numbers if n % 3 == 0]
        if "city" in body:
            numbers = [n for n in numbers if CITIES[n % 3] == body["city"]]
        if "takenAfter" in body:
            first, last = (datetime.datetime.fromisoformat(body[key].replace("Z", "+00:00")) for key in ("takenAfter", "takenBefore"))
            numbers = [n for n in numbers if first <= FIRST - datetime.timedelta(hours=5 * n) <= last]
        if body.get("query"):
            # The best ones come first, whatever their dates are.
            numbers = [n for n in numbers if n % 4 == 0][::-1]
        is_trash = "trashedAfter" in body
        return [n for n in numbers if (n % 50 == 49) == is_trash]


class Handler(fake_server.Handler):
    def send(self, status, content, kind="application/json"):
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        if kind == "application/json" and "gzip" in self.headers.get("Accept-Encoding", ""):
            data = gzip.compress(data, 1)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        for start in range(0, len(data), PIECE):
            piece = data[start:start + PIECE]
            self.wfile.write(piece)
            if self.server.rate:
                with self.server.line:
                    time.sleep(len(piece) / self.server.rate)

    def refuse(self, status, message):
        self.send(status, {"message": message, "error": "Error", "statusCode": status})

    def carry_out(self, url, body):
        if self.headers.get("x-api-key") != self.server.key:
            self.refuse(401, "Invalid API key")
        else:
            answer = {"GET": self.get, "POST": self.post, "PUT": self.put, "DELETE": self.delete}[self.command]
            answer(url.path, urllib.parse.parse_qs(url.query), body)

    def get(self, path, query, _):
        library = self.server.library
        parts = path.split("/")
        if path == "/api/albums":
            self.send(200, [
                {"id": str(uuid.UUID(int=7 + n, version=4)), "albumName": name, "description": "", "assetCount": library.count // 3,
                 "albumThumbnailAssetId": library.asset(0, False)["id"], "albumUsers": [{"role": "owner", "user": USER}], "createdAt": text(FIRST), "updatedAt": text(FIRST),
                 "hasSharedLink": False, "isActivityEnabled": True, "shared": False}
                for n, name in enumerate(["Summer", "Family"])])
        elif path == "/api/people":
            self.send(200, {"hasNextPage": False, "hidden": 0, "people": PEOPLE, "total": len(PEOPLE)})
        elif path == "/api/search/person":
            self.send(200, [person for person in PEOPLE if query["name"][0].lower() in person["name"].lower()])
        elif path == "/api/search/cities":
            self.send(200, [library.asset(n, True) for n in range(min(2, library.count))])
        elif path == "/api/timeline/buckets":
            self.send(200, [{"timeBucket": month, "count": count} for month, count in library.months().items()])
        elif path.startswith("/api/assets/00000002-") and len(parts) == 5 and parts[4] == "original":
            self.send(200, library.movie(library.number(parts[3]))[0].read_bytes(), "video/mp4")
        elif path.startswith("/api/assets/") and len(parts) == 5 and parts[4] in ("thumbnail", "original"):
            kind = query.get("size", ["thumbnail"])[0] if parts[4] == "thumbnail" else "original"
            place = library.folder if kind == "original" else library.folder / kind
            file = place / library.name(library.number(parts[3]))
            if not file.exists():
                return self.refuse(404, "Asset media not found")
            self.send(200, file.read_bytes(), "image/jpeg")
        elif path.startswith("/api/assets/") and len(parts) == 4:
            asset = library.asset(library.number(parts[3]), True)
            self.send(200, asset | {"visibility": "hidden", "id": parts[3]} if parts[3].startswith("00000002-") else asset)
        else:
            self.refuse(404, f"Cannot GET {path}")

    def post(self, path, _, body):
        if path not in SCHEMAS:
            return self.refuse(404, f"Cannot POST {path}")
        body = json.loads(body)
        if unknown := set(body) - SCHEMAS[path]:
            return self.refuse(400, f"property {unknown.pop()} should not exist")
        found = self.server.library.found(body)
        if path == "/api/search/statistics":
            return self.send(200, {"total": len(found)})
        page, size = body.get("page", 1), body.get("size", 250)
        if not (isinstance(size, int) and 1 <= size <= 1000):
            return self.refuse(400, "size must not be greater than 1000")
        items = [self.server.library.asset(n, body.get("withExif")) for n in found[(page - 1) * size:page * size]]
        is_last = page * size >= len(found)
        self.send(200, {
            "albums": {"count": 0, "facets": [], "items": [], "total": 0},
            "assets": {"count": len(items), "facets": [], "items": items, "nextCursor": None, "total": len(items),
                       "nextPage": None if is_last else str(page + 1)}})

    def put(self, path, _, body):
        library = self.server.library
        body = json.loads(body)
        if path.startswith("/api/tags"):
            return self.tag(path, body)
        if unknown := set(body) - CHANGES:
            return self.refuse(400, f"property {unknown.pop()} should not exist")
        asset = path.removeprefix("/api/assets/")
        library.changed.setdefault(asset, {}).update(body)
        self.send(200, library.asset(library.number(asset), True))


    def delete(self, path, _, body):
        self.tag(path, json.loads(body))

    def tag(self, path, body):
        """Creates tags (`TagUpsertDto`), or adds or removes one (`BulkIdsDto`)."""
        library, parts = self.server.library, path.split("/")
        if unknown := set(body) - ({"tags"} if len(parts) == 3 else {"ids"}):
            return self.refuse(400, f"property {unknown.pop()} should not exist")
        if len(parts) == 3:
            return self.send(200, [library.upsert(value) for value in body["tags"]])
        assets = library.tagged.setdefault(parts[3], set())
        change = assets.add if self.command == "PUT" else assets.discard
        for asset in body["ids"]:
            change(asset)
        self.send(200, [{"id": asset, "success": True} for asset in body["ids"]])


def prepare(server, options):
    server.library = Library(options.photos, options.count)
    server.key, server.rate, server.line = options.key, options.rate, threading.Lock()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("--count", type=int)
    parser.add_argument("--key", default="secret")
    parser.add_argument("--slow", type=float, default=0)
    parser.add_argument("--rate", type=int, default=0)
    fake_server.serve(parser, Handler, prepare)


main()
