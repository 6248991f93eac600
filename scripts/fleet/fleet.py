"""The state of the workflow: which tables are up to date, which jobs must run; and the work of each job.

The state follows from the tables. For each class that a job has generated or found valid, `made/CLASS.json` records the
checksums of its tables and of those they were generated from. A class is out of date if one of its tables is missing or
differs from the record, or if a table that it depends on has changed since. `done/JOB` marks a job whose classes are up
to date; at the start of a run it is deleted for each job with a class out of date, so that Snakemake runs the job.
"""

import argparse
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

from attempts import Attempt, request
from files import write, write_if_changed
from jobs import jobs_of, with_margin, without_margin
from settings import Trouble, settings_from

CHECKSUM_AT = 1016  # FORMAT.md: the last eight bytes of the header identify the whole file
MAGIC = b"\x8bJTB\r\n\x1a\n"
OUT_OF_MEMORY = re.compile(r"not enough memory|needs (?:at least )?(\d+) MiB, but")
LIMIT_OF_PLAN = 2  # without `max_memory`, a retry requests at most this many times the largest job of the plan


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
        # The jobs that must run, with their kind; known in the main process only.
        self.pending = set()

    @classmethod
    def begin(cls, config):
        """Plans a run. Called once, before Snakemake decides what to do."""
        settings = settings_from(config)
        plan = json.loads(run(settings, "plan", *settings["targets"], "--metric", settings["metric"], "--json"))
        classes = {step["class"]: step for step in plan["each"]}
        fleet = cls(settings, plan["rules"], classes, jobs_of(plan["each"], settings))
        kept = ["depends_on"]
        slim = {name: {key: step[key] for key in kept} for name, step in classes.items()}
        whole = {"settings": settings, "rules": plan["rules"], "classes": slim, "jobs": fleet.jobs}
        write_if_changed(Path(settings["plan"]), json.dumps(whole))
        fleet.find_pending()
        return fleet

    @classmethod
    def load(cls, plan):
        """Loads the run that `begin` planned. Called by jobs."""
        whole = json.loads(Path(plan).read_text())
        return cls(whole["settings"], whole["rules"], whole["classes"], whole["jobs"])

    def done(self, job, kind="generate"):
        """The file that marks a job as done, or its tables as proven."""
        return str(self.state / {"generate": "done", "verify": "verified"}[kind] / job)

    def before(self, job, kind):
        """The files that must exist before a job of the main process can run. A job that does not run has none: what it
        depends on may run again without it."""
        if (kind, job) not in self.pending:
            return []
        others = [*self.jobs[job]["depends_on"], *([job] if kind == "verify" else [])]
        return [self.done(other) for other in others if ("generate", other) in self.pending]

    def request(self, job, kind="generate"):
        """The memory in MiB and the minutes that the next attempt of a job requests."""
        largest = max(other[kind]["memory"] for other in self.jobs.values())
        limits = {
            "memory": self.settings["max_memory"] or LIMIT_OF_PLAN * largest,
            "minutes": self.settings["max_minutes"],
        }
        return request(self.attempt(job, kind), self.state / "causes", self.jobs[job][kind], limits)

    def attempt(self, job, kind):
        """The record of the last attempt of a job."""
        return self.state / "attempts" / f"{job}.{kind}.json"

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
        verified = (job for job in self.jobs if Path(self.done(job, "verify")).exists())
        return [job for job in verified if any(map(self.unproven, self.jobs[job]["classes"]))]

    def find_pending(self):
        """Finds the jobs that must run; they are then no longer marked as done."""
        (self.state / "again").unlink(missing_ok=True)
        self.read = {}
        for job, reasons in self.all_outdated().items():
            more = f" and {len(reasons) - 1} more" if len(reasons) > 1 else ""
            print(f"{job}: {reasons[0]}{more}", file=sys.stderr)
            Path(self.done(job)).unlink()
        for job in self.all_unproven():
            print(f"{job}: its tables have changed since they were verified", file=sys.stderr)
            Path(self.done(job, "verify")).unlink()
        kinds = ["generate", "verify"] if self.settings["verify"] == "positions" else ["generate"]
        self.pending = {(kind, job) for kind in kinds for job in self.jobs if not Path(self.done(job, kind)).exists()}
        if self.pending or not Path(self.settings["tables"], "CHECKSUMS").exists():
            (self.state / "complete").unlink(missing_ok=True)

    # Work of the jobs.

    def generate(self, job, threads, attempt):
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
        targets = [*names, "--only", "--metric", self.settings["metric"], "--json", "-q"]
        print(run(self.settings, "generate", *targets, *limits(threads, attempt), attempt=attempt).strip(), flush=True)
        lines = run(self.settings, "list", "--checksums", *names)
        for name in names:
            before, tables = self.record(name), self.checksums(name)
            if before and before["tables"] != tables:
                print(f"{name}: other bytes than before")
            write_if_changed(
                self.state / "made" / f"{name}.json", json.dumps({"tables": tables, "from": self.dependencies(name)})
            )
        write(Path(self.done(job)), lines)

    def verify(self, job, threads, attempt):
        """Proves those of a job's classes that are not proven yet."""
        names = self.jobs[job]["classes"]
        unproven = [name for name in names if self.unproven(name)]
        if unproven:
            print(run(self.settings, "verify", *unproven, "-q", *limits(threads, attempt), attempt=attempt), flush=True)
        for name in unproven:
            write(self.state / "proven" / f"{name}.json", json.dumps(self.checksums(name)))
        write(Path(self.done(job, "verify")), "\n".join(names) + "\n")

    def collect(self):
        """Writes the checksums of the generated tables to `CHECKSUMS` beside them."""
        self.read = {}
        changed = self.all_outdated()
        proofs = self.all_unproven() if self.settings["verify"] == "positions" else []
        if changed or proofs:
            write(self.state / "again", "\n".join([*changed, *proofs]) + "\n")
            text = f"{len(changed)} jobs to run again, {len(proofs)} to verify again: other tables have changed\n"
            print(text, end="")
            return write(self.state / "complete", text)
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


