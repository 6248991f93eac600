"""Tests of the workflow's modules and of its commands for queues."""

import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import jobs
import machine
from attempts import Attempt, request
from settings import Trouble, settings_from

HERE = Path(__file__).parent
GIB = 2**30


class Settings(unittest.TestCase):
    def test_bad_settings_give_one_line(self):
        for words, phrase in {
            "pieces=3 metric=x": "dtw or wdl",
            "pieces=3 nonsense=1": "unknown setting nonsense",
            "pieces=3 materials=EvL": "either",
            "rules=leiden": "either",
            "pieces=3 threads=0": "above 0",
            "pieces=3 job_seconds=long": "give a number",
            "pieces=3 max_memory=16": "as in 16G",
            "pieces=3 max_memory=0G": "as in 16G",
            "pieces=3 max_minutes=-1": "above 0",
        }.items():
            with self.subTest(words), self.assertRaisesRegex(Trouble, phrase):
                settings_from(dict(word.split("=") for word in words.split()))

    def test_sizes(self):
        for text, expected in {"16G": 16384, "1.5GiB": 1536, "700mb": 700, "": None}.items():
            self.assertEqual(settings_from({"pieces": 3, "max_memory": text})["max_memory"], expected)


class Jobs(unittest.TestCase):
    def steps(self, sizes):
        return [
            {"class": name, "pieces": 2, "positions_stored": 10, "cpu_seconds": 100, "depends_on": []}
            | {"memory": size, "memory_least": size // 2}
            for name, size in sizes.items()
        ]

    def test_jungletb_may_use_what_the_plan_counts(self):
        for size in 1, 32 * 2**20 + 1, 33 * 2**20 - 1, 10 * GIB + 12345:
            self.assertGreaterEqual(jobs.without_margin(jobs.with_margin(size)), size)
            self.assertLess(jobs.without_margin(jobs.with_margin(size)), size + 2 * 2**20)

    def test_a_limit_below_the_need_is_an_error(self):
        steps = self.steps({"A": 4 * GIB, "B": 8 * GIB})
        given = {"pieces": 2, "max_memory": "5G"}
        limited = jobs.jobs_of(steps, settings_from(given))
        self.assertEqual({job["least"] for job in limited.values()}, {jobs.with_margin(size * GIB) for size in (2, 4)})
        with self.assertRaisesRegex(Trouble, "needs at least"):
            jobs.jobs_of(steps, settings_from(given | {"max_memory": "4G"}))


class Attempts(unittest.TestCase):
    """What the next attempt requests."""

    PLANNED = {"memory": 1000, "minutes": 100}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path, self.causes = self.folder / "attempts" / "job.json", self.folder / "causes"

    def wanted(self, memory=10**6, minutes=10**6):
        found = request(self.path, self.causes, self.PLANNED, {"memory": memory, "minutes": minutes})
        return found["memory"], found["minutes"]

    def leave(self, alive=10, used=0, **more):
        """The record of an attempt that was killed after some seconds."""
        record = {"memory": 1000, "minutes": 100, "begun": 0, "seen": alive, "used": used, "ticket": "t"} | more
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(json.dumps(record))

    def fail(self, **trouble):
        memory, minutes = self.wanted()
        with self.assertRaises(Trouble), Attempt(self.path, memory, minutes):
            raise Trouble("failed", **trouble)

    def test_more_of_what_was_short(self):
        self.assertEqual(self.wanted(), (1000, 100))
        self.leave()
        self.assertEqual(self.wanted(), (1000, 100), "pre-empted: the same")
        self.leave(alive=95 * 60)
        self.assertEqual(self.wanted(), (1000, 200), "out of time: more time")
        self.leave(used=950)
        self.assertEqual(self.wanted(), (2000, 100), "out of memory, as measured: more memory")

    def test_the_queue_knows_best(self):
        self.causes.mkdir()
        for word, expected in {"memory": (2000, 100), "time": (1000, 200), "lost": (1000, 100)}.items():
            self.leave(used=950)
            (self.causes / "t").write_text(word)
            self.assertEqual(self.wanted(), expected, word)

    def test_what_jungletb_says(self):
        self.fail(cause="memory")
        self.assertEqual(self.wanted(), (2000, 100))
        self.fail(cause="memory")
        self.assertEqual(self.wanted(), (4000, 100))
        self.fail(cause="memory", needs=5000)
        self.assertEqual(self.wanted(), (5000, 100), "exactly the need, if it is known")
        self.fail()
        self.assertEqual(self.wanted(), (5000, 100), "another error: the same")
        with Attempt(self.path, 5000, 100):
            pass
        self.assertEqual(self.wanted(), (1000, 100), "success: the plan again")

    def test_limits(self):
        self.leave(memory=1500, cause="memory")
        self.assertEqual(self.wanted(memory=1600), (1600, 100))
        self.leave(alive=10**6)
        self.assertEqual(self.wanted(minutes=150), (1000, 150))
        self.path.unlink()
        self.assertEqual(self.wanted(memory=800), (800, 100), "jungletb then keeps its bit planes in files")

    def test_a_damaged_record_is_none(self):
        self.leave()
        self.path.write_text("{")
        self.assertEqual(self.wanted(), (1000, 100))


class Machine(unittest.TestCase):
    V2 = "31 23 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
    V1 = (
        "30 25 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        "33 25 0:29 /docker/77 /my\\040groups/memory rw - cgroup cgroup rw,memory\n"
    )

    def machine(self, mounts, own, files):
        with tempfile.TemporaryDirectory() as root:
            texts = {"proc/self/mountinfo": mounts, "proc/self/cgroup": own, "proc/meminfo": "MemTotal: 8388608 kB\n"}
            for path, text in (texts | files).items():
                path = Path(root, path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return machine.machine(Path(root))

    def test_the_least_limit_of_nested_groups(self):
        all_of_them = len(os.sched_getaffinity(0))
        self.assertEqual(self.machine("", "", {}), (all_of_them, 8 * GIB))
        group = "sys/fs/cgroup/user.slice"
        files = {f"{group}/memory.max": f"{2 * GIB}\n", f"{group}/run.scope/memory.max": "max\n"}
        files |= {f"{group}/cpu.max": "100000 100000\n", f"{group}/run.scope/cpu.max": "max 100000\n"}
        files |= {f"{group}/other/memory.max": "1\n"}
        self.assertEqual(self.machine(self.V2, "0::/user.slice/run.scope\n", files), (1, 2 * GIB))
        self.assertEqual(self.machine(self.V2, "0::/../pod\n", {"sys/fs/cgroup/memory.high": f"{GIB}"})[1], GIB)

    def test_the_first_version_of_groups(self):
        files = {"my groups/memory/a/memory.limit_in_bytes": f"{2**63 - 4096}"}
        files |= {"my groups/memory/memory.limit_in_bytes": f"{GIB}"}
        files |= {"sys/fs/cgroup/cpu/b/cpu.cfs_quota_us": "150000", "sys/fs/cgroup/cpu/b/cpu.cfs_period_us": "100000"}
        self.assertEqual(self.machine(self.V1, "4:memory:/docker/77/a\n3:cpu:/b\n", files), (1, GIB))


class Commands(unittest.TestCase):
    """fleet-queue and fleet-kubernetes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = os.environ | {"PATH": f"{HERE}/test-data:{HERE}/queues:{os.environ['PATH']}"}
        self.environment |= {"QUEUE": str(self.folder), "FLEET_WAIT": "0", "FLEET_GRACE": "0.5"}

    def run_line(self, *line, good=True):
        done = subprocess.run(line, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode == 0, good, done.stderr)
        return done.stdout.strip()

    def script(self, text):
        path = self.folder / "it's a script"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    def test_the_end_of_a_job_is_noted(self):
        submit = self.script('"$1" > output 2>&1; echo "job 7"')
        for text, expected in {"exit 0": "success", "exit 3": "failed"}.items():
            Path(self.folder, "work").write_text(text)
            self.assertEqual(self.run_line("fleet-queue", "submit", submit, "work"), "job 7")
            self.assertEqual(self.run_line("fleet-queue", "status", "false", "job 7"), expected)
            self.assertEqual(list(Path(self.folder, "ends").iterdir()), [])

    def test_a_job_that_vanished_has_failed(self):
        # A queue that takes jobs and loses them; `echo` knows every job, `true` prints nothing.
        self.run_line("fleet-queue", "submit", self.script("echo 7"), "work")
        status = lambda *queue: self.run_line("fleet-queue", "status", *queue, "7")
        self.assertEqual([status("echo"), status("false"), status("echo"), status("true")], ["running"] * 4)
        time.sleep(0.6)
        self.assertEqual([status("echo"), status("false")], ["running"] * 2)
        time.sleep(0.6)
        self.assertEqual([status("true"), status("echo")], ["failed"] * 2)

    def test_a_failed_submission_fails(self):
        self.run_line("fleet-queue", "submit", "false", "work", good=False)

    def test_why_a_pod_failed(self):
        for why, pod in {
            "memory": {"containerStatuses": [{"state": {"terminated": {"reason": "OOMKilled"}}}]},
            "time": {"reason": "DeadlineExceeded"},
            "lost": {"conditions": [{"type": "DisruptionTarget", "status": "True"}]},
            None: {"containerStatuses": [{"state": {"terminated": {"reason": "Error"}}}]},
        }.items():
            failed = {"status": {"conditions": [{"type": "Failed", "status": "True"}]}}
            Path(self.folder, "a.status").write_text(json.dumps(failed))
            Path(self.folder, "a.pods").write_text(json.dumps({"items": [{"status": pod}]}))
            self.assertEqual(self.run_line("fleet-kubernetes", "status", "a"), "failed")
            word = Path(self.folder, "causes", "a")
            self.assertEqual(word.read_text() if word.exists() else None, why)
            word.unlink(missing_ok=True)

    def test_a_pod_that_vanished_has_failed(self):
        self.assertEqual(self.run_line("fleet-kubernetes", "status", "gone"), "failed")
        Path(self.folder, "down").touch()
        self.run_line("fleet-kubernetes", "status", "gone", good=False)

    def test_jobs_are_cancelled(self):
        self.run_line("fleet-kubernetes-cancel", "a", "b")
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.cancelled")), ["a.cancelled", "b.cancelled"])


if __name__ == "__main__":
    unittest.main()
