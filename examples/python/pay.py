"""Collects a payment, refunds it and pays out.

MALIPO_URL=http://127.0.0.1:8080 MALIPO_TOKEN=mlp_sbx_… python3 examples/python/pay.py
"""
import json
import os
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("MALIPO_URL", "http://127.0.0.1:8080")
TOKEN = os.environ["MALIPO_TOKEN"]
MONEY = {"amount": "15", "currency": "ZMW"}
WALLET = {
    "type": "MMO",
    "accountDetails": {"phoneNumber": "260763456789", "provider": "MTN_MOMO_ZMB"},
}


def call(method, path, body=None, attempts=5):
    """Repeats the very same request: its identifier keeps it from starting two payments."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, attempts + 1):
        request = urllib.request.Request(URL + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                raise SystemExit(f"{error.code} {error.read().decode()}") from error
        except OSError as error:  # nothing came back: it may have arrived all the same
            print(f"attempt {attempt}: {error}")
        time.sleep(2**attempt / 4)
    raise SystemExit(f"{method} {path}: no answer; repeat it later with the same identifier")


def complete(kind, payment):
    """Starts a payment and waits for its end."""
    payment_id = payment[f"{kind}Id"]
    answer = call("POST", f"/v2/{kind}s", payment)
    if answer["status"] == "REJECTED":
        raise SystemExit(answer["failureReason"]["failureMessage"])
    for pause in [0.5, 1, 2, 3, 5] + [10] * 30:
        record = call("GET", f"/v2/{kind}s/{payment_id}")["data"]
        if record["status"] in ("COMPLETED", "FAILED"):
            print(kind, payment_id, record["status"])
            return
        time.sleep(pause)
    raise SystemExit(f"{kind} {payment_id} is not final yet; look again later")


# Store each identifier before it is used: it is how you find the payment whatever happens.
deposit_id = str(uuid.uuid4())
complete("deposit", {"depositId": deposit_id, **MONEY, "payer": WALLET})
complete("refund", {"refundId": str(uuid.uuid4()), "depositId": deposit_id})
complete("payout", {"payoutId": str(uuid.uuid4()), **MONEY, "recipient": WALLET})
