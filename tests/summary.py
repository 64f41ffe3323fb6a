#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Adds up the counts of a `meson test` run: summary.py testlog.json... -> "N passed, N failed, N skipped".

A doctest program counts its cases, a script prints "N passed, N failed" itself. A program that prints
neither, or ends with an error without naming a failure, counts as one test. The last lines of what failed
tests printed follow the table, since a CI may only keep the end of the log."""
import json
import re
import sys

DOCTEST = re.compile(r'\[doctest\] test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped')
PLAIN = re.compile(r'^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$', re.M)
LAST_LINES = 60
total = [0, 0, 0]
failed = []
for path in sys.argv[1:]:
    for line in open(path):
        record = json.loads(line)
        text = re.sub(r'\x1b\[[0-9;]*m', '', record.get('stdout', '') + record.get('stderr', ''))
        counts = [list(map(int, (p, f, s or 0))) for p, f, s in DOCTEST.findall(text) + PLAIN.findall(text)]
        counts = [sum(c) for c in zip(*counts)] if counts else [0, 0, 0]
        result = record['result']
        if result == 'SKIP':
            counts = [0, 0, max(1, counts[2])]
        elif result in ('OK', 'EXPECTEDFAIL'):
            counts[0] += not any(counts)
        elif not counts[1]:
            counts[1] = 1
        numbers = f'{counts[0]} passed, {counts[1]} failed, {counts[2]} skipped'
        print(f"{record['name']:<40} {result:<8} {numbers}; "
              f"{record.get('duration', 0):.1f} s")
        total = [a + b for a, b in zip(total, counts)]
        if counts[1]:
            failed.append(f"---- {record['name']}\n" + '\n'.join(text.splitlines()[-LAST_LINES:]))
print(*failed, sep='\n', end='\n' if failed else '')
print(f'{total[0]} passed, {total[1]} failed, {total[2]} skipped')
sys.exit(bool(total[1]) or not total[0])
