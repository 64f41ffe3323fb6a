#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Runs examples/embed and checks its picture:example_test.py EMBED PPM."""
import subprocess
import sys

program, path = sys.argv[1:]
out = subprocess.run([program, path], check=True, capture_output=True, text=True)
assert out.stderr == '' and out.stdout == '', (out.stdout, out.stderr)
data = open(path, 'rb').read()
header = b'P6 320 200 255\n'
assert data.startswith(header) and len(data) == len(header) + 320 * 200 * 3, (data[:20], len(data))
# (column, row from the top) -> colour: v + 0.5 and a half inside the triangle, black outside. Row 30 is close
# to its upper corner.
EXPECTED = {(2, 2): (0, 0, 0), (317, 197): (0, 0, 0), (160, 100): (128, 126, 128),
            (160, 30): (128, 255, 128), (160, 169): (128, 0, 128)}
failed = 0
for (x, y), want in EXPECTED.items():
    at = len(header) + (y * 320 + x) * 3
    have = tuple(data[at:at + 3])
    if any(abs(a - b) > 1 for a, b in zip(have, want)):
        print(f'pixel {x}, {y} is {have}, expected {want}')
        failed += 1
print(f'{len(EXPECTED) - failed} passed, {failed} failed')
sys.exit(bool(failed))
