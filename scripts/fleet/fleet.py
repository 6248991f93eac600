"""The state of the workflow: settings, jobs of a plan, and which tables are up to date; and the work of each job.

The state follows from the tables. For each class that a job has generated or found valid, `made/CLASS.json` records the
checksums of its tables and of those they were generated from. A class is out of date if one of its tables is missing or
differs from the record, or if a table that it depends on has changed since. At the start of a run, `due/JOB` is written
again for each finished job with a class out of date: it is then newer than `done/JOB`, so Snakemake runs the job.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

CHECKSUM_AT = 1016  # FORMAT.md: the last eight bytes of the header identify the whole file
MAGIC = b"\x8bJTB\r\n\x1a\n"
VERIFIED_A_CPU_SECOND = 30e6  # measured on EPRvLW, 290 million positions in 8.2 CPU seconds
BYTES_A_VALUE = 0.5  # bytes in memory per value of a table that is verified: the slabs that one move leads to
BYTES_A_CAPTURE = 1  # bytes in memory per value of a table that its captures lead to
MEMORY_MARGIN = 1.1
MEMORY_BESIDE = 256  # MiB for Snakemake's own process in the job

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
}


class Trouble(Exception):
    """An error: the problem and the remedy, in one line."""


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
    for key, kind in {"job_seconds": float, "threads": int}.items():
        try:
            settings[key] = kind(settings[key])
        except ValueError:
            raise Trouble(f"{key}={settings[key]}: give a number") from None
        if settings[key] <= 0:
            raise Trouble(f"{key}={settings[key]}: give a number above 0")
    split = lambda text, by: [part for part in text.split(by) if part]
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


class Fleet:
    """The jobs of a run."""

    def __init__(self, settings, rules, classes, jobs):
        self.settings, self.rules, self.classes, self.jobs = settings, rules, classes, jobs
        self.job_of = {name: job for job in jobs.values() for name in job["classes"]}
        self.state = Path(settings["state"])
        roots = [settings["tables"], *settings["read"]]
        self.folders = [Path(root, rules) for root in roots]
        # Cache of checksums while no table changes; `None` while tables may change.
        self.read = None
        self.metrics = ["wdl", "dtw"] if settings["metric"] == "dtw" else ["wdl"]

    @classmethod
    def begin(cls, config):
        """Plans a run. Called once, before Snakemake decides what to do."""
        settings = settings_from(config)
        plan = json.loads(run(settings, "plan", *settings["targets"], "--metric", settings["metric"], "--json"))
        classes = {step["class"]: step for step in plan["each"]}
        fleet = cls(settings, plan["rules"], classes, jobs_of(plan["each"], settings))
        kept = ["pieces", "positions_stored", "memory", "cpu_seconds", "depends_on"]
        slim = {name: {key: step[key] for key in kept} for name, step in classes.items()}
        whole = {"settings": settings, "rules": plan["rules"], "classes": slim, "jobs": fleet.jobs}
        write_if_changed(Path(settings["plan"]), json.dumps(whole))
        fleet.mark_outdated()
        return fleet

    @classmethod
    def load(cls, plan):
        """Loads the run that `begin` planned. Called by jobs."""
        whole = json.loads(Path(plan).read_text())
        return cls(whole["settings"], whole["rules"], whole["classes"], whole["jobs"])

    def done(self, job):
        """The file that marks a job as done."""
        return str(self.state / "done" / job)

    def due(self, job, kind="done"):
        """The file that is newer than `done` if the job must run again."""
        return str(self.state / "due" / f"{job}.{kind}")

    def verified(self, job):
        """The file that marks a job's tables as proven."""
        return str(self.state / "verified" / job)

    # State of the tables.

    def table(self, name, metric):
        """The path of a table, `None` if it is missing."""
        paths = (folder / f"{name}.{metric}" for folder in self.folders)
        return next((path for path in paths if path.exists()), None)

    def checksums(self, name):
        """The checksums of a class's tables, `None` if one is missing."""
        if self.read is not None and name in self.read:
            return self.read[name]
        found = self.read_checksums(name)
        if self.read is not None:
            self.read[name] = found
        return found

    def read_checksums(self, name):
        found = {}
        for metric in self.metrics:
            path = self.table(name, metric)
            header = path.open("rb").read(CHECKSUM_AT + 8) if path else b""
            if len(header) < CHECKSUM_AT + 8 or not header.startswith(MAGIC):
                return None
            found[metric] = f"{int.from_bytes(header[CHECKSUM_AT:], 'little'):016x}"
        return found

    def record(self, name, kind="made"):
        """The record of a class, `None` if there is none."""
        try:
            return json.loads((self.state / kind / f"{name}.json").read_text())
        except (FileNotFoundError, ValueError):
            return None

    def dependencies(self, name):
        """The checksums of the tables that a class depends on, `None` for those that are missing."""
        return {other: self.checksums(other) for other in self.classes[name]["depends_on"]}

    def outdated(self, name):
        """The reason why a class is out of date, `None` if it is up to date."""
        there, record = self.checksums(name), self.record(name)
        if there is None:
            return f"{name} is missing"
        if record is None:
            return f"{name} was not checked yet"
        if there != record["tables"]:
            return f"{name} is not the table it was"
        for other, checksums in self.dependencies(name).items():
            # A missing table is generated again, the same to the byte. If it differs, the next run detects it.
            if checksums is not None and checksums != record["from"].get(other):
                return f"{name} was made from another {other}"
        return None

    def unproven(self, name):
        """Whether a class exists and its present tables are not verified; missing ones are regenerated the same."""
        there = self.checksums(name)
        return there is not None and there != self.record(name, "proven")

    def all_outdated(self):
        """The reasons why finished jobs must run again, by job."""
        found = {}
        for job in self.jobs:
            if Path(self.done(job)).exists():
                reasons = [self.outdated(name) for name in self.jobs[job]["classes"]]
                if any(reasons):
                    found[job] = [reason for reason in reasons if reason]
        return found

    def all_unproven(self):
        """Jobs that were verified and whose tables have changed since."""
        verified = (job for job in self.jobs if Path(self.verified(job)).exists())
        return [job for job in verified if any(map(self.unproven, self.jobs[job]["classes"]))]

    def mark_outdated(self):
        """Marks jobs that must run again for Snakemake."""
        (self.state / "again").unlink(missing_ok=True)
        self.read = {}
        outdated, unproven = self.all_outdated(), set(self.all_unproven())
        for job in self.jobs:
            for kind, reasons in ("done", outdated.get(job)), ("verified", job in unproven and ["it has changed"]):
                due = Path(self.due(job, kind))
                if reasons:
                    more = f" and {len(reasons) - 1} more" if len(reasons) > 1 else ""
                    print(f"{job}: {reasons[0]}{more}", file=sys.stderr)
                    # Snakemake ignores a newer file with the same contents.
                    write(due, "\n".join([*reasons, str(time.time_ns())]))
                elif not due.exists():
                    write(due, "")
        if not Path(self.settings["tables"], "CHECKSUMS").exists():
            (self.state / "complete").unlink(missing_ok=True)

    # Work of the jobs.

    def generate(self, job, threads, memory):
        """Generates missing and outdated classes of a job, checks all blocks, records the checksums."""
        names = self.jobs[job]["classes"]
        for name in names:
            reason = self.outdated(name)
            if reason and "was made from" in reason:
                print(f"{reason}: making it again")
                for metric in self.metrics:
                    path = self.table(name, metric)
                    if path.parent != self.folders[0]:
                        raise Trouble(f"{path}: {reason}, and its folder is only read; put a good one there")
                    path.unlink()
        targets = [*names, "--only", "--metric", self.settings["metric"]]
        limits = ["--threads", str(threads), "--memory", f"{memory}M"]
        print(run(self.settings, "generate", *targets, *limits, "--json", "-q").strip(), flush=True)
        lines = run(self.settings, "list", "--checksums", *names)
        for name in names:
            before, tables = self.record(name), self.checksums(name)
            if before and before["tables"] != tables:
                print(f"{name}: other bytes than before")
            write_if_changed(
                self.state / "made" / f"{name}.json", json.dumps({"tables": tables, "from": self.dependencies(name)})
            )
        write(Path(self.done(job)), lines)

    def verify(self, job, threads):
        """Proves those of a job's classes that are not proven yet."""
        names = [name for name in self.jobs[job]["classes"] if self.unproven(name)]
        if names:
            print(run(self.settings, "verify", *names, "--threads", str(threads), "-q"), flush=True)
        for name in names:
            write(self.state / "proven" / f"{name}.json", json.dumps(self.checksums(name)))
        write(Path(self.verified(job)), "\n".join(self.jobs[job]["classes"]) + "\n")

    def collect(self):
        """Writes the checksums of the generated tables to `CHECKSUMS` beside them."""
        self.read = {}
        changed = self.all_outdated()
        proofs = self.all_unproven() if self.settings["verify"] == "positions" else []
        if changed or proofs:
            write(self.state / "again", "\n".join([*changed, *proofs]) + "\n")
            raise Trouble(
                f"{len(changed)} jobs have to run again, and {len(proofs)} to be verified again, as tables they "
                "depend on have changed; start the workflow once more"
            )
        names = [
            f"{self.rules}/{name}.{metric}"
            for name in self.classes
            for metric in ["wdl", "dtw"]
            if (self.folders[0] / f"{name}.{metric}").exists()
        ]
        made = {}
        for job in self.jobs:
            for line in Path(self.done(job)).read_text().splitlines():
                checksum, name = line.split(" ", 1)
                made[name] = checksum
        path = Path(self.settings["tables"], "CHECKSUMS")
        listed = dict(line.split(" ", 1)[::-1] for line in path.read_text().splitlines()) if path.exists() else {}
        for name in names:
            if listed.get(name, made[name]) != made[name]:
                raise Trouble(
                    f"{name}: its checksum is {made[name]}, but {path} lists {listed[name]}: verify it, and if it is "
                    "right take the line away and start the workflow once more"
                )
        # Lines of other tables stay as they are.
        listed.update((name, made[name]) for name in names)
        write_if_changed(path, "".join(f"{checksum} {name}\n" for name, checksum in listed.items()))
        size = sum(self.table(name, metric).stat().st_size for name in self.classes for metric in self.metrics)
        text = f"{len(self.classes)} classes, {len(self.jobs)} jobs, {size:,} bytes\n"
        print(text, end="")
        write(self.state / "complete", text)


