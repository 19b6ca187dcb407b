"""A receiver of callbacks: verifies each one, and answers 200 once it is safe with us.

MALIPO_URL=… MALIPO_TOKEN=… CALLBACK_URL=https://shop.example/callbacks python3 receiver.py

Python's own library has no ECDSA, so the command openssl checks the signature. With the package
"cryptography": load_pem_public_key(key).verify(signature, base, ECDSA(SHA256())).
"""
import base64
import hashlib
import hmac
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

URL = os.environ.get("MALIPO_URL", "http://127.0.0.1:8080")
PORT = int(os.environ.get("PORT", "3000"))
# As set at the service: a signature is for one address.
CALLBACK_URL = os.environ.get("CALLBACK_URL", f"http://127.0.0.1:{PORT}/callbacks")
COVERED = ("@method", "@authority", "@path", "signature-date", "content-digest", "content-type")
LIST = "(" + " ".join(f'"{name}"' for name in COVERED) + ")"


def public_key(key_id):
    """In production keep the list for some minutes, and fetch it again for an unknown id."""
    headers = {"Authorization": f"Bearer {os.environ['MALIPO_TOKEN']}"}
    request = urllib.request.Request(f"{URL}/v2/public-key/http", headers=headers)
    with urllib.request.urlopen(request, timeout=5) as response:
        return next((one["key"] for one in json.load(response) if one["id"] == key_id), None)


def problem(headers, body):
    """What is wrong with a callback, or None."""
    digest = base64.b64encode(hashlib.sha512(body).digest()).decode()
    if not hmac.compare_digest(headers.get("content-digest", ""), f"sha-512=:{digest}:"):
        return "the body is not the one that was signed"
    params = headers.get("signature-input", "").removeprefix("sig-pp=")
    named = re.search(r';keyid="([^"]+)";created=(\d+);expires=(\d+)$', params)
    signature = re.fullmatch(r"sig-pp=:([A-Za-z0-9+/=]+):", headers.get("signature", ""))
    if not params.startswith(LIST) or not named or not signature:
        return "it is not signed as callbacks are"
    key_id, created, expires = named[1], int(named[2]), int(named[3])
    if not created - 60 <= time.time() <= expires:
        return "the signature has expired, or a clock is wrong"
    key = public_key(key_id)
    if key is None:
        return "the key is none of the service's"
    own = urlsplit(CALLBACK_URL)
    values = ["POST", own.netloc, own.path] + [headers.get(name, "") for name in COVERED[3:]]
    lines = [f'"{name}": {value}' for name, value in zip(COVERED, values)]
    base = "\n".join([*lines, f'"@signature-params": {params}'])
    is_good = verify(key, base64.b64decode(signature[1]), base.encode())
    return None if is_good else "the signature does not verify"


def verify(key, signature, base):
    with tempfile.NamedTemporaryFile("w") as pem, tempfile.NamedTemporaryFile() as sig:
        pem.write(key), pem.flush(), sig.write(signature), sig.flush()
        command = ["openssl", "dgst", "-sha256", "-verify", pem.name, "-signature", sig.name]
        return subprocess.run(command, input=base, capture_output=True).returncode == 0


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        wrong = problem({name.lower(): value for name, value in self.headers.items()}, body)
        if wrong is None:
            # It may come more than once, and about a payment that is not ours: look the identifier
            # up in our own books, and store what it says, before we answer.
            print("verified:", body.decode(), flush=True)
        else:
            print("refused:", wrong, flush=True)
        self.send_response(200 if wrong is None else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"listening for {CALLBACK_URL}", flush=True)
server.serve_forever()
