#!/usr/bin/env python3
"""Prints what jobs may use of this machine: the number of processors, and 80 % of the memory in MiB.

Both are limited by the machine, by the limits of this process, and by the control groups around it, nested ones
included, as `generate` itself limits its memory.
"""

import os
import re
import resource
import sys
from pathlib import Path


def machine(root=Path("/")):
    """The processors and the bytes of memory that this process may use; `root` is the folder with proc and sys."""
    info = re.search(r"^MemTotal:\s*(\d+) kB", read(root / "proc/meminfo"), re.MULTILINE)
    memory = [int(info[1]) * 1024] if info else []
    processors = [float(len(os.sched_getaffinity(0)))]
    for kind in resource.RLIMIT_AS, resource.RLIMIT_DATA:
        soft, _ = resource.getrlimit(kind)
        memory += [soft] if soft != resource.RLIM_INFINITY else []
    for folder, unified in groups(root):
        for name in ["memory.max", "memory.high"] if unified else ["memory.limit_in_bytes"]:
            text = read(folder / name).strip()
            memory += [int(text)] if text.isdigit() else []
        names = ["cpu.max"] if unified else ["cpu.cfs_quota_us", "cpu.cfs_period_us"]
        quota = " ".join(read(folder / name) for name in names).split()
        if len(quota) == 2 and quota[0].isdigit():
            processors.append(int(quota[0]) / int(quota[1]))
    return max(int(min(processors)), 1), min(memory, default=None)


def groups(root):
    """The folders of this process's control groups and of those around them, and whether they are of version 2."""
    own = [line.split(":", 2) for line in read(root / "proc/self/cgroup").splitlines()]
    for line in read(root / "proc/self/mountinfo").splitlines():
        mount, _, kind = (part.split(" ") for part in line.partition(" - "))
        unified = kind[0] == "cgroup2"
        options = set(kind[2].split(",")) & {"memory", "cpu"} if kind[0] == "cgroup" else set()
        for number, controllers, path in own:
            if (unified and number == "0" and not controllers) or options & set(controllers.split(",")):
                above, at = (re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), text) for text in mount[3:5])
                # A group outside the mount is treated as the group at the mount point, as its namespace shows it.
                below = os.path.relpath(path, above)
                parts = [] if below.startswith("..") or ".." in path else Path(below).parts
                for depth in range(len(parts) + 1):
                    yield Path(root, at.lstrip("/"), *parts[:depth]), unified


def read(path):
    """The text of a file, empty if it cannot be read."""
    try:
        return path.read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    processors, memory = machine()
    if memory is None:
        sys.exit("fleet: the memory of this machine is unknown; give --resources mem_mb=N")
    print(processors, int(memory * 0.8) // 2**20)