def jobs_of(steps, settings):
    """Distributes the classes of a plan to jobs: classes with the same number of pieces, smaller ones first, until a
    job takes `job_seconds` CPU seconds. Existing tables do not matter, so that the next run has the same jobs."""
    jobs, job_of = {}, {}
    for pieces in sorted({step["pieces"] for step in steps}):
        level = sorted((step for step in steps if step["pieces"] == pieces), key=lambda step: step["positions_stored"])
        group = []
        for step in level:
            group.append(step)
            if sum(step["cpu_seconds"] for step in group) >= settings["job_seconds"] or step is level[-1]:
                job = job_from(group, settings)
                jobs[job["name"]] = job
                job_of.update((step["class"], job["name"]) for step in group)
                group = []
    memory = {step["class"]: step["positions_stored"] for step in steps}
    by_class = {step["class"]: step for step in steps}
    for job in jobs.values():
        needed = sorted({other for name in job["classes"] for other in by_class[name]["depends_on"]})
        job["depends_on"] = sorted({job_of[name] for name in needed})
        own = max(memory[name] for name in job["classes"])
        captures = sum(memory[name] for name in needed)
        job["verify_memory"] = with_margin(own * BYTES_A_VALUE + captures * BYTES_A_CAPTURE)
    return jobs


def job_from(steps, settings):
    """Returns a job for some classes. Its name is unique to these classes."""
    classes = [step["class"] for step in steps]
    seconds = sum(step["cpu_seconds"] for step in steps)
    return {
        "name": f"{steps[0]['pieces']}-{classes[0]}-{len(classes)}-{digest(' '.join(classes))}",
        "classes": classes,
        "cpu_seconds": seconds,
        "verify_seconds": sum(step["positions_stored"] for step in steps) / VERIFIED_A_CPU_SECOND,
        "memory": with_margin(max(step["memory"] for step in steps)),
        # The largest number of threads that keeps the job's time above job_seconds.
        "threads": int(min(max(seconds // settings["job_seconds"], 1), settings["threads"])),
    }


def digest(text):
    """Returns a short hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def with_margin(size):
    """Returns the memory to request, in MiB."""
    return int(size * MEMORY_MARGIN / 2**20) + MEMORY_BESIDE


def run(settings, command, *arguments):
    """Runs jungletb on the tables of a run and returns its output."""
    folders = [word for folder in [settings["tables"], *settings["read"]] for word in ("--tables", folder)]
    line = [settings["program"], command, *arguments, "--rules", settings["rules"], *folders]
    try:
        done = subprocess.run(line, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        raise Trouble(f"{settings['program']}: {error.strerror}; build it, or give program=PATH") from None
    if done.returncode != 0:
        raise Trouble(f"jungletb {command} ended with {done.returncode}")
    return done.stdout


def write(path, text):
    """Writes a file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    half.write_text(text)
    half.replace(path)


def write_if_changed(path, text):
    """Writes a file unless it already has these contents."""
    if not path.exists() or path.read_text() != text:
        write(path, text)


def main():
    """Entry point of a job."""
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["generate", "verify", "collect"])
    parser.add_argument("plan")
    parser.add_argument("job", nargs="?")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", type=int)
    given = parser.parse_args()
    fleet = Fleet.load(given.plan)
    if given.command == "generate":
        fleet.generate(given.job, given.threads, given.memory)
    elif given.command == "verify":
        fleet.verify(given.job, given.threads)
    else:
        fleet.collect()


if __name__ == "__main__":
    try:
        main()
    except Trouble as trouble:
        sys.exit(f"fleet: {trouble}")
