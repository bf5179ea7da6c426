"""Problems whose results are known by hand. Each is a published bug of some vocab-parallel implementation; the
closed forms stand beside the values. p = softmax, H = entropy, loss = -log p(label), natural logarithms."""
import math
from dataclasses import dataclass, field

LN2 = math.log(2)
INF, NAN = math.inf, math.nan


@dataclass
class Case:
    """logits by row; expected: flat values by output; upstream: by row, none: 1 for the loss."""

    name: str
    logits: list
    labels: list
    expected: dict
    dtype: str = "F32"
    upstream: dict = field(default_factory=dict)
    options: list = field(default_factory=list)
    results: dict = field(default_factory=dict)  # of the JSON object

    def kind(self):
        """Cases of one kind fit into one file."""
        return self.dtype, len(self.logits[0]), tuple(self.options)

    def upstream_of(self, name):
        ones = not self.upstream and name == "grad_loss"
        return self.upstream.get(name, [float(ones)] * len(self.labels))


def one_hot_gradient(probabilities, label):
    return [p - (v == label) for v, p in enumerate(probabilities)]


def large_offset():
    """pytorch/pytorch#38839: max + log(sum) rounded before the subtraction leaves integers."""
    entropy = 0.8323955818399389
    for offset in (1e7, -1e7):
        yield Case(
            f"common offset {offset:g}",
            [[offset, offset + 1, offset + 2]] * 3,
            [0, 1, 2],
            {"logprob": [-2.4076059644443804, -1.4076059644443804, -0.4076059644443803], "entropy": [entropy] * 3},
        )
    yield Case(
        "bf16 logits 256, 258, 260",
        [[256.0, 258.0, 260.0]],
        [2],
        {"logprob": [-0.1429316284998995], "entropy": [0.4410574440581633]},
        dtype="BF16",
    )


def nan_on_one_shard():
    """ml-explore/mlx#4072: a maximum built on an ordered comparison loses NaN, depending on which shard holds it."""
    poisoned = [NAN] * 4
    yield Case(
        "NaN in some rows",
        [[NAN, -INF, 0.0, 0.0], [0.0, 0.0, NAN, -INF], [NAN, -INF, -INF, -INF], [0.0] * 4],
        [2] * 4,
        {
            "loss": [NAN, NAN, NAN, 2 * LN2],
            "logprob": [NAN, NAN, NAN, -2 * LN2],
            "entropy": [NAN, NAN, NAN, 2 * LN2],
            "grad_logits": poisoned * 3 + [0.25, 0.25, -0.75, 0.25],
        },
    )


def masked_target():
    """google/benchmark#784: infinities must come out as JSON; the gradient of a masked target is finite."""
    yield Case(
        "target at -inf",
        [[0.0, -INF]],
        [1],
        {"loss": [INF], "logprob": [-INF], "entropy": [0.0], "grad_logits": [1.0, -1.0]},
        results={"loss_sum": "Infinity"},
    )


def upstream_per_token():
    """NVIDIA/TransformerEngine#2139: only the first element of the upstream gradient was used."""
    yield Case(
        "one weight per row",
        [[0.0, 0.0]] * 4,
        [0, 1, 0, 1],
        {"grad_logits": [0.0, 0.0, 0.5, -0.5, 1.0, -1.0, 0.25, -0.25]},
        upstream={"grad_loss": [0.0, 1.0, -2.0, 0.5]},
    )


def accumulation():
    """google-deepmind/optax#1020: sums kept in the storage type saturate."""
    columns = 65536
    for dtype in ("BF16", "F16", "F32"):
        yield Case(
            f"uniform over 65536 columns, {dtype}",
            [[0.0] * columns],
            [columns - 1],
            {
                "loss": [16 * LN2],
                "entropy": [16 * LN2],
                "grad_logits": [2.0**-16] * (columns - 1) + [-(1 - 2.0**-16)],
            },
            dtype=dtype,
            options=["--grad-dtype", "fp32"],
        )


