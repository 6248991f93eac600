"""The jobs of a plan: which classes share one, and what each takes."""

import math

from settings import Trouble, digest

VERIFIED_A_CPU_SECOND = 69e6  # measured on EPRvLW, 290 million positions in 4.2 CPU seconds
BYTES_A_VALUE = 0.5  # bytes in memory per value of a table that is verified: the slabs that one move leads to
BYTES_A_CAPTURE = 1  # bytes in memory per value of a table that its captures lead to
VERIFY_OVERHEAD = 48 * 2**20  # bytes beside the values
MEMORY_MARGIN = 1.1
MEMORY_BESIDE = 256  # MiB for Snakemake's own process in the job


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
    positions = {step["class"]: step["positions_stored"] for step in steps}
    by_class = {step["class"]: step for step in steps}
    for job in jobs.values():
        needed = sorted({other for name in job["classes"] for other in by_class[name]["depends_on"]})
        job["depends_on"] = sorted({job_of[name] for name in needed})
        own = max(positions[name] for name in job["classes"])
        captures = sum(positions[name] for name in needed)
        job["verify"]["memory"] = with_margin(VERIFY_OVERHEAD + own * BYTES_A_VALUE + captures * BYTES_A_CAPTURE)
    check_limit(jobs, settings)
    return jobs


def job_from(steps, settings):
    """Returns a job for some classes. Its name is unique to these classes."""
    classes = [step["class"] for step in steps]
    seconds = sum(step["cpu_seconds"] for step in steps)
    # The largest number of threads that keeps the job's time above job_seconds.
    threads = int(min(max(seconds // settings["job_seconds"], 1), settings["threads"]))
    verify_seconds = sum(step["positions_stored"] for step in steps) / VERIFIED_A_CPU_SECOND
    return {
        "name": f"{steps[0]['pieces']}-{classes[0]}-{len(classes)}-{digest(' '.join(classes))}",
        "classes": classes,
        "threads": threads,
        "generate": {
            "memory": with_margin(max(step["memory"] for step in steps)),
            "minutes": minutes(seconds, threads),
        },
        "verify": {"minutes": minutes(verify_seconds, threads)},
        # MiB that suffice if the bit planes are in scratch files.
        "least": with_margin(max(step["memory_least"] for step in steps)),
    }


def check_limit(jobs, settings):
    """Raises an error if `max_memory` is less than a job needs."""
    limit = settings["max_memory"]
    job = max(jobs.values(), key=lambda job: job["least"])
    if limit is not None and limit < job["least"]:
        raise Trouble(f"max_memory={limit}M: {job['name']} needs at least {job['least']} MiB")


def minutes(cpu_seconds, threads):
    """Returns the time to request. Estimates come from one machine; others may be slower, and file systems busy."""
    return int(10 + 4 * cpu_seconds / threads / 60)


def with_margin(size):
    """Returns the memory to request, in MiB, for a program that needs `size` bytes."""
    return math.ceil(size * MEMORY_MARGIN / 2**20) + MEMORY_BESIDE


def without_margin(requested):
    """Returns the bytes that jungletb may use, of the MiB that a job requested."""
    return math.ceil((requested - MEMORY_BESIDE) * 2**20 / MEMORY_MARGIN)
