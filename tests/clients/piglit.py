#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Runs Debian piglit's programs of OpenGL ES 2 and 3 and compares the results with the table in this folder.

  piglit.py TERRAZZO            runs every row of piglit.tsv on Terrazzo; fails if a result became worse
  piglit.py --record COLUMN TERRAZZO|-   writes that column of the table again (`-`: the system's libEGL)

The columns of a row are: name, llvmpipe's result, Terrazzo's result. A result is pass, fail, skip or
crash."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TABLE = pathlib.Path(__file__).with_name('piglit.tsv')
COLUMNS = ['llvmpipe', 'terrazzo']


def commands():
    """name -> command, for all of piglit's tests of OpenGL ES 2 and 3."""
    env = dict(os.environ, PIGLIT_PLATFORM='surfaceless_egl')
    text = subprocess.run(['piglit', 'print-cmd', 'all'], env=env, capture_output=True, text=True).stdout
    out = {}
    for line in text.splitlines():
        name, _, command = line.partition(' ::: ')
        if re.search(r'_gles[23]( |$)|/(gles-3|es3-)', command):
            # Programs that would open a window abort on the surfaceless platform.
            out[name] = shlex.split(command) + (['-fbo'] if '-auto' in command and '-fbo' not in command
                                                else [])
    return out


def run(command, prefix):
    # print-cmd prints paths relative to the folder of Python's framework; the programs are installed with the
    # tests.
    program = re.sub(r'^.*/piglit/bin/', piglit_folder() + '/bin/', command[0])
    env = dict(os.environ, PIGLIT_PLATFORM='surfaceless_egl', PIGLIT_SOURCE_DIR=piglit_folder())
    try:
        p = subprocess.run(prefix + [program] + command[1:], env=env, capture_output=True, text=True,
                           errors='replace',
                           timeout=60)
    except subprocess.TimeoutExpired:
        return 'crash'
    results = re.findall(r'PIGLIT: \{"result": "(\w+)"', p.stdout)
    if not results:
        return 'crash'
    return results[-1] if results[-1] in ('pass', 'skip', 'fail') else 'fail'


def piglit_folder():
    return next((str(p) for p in pathlib.Path('/usr/lib').glob('*/piglit') if p.is_dir()), '/usr/lib/piglit')


def load():
    rows = {}
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        if not line.startswith('#'):
            name, *results = line.split('\t')
            rows[name] = dict(zip(COLUMNS, results))
    return rows


def main():
    args = sys.argv[1:]
    column = 'terrazzo'
    record = args[0] == '--record'
    if record:
        column, args = args[1], args[2:]
    # piglit loads GL's extension functions from libGL.so.1, so Terrazzo must be a vendor of libglvnd.
    prefix = [] if args[0] == '-' else [args[0], 'run', '--glvnd', '--']
    known, rows = commands(), load()
    if not known:
        print('piglit is not installed\n0 passed, 0 failed, 1 skipped')
        sys.exit(77)
    names = sorted(known) if record else [n for n in rows if n in known]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(names, pool.map(lambda n: run(known[n], prefix), names)))
    if record:
        for n, r in results.items():
            rows.setdefault(n, dict.fromkeys(COLUMNS, '-'))[column] = r
        text = ('# Debian piglit, programs of OpenGL ES 2 and 3, PIGLIT_PLATFORM=surfaceless_egl '
                '(written by piglit.py --record)\n')
        text += '# ' + '\t'.join(['name'] + COLUMNS) + '\n'
        text += ''.join('\t'.join([n] + [rows[n][c] for c in COLUMNS]) + '\n' for n in sorted(rows))
        TABLE.write_text(text)
    worse = [n for n in names if not record and results[n] != rows[n]['terrazzo'] and results[n] != 'pass']
    for n in worse:
        print(f"{n}: {results[n]}, was {rows[n]['terrazzo']} (llvmpipe: {rows[n]['llvmpipe']})")
    count = {r: sum(1 for v in results.values() if v == r) for r in ('pass', 'fail', 'skip', 'crash')}
    print(', '.join(f'{v} {k}' for k, v in count.items()))
    print(f'{len(names) - len(worse)} passed, {len(worse)} failed, 0 skipped')
    sys.exit(bool(worse))


main()
