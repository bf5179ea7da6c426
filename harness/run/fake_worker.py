#!/usr/bin/env -S python3 -IS
"""Stands in for vparity-worker in tests of runs.

FAKE_CASES says what becomes of the cases of vocab 8, 9, ...; the last word holds for all further ones:
pass fail untrusted error hang crash pass_then_crash pass_then_hang interrupt (its parent, then hang) garbage foreign
FAKE_START says how the job begins: ready refuse fail fail_once stillborn (dies before its first case)
"""

import json
import os
import pathlib
import signal
import sys
import time


def send(**event):
    print(json.dumps(event), flush=True)


def output(name, error_ratio, worst=None):
    return {
        "name": name, "elements": 4, "checked": 4, "mismatches": 1 if worst else 0, "nonfinite": 0,
        "max_abs": 0.5, "max_rel": 0.5, "max_ulp": 3, "rms": 0.25, "error_ratio": error_ratio, "nontrivial": 4, "naive": {"max_abs": 2, "error_ratio": 2.5},
        "bound": {"k": 9, "C": 2}, "worst": worst,
    }


def outcome(status, reason, outputs):
    return {
        "measure": "parity", "status": status, "reason": reason, "phase": "done", "wall_s": 0, "outputs": outputs,
        "occurrence": {"rows": 2}, "invariants": [], "rank_agreement": True, "inputs_unchanged": True,
    }


def verdict(case, status, code=None, outputs=()):
    reason = {"code": code, "text": f"it was {code}"} if code else None
    send(event="result", id=case["id"], outcome=outcome(status, reason, list(outputs)))


def run(case, behaviour):
    send(event="case", id=case["id"])
    send(event="phase", id=case["id"], phase="forward")
    if behaviour.startswith("pass"):
        verdict(case, "passed", outputs=[output("loss", 0.25)])
    elif behaviour == "fail":
        worst = {"row": 1, "column": 5, "rank": 0, "expected": -1.5, "actual": "NaN"}
        verdict(case, "failed", "outside_bound", [output("loss", 2, worst), output("grad_logits", "Infinity", worst)])
    elif behaviour == "untrusted":
        verdict(case, "untrusted", "pattern_absent")
    elif behaviour == "error":
        verdict(case, "error", "exception")
    elif behaviour == "crash":
        print("the ranks' last words \xff", file=sys.stderr, flush=True)
        die()
    elif behaviour == "garbage":
        send(event="result", id=case["id"], outcome={"measure": 3})
    elif behaviour == "foreign":
        verdict(dict(case, id="ffffffffffff"), "passed")
    else:
        if behaviour == "interrupt":
            os.kill(os.getppid(), signal.SIGINT)
        time.sleep(100)
    if behaviour == "pass_then_crash":
        die()
    if behaviour == "pass_then_hang":
        time.sleep(100)


def die():
    os.kill(os.getpid(), signal.SIGSEGV)


def first_time(job_file):
    mark = pathlib.Path(job_file + ".tried")
    first = not mark.exists()
    mark.touch()
    return first


def main(arguments):
    job_file = arguments[arguments.index("--plan") + 1]
    with open(job_file, encoding="utf-8") as file:
        job = json.load(file)
    start = os.environ.get("FAKE_START", "ready")
    if start == "refuse":
        send(event="refused", message="tp is not for me")
        return 2
    if start == "fail" or start == "fail_once" and first_time(job_file):
        print("no such network", file=sys.stderr)
        return 9
    host = {"name": "h", "cpu": "c", "cores": 2, "memory_bytes": 1, "gpus": [], "environment": {}, "simd": "AVX2"}
    send(event="ready", world=job["world"], host=host, mpi="Fake MPI 1")
    if start == "stillborn":
        die()
    behaviours = os.environ["FAKE_CASES"].split()
    for case in job["cases"]:
        run(case, behaviours[min(case["parameters"]["vocab"] - 8, len(behaviours) - 1)])
    send(event="done")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
