#!/usr/bin/env python3
"""Say what waits for the game master of a campaign; publish draft results with which nothing is wrong.

Needs Python 3.11 and nothing else, and a token that may act as game master.

FIELDPOST_TOKEN=... python3 api_client_gm.py https://fieldpost.example.org [publish]
"""

import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(address: str, body: object = None) -> object:
    """An answer of the API; ends the program with the message of a refusal."""
    headers = {"Authorization": f"Bearer {os.environ['FIELDPOST_TOKEN']}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(address, data, headers)) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        sys.exit(json.load(refusal)["message"])


def main(site: str, act: str = "") -> None:
    (campaign,) = ask(f"{site}/api/v1/campaigns/")  # a token is for one campaign
    here = f"{site}/api/v1/campaigns/{campaign['slug']}/gm"
    for item in ask(f"{here}/waiting/"):
        print(f"{item['text']} Due: {item['due'] or 'no time'}.")
    now = ask(f"{here}/phase/")["now"]
    if now is None:
        sys.exit("The campaign is over.")
    print(f"{now['phase']['moment']}: {now['phase']['title']}, {now['state']}.")
    for desk in now["desks"] if now["state"] == "open" else ():
        ready = "READY" if desk["ready"] else "not READY"
        print(f"{desk['side']} {desk['desk']}: version {desk['version']}, {ready}")
    if now["state"] == "draft":
        review(here, act)


def review(here: str, act: str) -> None:
    draft = ask(f"{here}/draft/")
    needed = [f"Check: {flag}" for flag in draft["flags"]]
    needed += [f"Judge: {each['question']}" for each in draft["to_judge"] if not each["answer"]]
    print("\n".join(needed) or "Nothing in the draft results needs you.")
    if draft["publishes_at"]:
        print(f"They are published at {draft['publishes_at']}.")
    elif act == "publish" and not needed:
        now = ask(f"{here}/draft/publication/", {"seen": draft["seen"]})["now"]  # refused if the draft has changed
        if now and now["state"] == "draft":
            print("Approved. You can still cancel.")
        else:
            print(f"Published. Next: {now['phase']['title'] if now else 'the campaign is over'}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
