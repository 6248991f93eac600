#!/usr/bin/env python3
"""Submits, polls and cancels jobs of the workflow on Kubernetes, for Snakemake's `cluster-generic` executor.

Each job is a Kubernetes Job that runs Snakemake's script in the image $FLEET_IMAGE, with the persistent volume claim
$FLEET_CLAIM mounted at $FLEET_MOUNT. The pod that runs the workflow has the same image and mount, so all paths are the
same. (Snakemake's own Kubernetes executor assumes that machines share no files, and would send every table through an
object store.)
"""

import json
import os
import subprocess
import sys
import uuid


def kubectl(*arguments, given=None):
    done = subprocess.run(["kubectl", *arguments], input=given, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done.stdout


def setting(name):
    value = os.environ.get(name)
    if not value:
        sys.exit(f"kubernetes.py: set ${name}; see scripts/fleet/README.md")
    return value


def manifest(name, script, threads, mem_mb, minutes):
    """The manifest of a job. Its memory is limited to the request; it is not restarted, since Snakemake does that."""
    memory = f"{mem_mb}Mi"
    container = {
        "name": "job",
        "image": setting("FLEET_IMAGE"),
        "command": ["bash", script],
        "workingDir": os.getcwd(),
        "resources": {"requests": {"cpu": threads, "memory": memory}, "limits": {"memory": memory}},
        "volumeMounts": [{"name": "tables", "mountPath": setting("FLEET_MOUNT")}],
    }
    pod = {
        "restartPolicy": "Never",
        "containers": [container],
        "volumes": [{"name": "tables", "persistentVolumeClaim": {"claimName": setting("FLEET_CLAIM")}}],
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": {"app": "jungletb-fleet"}},
        "spec": {
            "backoffLimit": 0,
            "activeDeadlineSeconds": 60 * int(minutes),
            "ttlSecondsAfterFinished": 86400,
            "template": {"metadata": {"labels": {"app": "jungletb-fleet"}}, "spec": pod},
        },
    }


def main():
    match sys.argv[1:]:
        case ["submit", threads, mem_mb, minutes, script]:
            name = f"jungletb-{uuid.uuid4().hex[:12]}"
            kubectl("create", "-f", "-", given=json.dumps(manifest(name, script, threads, mem_mb, minutes)))
            print(name)
        case ["status", name]:
            status = json.loads(kubectl("get", "job", name, "-o", "json")).get("status", {})
            conditions = {c["type"] for c in status.get("conditions", []) if c["status"] == "True"}
            print("success" if "Complete" in conditions else "failed" if "Failed" in conditions else "running")
        case ["cancel", *names] if names:
            kubectl("delete", "job", "--wait=false", *names)
        case _:
            sys.exit("usage: kubernetes.py submit THREADS MEM_MB MINUTES SCRIPT | status NAME | cancel NAME…")


if __name__ == "__main__":
    main()