def softcap_padding():
    """unslothai/unsloth#10616: lanes beyond the row pass through the softcap and join the sum as -c."""
    columns, label = 10, 9
    for value, gradient in ((-100.0, [0.0] * columns), (0.0, one_hot_gradient([0.1] * columns, label))):
        yield Case(
            f"softcap 1 on logits {value:g}",
            [[value] * columns],
            [label],
            {"loss": [math.log(columns)], "entropy": [math.log(columns)], "grad_logits": gradient},
            options=["--softcap", "1"],
        )


def ignore_index():
    """PaddlePaddle/Paddle#52835: the ignored label is a global one, and any value."""
    for ignored in (5, -1):
        gradient = [0.0] * 8
        for label in (1, 0, 4):
            gradient += [g / 3 for g in one_hot_gradient([1 / 8] * 8, label)]
        yield Case(
            f"ignored label {ignored}",
            [[0.0] * 8] * 4,
            [ignored, 1, 0, 4],
            {"loss": [0.0] + [3 * LN2] * 3, "entropy": [3 * LN2] * 4, "grad_logits": gradient},
            options=["--ignore-index", str(ignored), "--reduction", "mean"],
            results={"valid_tokens": 3, "loss_mean": 3 * LN2},
        )


PEAKED = [0.0, 0.0, LN2, 2 * LN2]  # p = 1/8, 1/8, 1/4, 1/2; H = 1.75 ln 2


def entropy_gradient():
    """huggingface/trl#6625: a backward that ignores what arrives for the entropy. dH/dx_v = -p_v (log p_v + H)."""
    entropy_part = [LN2 * g for g in (5 / 32, 5 / 32, 1 / 16, -3 / 8)]
    yield Case(
        "gradient of the entropy",
        [PEAKED],
        [0],
        {"entropy": [1.75 * LN2], "grad_logits": entropy_part},
        upstream={"grad_entropy": [1.0]},
    )
    yield Case(
        "gradient of loss - H / 2",
        [PEAKED],
        [0],
        {"grad_logits": [-0.9291521234812458, 0.07084787651875427, 0.2283391506075017, 0.6299650963549898]},
        upstream={"grad_loss": [1.0], "grad_entropy": [-0.5]},
    )


def labels_of_other_shards():
    """apple/ml-cross-entropy#59: a foreign label hits a column beyond the last tile."""
    gradient = []
    for label in range(10):
        gradient += one_hot_gradient([0.1] * 10, label)
    yield Case(
        "every label of 10 columns",
        [[0.0] * 10] * 10,
        list(range(10)),
        {"loss": [math.log(10)] * 10, "grad_logits": gradient},
        results={"loss_sum": 10 * math.log(10)},
    )
    yield Case(
        "labels around a tile's end, 4098 columns",
        [[0.0] * 4098] * 16,
        list(range(2049, 2057)) + list(range(8)),
        {"loss": [math.log(4098)] * 16},
    )


def shards_without_the_label():
    """modelscope/ms-swift#9947, pytorch/torchtitan#3822: no gradient there, or one too large by the factor TP."""
    gradient = [0.125, 0.125, 0.25, -0.5]
    yield Case("gradient of the loss", [PEAKED], [3], {"grad_logits": gradient}, upstream={"grad_loss": [1.0]})
    yield Case(
        "gradient of the logprob",
        [PEAKED],
        [3],
        {"logprob": [-LN2], "grad_logits": [-g for g in gradient]},
        upstream={"grad_logprob": [1.0]},
    )


FAMILIES = (
    large_offset,
    nan_on_one_shard,
    masked_target,
    upstream_per_token,
    accumulation,
    softcap_padding,
    ignore_index,
    entropy_gradient,
    labels_of_other_shards,
    shards_without_the_label,
)


def groups():
    """Lists of cases that share a file: starting ranks takes far longer than a case."""
    by_kind = {}
    for family in FAMILIES:
        for case in family():
            by_kind.setdefault(case.kind(), []).append(case)
    return list(by_kind.values())
