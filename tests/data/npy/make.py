"""Writes numpy-files.json: .npy files as NumPy itself writes them.

Run with any NumPy from 1.14 on:  python3 make.py > numpy-files.json
The tests read the JSON only; NumPy isn't needed for them. Every entry holds a
file in base64 and, where the reader has to take it, what must come out: type,
dims, and the elements' bits in C order as hexadecimal numbers.
"""

import base64
import datetime
import io
import json
import sys

import numpy

TYPES = {
    "f2": "float16", "f4": "float32", "f8": "float64",
    "i4": "int32", "u4": "uint32", "i8": "int64", "u8": "uint64",
}
SHAPES = [(), (4,), (2, 3), (2, 3, 4), (3, 0, 2), (1, 5, 1)]


def values(code, shape):
    """Distinct values with both ends of the type's range among them."""
    count = int(numpy.prod(shape, dtype=int))
    dtype = numpy.dtype(code)
    if dtype.kind == "f":
        flat = [1.5 * i - 3.25 for i in range(count)]
        special = [numpy.nan, -numpy.inf, -0.0, numpy.finfo(dtype).max]
    else:
        flat = list(range(count))
        info = numpy.iinfo(dtype)
        special = [info.min, info.max]
    flat[: len(special)] = special[:count]
    return numpy.array(flat[:count], dtype=dtype).reshape(shape)


def saved(array, version):
    out = io.BytesIO()
    numpy.lib.format.write_array(out, array, version=version)
    return base64.b64encode(out.getvalue()).decode()


def bits(array):
    little = array.astype(array.dtype.newbyteorder("<")).reshape(-1)
    return ["0x%x" % v for v in little.view("<u%d" % array.dtype.itemsize).tolist()]


entries = []
for code, type_name in TYPES.items():
    for shape in SHAPES:
        for order in "CF":
            for endian in "<>":
                # One shape goes through all three versions, the others through one each.
                versions = (1, 2, 3) if shape == (2, 3) else (1 + len(entries) % 3,)
                for major in versions:
                    array = values(code, shape)
                    stored = numpy.array(array, dtype=endian + code, order=order)
                    entries.append({
                        "name": f"{code} {shape} {order} {endian} version {major}",
                        "type": type_name, "dims": list(shape), "bits": bits(array),
                        "file": saved(stored, (major, 0)),
                    })

refused = {
    "bool": numpy.array([True]), "int8": numpy.array([1], "i1"), "uint8": numpy.array([1], "u1"),
    "int16": numpy.array([1], "<i2"), "uint16": numpy.array([1], "<u2"), "complex64": numpy.array([1], "c8"),
    "complex128": numpy.array([1], "c16"), "text": numpy.array(["abc"]), "bytes": numpy.array([b"abc"]),
    "dates": numpy.array([datetime.date(2020, 1, 1)], "M8[D]"),
    "time spans": numpy.array([1], "m8[s]"), "Python objects": numpy.array([None]),
    "fields": numpy.array([(1, 2.0)], [("a", "<i4"), ("b", "<f8")]),
}
for name, array in refused.items():
    entries.append({"name": f"refused {name}", "refused": name, "file": saved(array, (1, 0))})

# The bits of 16-bit floats, as they come from ml_dtypes (V2) and by hand (u2).
half = numpy.array([0x3F80, 0xC000, 0x7FC0], "<u2")
for name, array in {
    "V2 bits": half.view("V2"), "u2 bits": half, "big-endian u2 bits": half.astype(">u2"),
}.items():
    entries.append({
        "name": name, "as": "bfloat16", "type": "bfloat16", "dims": [3],
        "bits": ["0x3f80", "0xc000", "0x7fc0"], "file": saved(array, (1, 0)),
    })

sys.stdout.write("[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n")
