"""Reports for tests: valid by the schema, and what they say is up to the test."""

import copy
import hashlib
import json
import pathlib

OUTPUT = {
    "name": "grad_logits", "elements": 64, "checked": 64, "mismatches": 3, "nonfinite": 0, "max_abs": 0.25, "max_rel": 0.5,
    "max_ulp": 7, "rms": 0.125, "error_ratio": 12.5, "nontrivial": 60, "naive": {"max_abs": 2, "error_ratio": 99.5}, "bound": {"k": 9, "C": 2},
    "worst": {"row": 2, "column": 5, "rank": 1, "expected": 0.5, "actual": 0.75},
}


def id_of(key):
    return hashlib.sha256(key.encode()).hexdigest()[:12]


def case(status, key=",dp=1,dtype=bf16,tp=2,", **members):
    reason = None if status == "passed" else {"code": f"code_of_{status}", "text": f"why it is {status}"}
    output = copy.deepcopy(OUTPUT)
    if status != "failed":
        output.update(mismatches=0, error_ratio=0.25)
    return {
        "id": id_of(key), "key": key, "params": {"tp": 2}, "status": status,
        "reason": reason, "phase": "done", "attempts": 1, "wall_s": 0.5, "repeat": f"vparity run 'a b.json' --case {status}",
        "outputs": [output] if status in ("passed", "failed", "untrusted") else [], "occurrence": {"rows": 64},
        "invariants": [], "rank_agreement": True, "inputs_unchanged": True, **members,
    }


STATUSES = ("passed", "failed", "untrusted", "error", "timeout", "crashed", "skipped", "not_run")


def summary(cases):
    counts = {status: sum(case["status"] == status for case in cases) for status in STATUSES}
    error_ratios = [(output["error_ratio"], case["id"], output["name"]) for case in cases for output in case["outputs"]]
    largest = max(error_ratio for error_ratio, _, _ in error_ratios) if error_ratios else None
    worst = next(({"case": id, "output": name, "error_ratio": error_ratio} for error_ratio, id, name in error_ratios if error_ratio == largest), None)
    known = sum("known_failure" in case for case in cases)
    return {"planned": len(cases), **counts, "dropped": 0, "known_failures": known, "worst": worst}


def report(cases, **members):
    return {
        "schema": "vparity.parity/1",
        "run": {
            "id": "example-1", "matrix": "example", "started": "2026-09-16T08:05:03Z", "finished": "2026-09-16T08:06:00Z",
            "argv": ["vparity", "run", "a b.json"], "seed": 7, "shard": {"index": 1, "count": 1}, "complete": True,
        },
        "provenance": {
            "version": "0.1.0", "git": {"revision": "0" * 40, "dirty": False},
            "build": {"type": "Release", "compiler": "GNU 12", "flags": "-O3"}, "libraries": {"mpi": "Open MPI 4"},
            "simd": "AVX2",
        },
        "hosts": [{"name": "h", "cpu": "c", "cores": 2, "memory_bytes": 1, "gpus": [], "environment": {}}],
        "fingerprint": "0123456789abcdef", "summary": summary(cases), "cases": cases, **members,
    }


def one_of_each():
    """A case of each status, one of them a known failure."""
    cases = [case(status, f",dp=1,dtype=bf16,tp=2,vocab={vocab},") for vocab, status in enumerate(STATUSES, 1000)]
    cases.append(case("crashed", ",dp=2,dtype=bf16,tp=2,vocab=999,", known_failure="*,dp=2,*"))
    known = {"reason": "rounding", "owner": "ann", "issue": "https://example.org/7"}
    entries = [{"match": "*,dp=2,*", **known, "expiry": "2026-12-31", "cases": 1, "state": "known"},
               {"match": "*,dp=3,*", **known, "expiry": "2026-01-31", "cases": 0, "state": "expired"}]
    return report(cases, known_failures=entries)


def write(directory, document):
    """As a run leaves it; `document` may be text."""
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    text = document if isinstance(document, str) else json.dumps(document)
    (directory / "parity.json").write_text(text, encoding="utf-8")
    return directory
