#!/usr/bin/env python3
"""Check an order sheet over the API of Fieldpost, and submit it. Needs Python 3.11 and nothing else.

FIELDPOST_TOKEN=... python3 api_client.py https://fieldpost.example.org sheet.txt
"""

import json
import os
import sys
import uuid
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(address: str, body: object = None) -> object:
    """An answer of the API; ends the program with the message of a refusal."""
    headers = {
        "Authorization": f"Bearer {os.environ['FIELDPOST_TOKEN']}",
        "Content-Type": "application/json",
        "Idempotency-Key": uuid.uuid4().hex,  # to send the same again after a lost connection, keep the key
    }
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(address, data, headers)) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        sys.exit(json.load(refusal)["message"])


def main(site: str, file: str) -> None:
    (campaign,) = ask(f"{site}/api/v1/campaigns/")  # a token is for one campaign
    here = f"{site}/api/v1/campaigns/{campaign['slug']}"
    phase = ask(f"{here}/phases/open/")
    print(f"{campaign['title']}, {phase['moment']}: {phase['title']}, until {phase['deadline'] or 'all are READY'}")
    if campaign["side"] not in phase["acts"]:
        sys.exit("Your side has nothing to do.")

    desk = ask(f"{here}/desks/HQ/")["desk"]
    print(f"Submitted so far: version {desk['version']}.")  # a newer one than this is not replaced
    text = Path(file).read_text(encoding="utf-8")
    reading = ask(f"{here}/desks/HQ/check/", {"text": text})
    for line in reading["lines"]:
        print(f"{line['line']:3} {line['text'] or 'ignored'}")
    for problem in reading["problems"]:
        print(f"{problem['line']:3} {problem['severity']}: {problem['message']} {problem['hint']}")
    if any(problem["severity"] == "error" for problem in reading["problems"]):
        sys.exit("Not submitted. Fix the lines with errors.")

    sheet = {"phase": phase["phase"], "text": text, "version": desk["version"]}
    receipt = ask(f"{here}/desks/HQ/sheets/", sheet)
    print(f"Received as version {receipt['version']}. Its digest is {receipt['digest']}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
