"""A throw-away Malipo for one run of pytest, with nothing but the standard library.

MALIPO_COMMAND says how to run the command line, such as "npx malipo" where the package is installed.
"""

import json
import os
import shlex
import subprocess
import time
import urllib.request
import uuid

import pytest


class Malipo:
    def __init__(self, base_url, token):
        self.base_url = base_url
        self.token = token

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.base_url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            text = response.read()
        return json.loads(text) if text else None

    def deposit(self, phone_number):
        """Your own code would do this."""
        deposit_id = str(uuid.uuid4())
        account = {"phoneNumber": phone_number, "provider": "MTN_MOMO_ZMB"}
        answer = self.call(
            "POST",
            "/v2/deposits",
            {
                "depositId": deposit_id,
                "amount": "15",
                "currency": "ZMW",
                "payer": {"type": "MMO", "accountDetails": account},
            },
        )
        assert answer["status"] == "ACCEPTED"
        return deposit_id

    def take_phone(self, number):
        """From now on deposits of this number wait for approve or decline."""
        self.call("PUT", f"/sandbox/phones/{number}", {"mode": "interactive"})

    def press(self, number, action):
        """Waits for the payment request, then approves or declines it."""
        path = f"/sandbox/phones/{number}"
        eventually(lambda: self.call("GET", path)["prompts"])
        return self.call("POST", f"{path}/actions", {"action": action})

    def final(self, deposit_id):
        def look():
            data = self.call("GET", f"/v2/deposits/{deposit_id}")["data"]
            return data if data["status"] in ("COMPLETED", "FAILED") else None

        return eventually(look)


def eventually(look, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} seconds")


@pytest.fixture(scope="session")
def malipo():
    command = shlex.split(os.environ.get("MALIPO_COMMAND", "npx malipo"))
    process = subprocess.Popen(
        [*command, "sandbox", "--ephemeral", "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "MALIPO_SANDBOX_DELAY_MS": "0"},
    )
    line = process.stdout.readline()
    assert line, "the sandbox did not start; the reason is above"
    ready = json.loads(line)
    yield Malipo(ready["baseUrl"], ready["token"])
    process.terminate()
    process.wait(30)
