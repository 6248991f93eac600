"""What the attempts of a job were given and why they failed, so that the next one requests more of what was short.

While a job runs, `attempts/JOB.KIND.json` holds the memory and the time that it was given, when it was last alive,
and the memory that it used. A job that fails adds the cause, and one that succeeds deletes the record. A job that is
killed from outside leaves the record as it was: then the queue's word counts (`causes/TICKET`, if its status command
can tell), else the job was out of time if it was alive for nearly as long as it might, out of memory if it used
nearly as much, and otherwise lost: pre-empted, or its machine failed. A lost job requests the same again.
"""

import json
import os
import threading
import time
from pathlib import Path

from files import write

BEAT = 5  # seconds between two signs of life
NEARLY = 0.9
GROWTH = 2


class Attempt:
    """One attempt of a job. A context manager: an exception is a failure."""

    def __init__(self, path, memory, minutes):
        self.path, self.process, self.ended = Path(path), None, threading.Event()
        now = time.time()
        self.record = {"memory": memory, "minutes": minutes, "begun": now, "seen": now, "used": 0}
        self.record["ticket"] = os.environ.get("FLEET_TICKET")
        self.beats = threading.Thread(target=self.beat, daemon=True)

    def __enter__(self):
        self.save()
        self.beats.start()
        return self

    def __exit__(self, kind, error, trace):
        self.ended.set()
        self.beats.join()
        if kind is None:
            self.path.unlink(missing_ok=True)
        elif getattr(error, "cause", None):
            self.record |= {"cause": error.cause, "needs": error.needs}
            self.save()

    def beat(self):
        """Renews the record until the attempt ends."""
        while not self.ended.wait(BEAT):
            used = resident(self.process) if self.process else 0
            self.record |= {"seen": time.time(), "used": max(self.record["used"], used)}
            self.save()

    def save(self):
        """Writes the record."""
        write(self.path, json.dumps(self.record))


def resident(process):
    """The memory of a process in MiB without mapped files, 0 if it is unknown."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    fields = dict(line.split(":", 1) for line in lines)
    return sum(int(fields.get(name, "0 kB").split()[0]) for name in ("RssAnon", "RssShmem")) // 1024


def cause(record, folder):
    """Why an attempt failed: `memory`, `time` or `lost`; `folder` is that of the queue's words."""
    if record.get("cause"):
        return record["cause"]
    word = folder / (record.get("ticket") or "none")
    if word.exists():
        return word.read_text().strip()
    if record["seen"] - record["begun"] >= NEARLY * 60 * record["minutes"]:
        return "time"
    if record["used"] >= NEARLY * record["memory"]:
        return "memory"
    return "lost"


def request(path, folder, planned, limits):
    """The memory in MiB and the minutes that the next attempt of a job requests, within limits."""
    os.listdir(path.parent.parent)  # a network file system then looks for what other machines have written
    try:
        os.listdir(path.parent)
        record = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        record = None
    wanted = dict(planned)
    if record:
        why = cause(record, folder)
        for key, short in ("memory", "memory"), ("minutes", "time"):
            more = record.get("needs") or record[key] * GROWTH if why == short else record[key]
            wanted[key] = max(planned[key], more)
    return {key: min(size, limits[key]) for key, size in wanted.items()}
