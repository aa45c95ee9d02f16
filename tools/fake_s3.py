#!/usr/bin/env python3
"""An S3 server for tests: fake_s3.py FOLDER [--key ID:SECRET] [--page N] [--talk FOLDER]

Each folder in FOLDER is a bucket. It answers ListObjectsV2, GetObject with ranges, PutObject and DeleteObject with conditions, as the
Amazon S3 API Reference says. The signature of each request is made again from what has arrived, and a request with another one is
refused. A list has so many keys on a page with --page. The first line that it prints is its address.

See fake_server.py for --talk. It needs no package.
"""

import argparse
import datetime
import hashlib
import hmac
import pathlib
import urllib.parse
from xml.sax.saxutils import escape

import fake_server


def encoded(text, safe=""):
    return urllib.parse.quote(text, safe="-._~" + safe)


def signature(secret, date, region, text):
    key = ("AWS4" + secret).encode()
    for part in (date, region, "s3", "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Handler(fake_server.Handler):
    def send(self, status, body=b"", headers=(), kind="application/xml"):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code):
        self.send(status, f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode())

    def is_signed(self, body):
        """Whether the signature is that of the request (AWS Signature Version 4)."""
        if self.server.key is None:
            return True
        identity, secret = self.server.key
        words = self.headers.get("Authorization", "").replace(",", " ").split()
        if not words or words[0] != "AWS4-HMAC-SHA256":
            return False
        fields = dict(word.split("=", 1) for word in words[1:])
        user, date, region, service, end = fields["Credential"].split("/")
        names = fields["SignedHeaders"].split(";")
        if (user, service, end) != (identity, "s3", "aws4_request") or "host" not in names:
            return False
        url = urllib.parse.urlsplit(self.path)
        query = sorted(part if "=" in part else part + "=" for part in url.query.split("&") if part)
        content = self.headers.get("x-amz-content-sha256")
        if content != "UNSIGNED-PAYLOAD" and content != hashlib.sha256(body).hexdigest():
            return False
        headers = "".join(f"{name}:{' '.join((self.headers.get(name) or '').split())}\n" for name in names)
        request = "\n".join([self.command, url.path, "&".join(query), headers, ";".join(names), content])
        text = "\n".join([
            "AWS4-HMAC-SHA256", self.headers.get("x-amz-date", ""), f"{date}/{region}/s3/aws4_request",
            hashlib.sha256(request.encode()).hexdigest()])
        return hmac.compare_digest(signature(secret, date, region, text), fields["Signature"])

    def carry_out(self, url, body):
        if not self.is_signed(body):
            return self.refuse(403, "SignatureDoesNotMatch")
        path = urllib.parse.unquote(url.path).lstrip("/")
        bucket, _, key = path.partition("/")
        folder = self.server.folder / bucket
        if not folder.is_dir() or not bucket:
            return self.refuse(404, "NoSuchBucket")
        if not key:
            return self.list(folder, bucket, dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True)))
        with self.server.lock:
            self.answer_object(folder / key, body)

    @staticmethod
    def tag(file):
        return '"' + hashlib.md5(file.read_bytes()).hexdigest() + '"'

    @staticmethod
    def moment(file):
        return datetime.datetime.fromtimestamp(int(file.stat().st_mtime), datetime.timezone.utc)

    def list(self, folder, bucket, query):
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        keys = sorted(
            str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
        keys = [key for key in keys if key.startswith(prefix)]
        common = []
        if delimiter:
            rest = {key: key[len(prefix):] for key in keys}
            common = sorted({prefix + text.split(delimiter)[0] + delimiter for text in rest.values() if delimiter in text})
            keys = [key for key in keys if delimiter not in rest[key]]
        keys = [key for key in keys if key > query.get("start-after", "")]
        size = min(self.server.page, int(query.get("max-keys", "1000")))
        more = len(keys) > size
        is_encoded = query.get("encoding-type") == "url"

        def name(text):
            return urllib.parse.quote_plus(text, safe="/") if is_encoded else escape(text)

        parts = ["<EncodingType>url</EncodingType>"] if is_encoded else []
        parts += [f"<Name>{escape(bucket)}</Name><Prefix>{name(prefix)}</Prefix><IsTruncated>{str(more).lower()}</IsTruncated>"]
        for key in keys[:size]:
            file = folder / key
            parts.append(
                f"<Contents><Key>{name(key)}</Key><LastModified>{self.moment(file):%Y-%m-%dT%H:%M:%S.000Z}</LastModified>"
                f"<ETag>{escape(self.tag(file))}</ETag><Size>{file.stat().st_size}</Size></Contents>")
        parts += [f"<CommonPrefixes><Prefix>{name(text)}</Prefix></CommonPrefixes>" for text in common]
        text = '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
        self.send(200, (text + "".join(parts) + "</ListBucketResult>").encode())

    def answer_object(self, file, body):
        is_there = file.is_file()
        tag = self.tag(file) if is_there else None
        if self.command in ("PUT", "DELETE"):
            wanted = self.headers.get("If-Match")
            if wanted is not None and wanted != tag or self.headers.get("If-None-Match") == "*" and is_there:
                return self.refuse(412, "PreconditionFailed")
            if self.command == "DELETE":
                file.unlink(missing_ok=True)
                return self.send(204)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(body)
            return self.send(200, headers=[("ETag", self.tag(file))])
        if not is_there:
            return self.refuse(404, "NoSuchKey")
        headers = [("ETag", tag), ("Last-Modified", f"{self.moment(file):%a, %d %b %Y %H:%M:%S GMT}")]
        if self.headers.get("If-None-Match") == tag:
            return self.send(304, headers=headers)
        data = file.read_bytes()
        span = self.headers.get("Range", "")
        if span.startswith("bytes="):
            first, last = span.removeprefix("bytes=").split("-")
            part = data[int(first):int(last) + 1]
            headers.append(("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}"))
            return self.send(206, part, headers, "image/jpeg")
        self.send(200, data, headers, "image/jpeg")


def prepare(server, options):
    server.folder, server.page = options.folder, options.page
    server.key = tuple(options.key.split(":", 1)) if options.key else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--key")
    parser.add_argument("--page", type=int, default=1000)
    fake_server.serve(parser, Handler, prepare)


main()
