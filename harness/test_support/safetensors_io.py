"""Reads and writes small safetensors files; shares no code with the program under test."""
import json
import math
import struct

CODES = {"F32": "f", "F16": "e", "I64": "q", "I32": "i"}


def bf16_bits(value):
    """Round to nearest even; NaN stays NaN."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if math.isnan(value):
        return 0x7FC0
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def encode(dtype, values):
    if dtype == "BF16":
        return struct.pack(f"<{len(values)}H", *map(bf16_bits, values))
    return struct.pack(f"<{len(values)}{CODES[dtype]}", *values)


def decode(dtype, data):
    if dtype == "BF16":
        return [struct.unpack("<f", struct.pack("<I", bits << 16))[0] for (bits,) in struct.iter_unpack("<H", data)]
    return [value for (value,) in struct.iter_unpack("<" + CODES[dtype], data)]


def write(path, tensors):
    """tensors: {name: (dtype, shape, flat values)}"""
    header, data = {}, b""
    for name, (dtype, shape, values) in tensors.items():
        begin = len(data)
        data += encode(dtype, values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def read(path):
    """{name: (dtype, shape, flat values)}"""
    raw = path.read_bytes()
    data = 8 + struct.unpack("<Q", raw[:8])[0]
    tensors = {}
    for name, entry in json.loads(raw[8:data]).items():
        begin, end = entry["data_offsets"]
        tensors[name] = (entry["dtype"], entry["shape"], decode(entry["dtype"], raw[data + begin : data + end]))
    return tensors
