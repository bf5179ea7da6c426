"""For tests that compare reports of two runs."""

import copy


def without_times(report):
    """A copy of the report without how long anything took."""
    report = copy.deepcopy(report)
    report["run"].pop("launch_s", None)
    for case in report["cases"]:
        del case["wall_s"]
        case.pop("phases_s", None)
    return report
