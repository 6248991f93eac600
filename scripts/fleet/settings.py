"""The settings of a run."""

import hashlib
import json
import os
import re
from pathlib import Path

DEFAULTS = {
    "pieces": "",
    "materials": "",
    "rules": "standard",
    "metric": "dtw",
    "tables": "tablebases",
    "read": "",
    "program": "target/release/jungletb",
    "job_seconds": 60,
    "threads": 8,
    "verify": "checksums",
    "max_memory": "",
    "max_minutes": 4320,
}


class Trouble(Exception):
    """An error: the problem and the remedy, in one line; and what a job was short of, if that is the cause."""

    def __init__(self, message, cause=None, needs=None):
        super().__init__(message)
        # `memory`, or `None` if no more of anything would help.
        self.cause = cause
        # MiB without which the job cannot succeed, if that is known.
        self.needs = needs


def settings_from(config):
    """Returns the workflow's configuration with defaults; all paths are absolute."""
    unknown = set(config) - set(DEFAULTS)
    if unknown:
        raise Trouble(f"unknown setting {', '.join(sorted(unknown))}; there are {', '.join(DEFAULTS)}")
    settings = {**DEFAULTS, **config}
    settings = {key: str(value) for key, value in settings.items()}
    if bool(settings["pieces"]) == bool(settings["materials"]):
        raise Trouble("give either pieces=N or materials=ERvL,LvR")
    for key, words in {"metric": ("dtw", "wdl"), "verify": ("checksums", "positions")}.items():
        if settings[key] not in words:
            raise Trouble(f"{key}={settings[key]}: give {' or '.join(words)}")
    for key, kind in {"job_seconds": float, "threads": int, "max_minutes": int}.items():
        try:
            settings[key] = kind(settings[key])
        except ValueError:
            raise Trouble(f"{key}={settings[key]}: give a number") from None
        if settings[key] <= 0:
            raise Trouble(f"{key}={settings[key]}: give a number above 0")
    settings["max_memory"] = mebibytes(settings["max_memory"])
    settings["targets"] = split(settings["materials"], ",") or [settings["pieces"]]
    settings["tables"] = os.path.abspath(settings["tables"])
    settings["read"] = [os.path.abspath(folder) for folder in split(settings["read"], ":")]
    settings["program"] = os.path.abspath(settings["program"])
    if settings["rules"].endswith(".toml"):
        settings["rules"] = os.path.abspath(settings["rules"])
    name = Path(settings["rules"]).name.removesuffix(".toml")
    settings["state"] = str(Path(settings["tables"], ".fleet", f"{name}.{settings['metric']}"))
    # Runs with other settings have another plan, so that jobs never read the plan of another run.
    settings["plan"] = str(Path(settings["state"], f"plan-{digest(json.dumps(settings, sort_keys=True))}.json"))
    return settings


def mebibytes(text):
    """Returns a size such as `16G` in MiB, `None` if the text is empty."""
    if not text:
        return None
    size = re.fullmatch(r"(\d+(?:\.\d+)?)([MGT])(?:i?B)?", text, re.IGNORECASE)
    found = int(float(size[1]) * 1024 ** "MGT".index(size[2].upper())) if size else 0
    if found == 0:
        raise Trouble(f"max_memory={text}: give a size above 0 with M, G or T, as in 16G")
    return found


def split(text, by):
    """Returns the parts of a list that are not empty."""
    return [part for part in text.split(by) if part]


def digest(text):
    """Returns a short hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
