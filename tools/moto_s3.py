"""The S3 of moto for tests, run by the Python that tools/install-moto installs.

moto_s3.py FOLDER             serves each folder in FOLDER as a bucket, and prints the address
moto_s3.py ADDRESS BUCKET KEY prints an object by Amazon's own client, or fails if there is none
"""

import os
import pathlib
import sys
import time

import boto3
from moto.server import ThreadedMotoServer


def client(address):
    return boto3.client(
        "s3", endpoint_url=address, region_name="eu-west-1", aws_access_key_id="ana", aws_secret_access_key="secret")


def serve(folder):
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    s3 = client(address)
    for bucket in folder.iterdir():
        s3.create_bucket(Bucket=bucket.name, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        for file in sorted(path for path in bucket.rglob("*") if path.is_file()):
            s3.put_object(Bucket=bucket.name, Key=str(file.relative_to(bucket)), Body=file.read_bytes())
    print(address, flush=True)
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


if len(sys.argv) == 2:
    serve(pathlib.Path(sys.argv[1]))
else:
    address, bucket, key = sys.argv[1:]
    found = client(address).list_objects_v2(Bucket=bucket, Prefix=key).get("Contents", [])
    if key not in [entry["Key"] for entry in found]:
        sys.exit(1)
    sys.stdout.buffer.write(client(address).get_object(Bucket=bucket, Key=key)["Body"].read())
