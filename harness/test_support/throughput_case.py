"""Throughput reports for tests: valid by the schema, and their times are up to the test."""
import copy
import json
import pathlib

import report_builder


def timed(vocab, seconds, **members):
    """A throughput case whose median is `seconds`."""
    case = report_builder.case("passed", f",dp=1,tp=2,vocab={vocab},")
    for member in ("occurrence", "invariants", "rank_agreement", "inputs_unchanged"):
        del case[member]
    case.update(op="forward", variant="fast", samples_s=[seconds, 2 * seconds, seconds / 2], warmup=2, iterations=3, median_s=seconds,
                median_interval_s=[seconds, seconds], p05_s=seconds, p95_s=seconds, rank_skew_s=0, tokens_per_s=1, read_gbps=1,
                copy_gbps=1, bytes_per_rank=1, gb_per_s=1, floor_s=1, share_of_floor=1, own_floor_s=1, collectives=1,
                bytes_per_token=24, extra_memory_bytes=0, speedup={}, predicted_speedup={}, oversubscribed=False,
                cache_resident=False)
    case.update(members)
    return case


def write_run(directory, name, cases, **members):
    """The directory of a run of this id."""
    document = report_builder.report(copy.deepcopy(list(cases)), **members)
    document.update(schema="vparity.throughput/1", machine=None)
    document["run"]["id"] = name
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "throughput.json").write_text(json.dumps(document), encoding="utf-8")
    return directory
