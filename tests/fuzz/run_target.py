#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Runs one fuzz target under libFuzzer: run_target.py PROGRAM SEEDS [--devices=A,B] [libFuzzer's options]

TERRAZZO_FUZZ_SECONDS is the time (default 20; 0: only the seeds). The devices share it: TERRAZZO_DEVICE is
set to each of them in turn. New inputs are kept in the folder corpus/ next to the program; later runs begin
with them. An input that ends the program, is too slow, leaks or takes too much memory is a finding. It is
written to the folder findings/, and the exit code is 1."""
import os
import pathlib
import subprocess
import sys

SECONDS = os.environ.get('TERRAZZO_FUZZ_SECONDS', '20')
LIMITS = ['-timeout=25', '-rss_limit_mb=2048', '-malloc_limit_mb=1024', '-print_final_stats=1',
          '-verbosity=0', '-report_slow_units=26']

program = pathlib.Path(sys.argv[1]).resolve()
name = program.name.removeprefix('fuzz_')
corpus, findings = program.parent / 'corpus' / name, program.parent / 'findings' / name
for folder in corpus, findings:
    folder.mkdir(parents=True, exist_ok=True)
seeds = [sys.argv[2]] if os.path.isdir(sys.argv[2]) else []
options = sys.argv[3:]
devices = [None]  # the environment's
if options and options[0].startswith('--devices='):
    devices = options.pop(0).removeprefix('--devices=').split(',')


def fuzz(device, seconds):
    """Returns whether there was no finding. A finding's name begins with its device."""
    length = [f'-max_total_time={seconds}'] if seconds else ['-runs=0']
    prefix = f'{findings}/' + (device.replace(':', '-') + '-' if device else '')
    environment = dict(os.environ, TERRAZZO_DEVICE=device) if device else None
    sys.stdout.flush()
    run = subprocess.run([program, *LIMITS, *length, *options, f'-artifact_prefix={prefix}', corpus, *seeds],
                         env=environment,
                         stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True, errors='replace')
    if device:
        print(f'TERRAZZO_DEVICE={device}')
    lines = run.stdout.splitlines()
    print('\n'.join(lines[-200:] if run.returncode else [line for line in lines
                                                         if line.startswith('stat::')]))
    return run.returncode == 0


# 0 would mean no limit: a device gets at least a second.
share = max(1, int(SECONDS) // len(devices)) if SECONDS != '0' else 0
good = [fuzz(device, share) for device in devices]
sys.exit(0 if all(good) else 1)
