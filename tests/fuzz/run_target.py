#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Runs one fuzz target under libFuzzer: run_target.py PROGRAM SEEDS [libFuzzer's options]

For TERRAZZO_FUZZ_SECONDS (default 20; 0: the seeds alone). What it finds that is new it keeps in corpus/ in the program's folder, which later
runs begin with; an input that ends it, is too slow, leaks or takes too much memory is a finding: it is left in findings/ there, and
the exit code is 1."""
import os
import pathlib
import subprocess
import sys

SECONDS = os.environ.get('TERRAZZO_FUZZ_SECONDS', '20')
LIMITS = ['-timeout=25', '-rss_limit_mb=2048', '-malloc_limit_mb=1024', '-print_final_stats=1', '-verbosity=0', '-report_slow_units=26']

program = pathlib.Path(sys.argv[1]).resolve()
name = program.name.removeprefix('fuzz_')
corpus, findings = program.parent / 'corpus' / name, program.parent / 'findings' / name
for folder in corpus, findings:
    folder.mkdir(parents=True, exist_ok=True)
seeds = [sys.argv[2]] if os.path.isdir(sys.argv[2]) else []
length = [f'-max_total_time={SECONDS}'] if SECONDS != '0' else ['-runs=0']
sys.stdout.flush()
run = subprocess.run([program, *LIMITS, *length, *sys.argv[3:], f'-artifact_prefix={findings}/', corpus, *seeds],
                     stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True, errors='replace')
lines = run.stdout.splitlines()
print('\n'.join(lines[-200:] if run.returncode else [line for line in lines if line.startswith('stat::')]))
sys.exit(1 if run.returncode else 0)