def limits(threads, attempt):
    """The options that limit jungletb to what an attempt was given."""
    return ["--threads", str(threads), "--memory", str(without_margin(attempt.record["memory"]))]


def run(settings, command, *arguments, attempt=None):
    """Runs jungletb on the tables of a run and returns its output."""
    folders = [word for folder in [settings["tables"], *settings["read"]] for word in ("--tables", folder)]
    line = [settings["program"], command, *arguments, "--rules", settings["rules"], *folders]
    try:
        process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise Trouble(f"{settings['program']}: {error.strerror}; build it, or give program=PATH") from None
    if attempt:
        attempt.process = process.pid
    output, errors = process.communicate()
    sys.stderr.write(errors)
    if process.returncode == 0:
        return output
    if process.returncode == -signal.SIGKILL:
        raise Trouble(f"jungletb {command} was killed, probably for its memory", "memory")
    found = OUT_OF_MEMORY.search(errors)
    if found:
        needs = with_margin(int(found[1]) * 2**20) if found[1] else None
        raise Trouble(f"jungletb {command} ended for lack of memory", "memory", needs)
    raise Trouble(f"jungletb {command} ended with {process.returncode}")


def main():
    """Entry point of a job."""
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["generate", "verify", "collect"])
    parser.add_argument("plan")
    parser.add_argument("job", nargs="?")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--memory", type=int)
    parser.add_argument("--minutes", type=int)
    given = parser.parse_args()
    fleet = Fleet.load(given.plan)
    if given.command == "collect":
        fleet.collect()
        return
    with Attempt(fleet.attempt(given.job, given.command), given.memory, given.minutes) as attempt:
        work = fleet.generate if given.command == "generate" else fleet.verify
        work(given.job, given.threads, attempt)


if __name__ == "__main__":
    try:
        main()
    except Trouble as trouble:
        sys.exit(f"fleet: {trouble}")
