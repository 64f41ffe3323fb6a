#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Runs the commands of the pages as they are written, on a machine without a display server: readme_test.py
SOURCE BUILD. Each ```sh block runs as one script, in a folder where `build` is the build folder. Lines that
build or install (BUILDS), and lines whose program or file does not exist, are skipped and counted. Prints
each line that failed and ends with "N passed, N failed, N skipped"."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
PAGES = ['README.md', 'examples/README.md', ('HACKING.md', 'Debug a wrong pixel')]
BUILDS = re.compile(r'^(sh (examples/build-and-render|tests/run|tests/install-deps)\.sh|ninja|meson)\b')
BLOCK = re.compile(r'^```sh\n(.*?)^```', re.M | re.S)
PROGRAM = re.compile(r'^(?:\w+=\S* )*(?:\S*/terrazzo|\$T) (?:run|counters)(?: --\w+(?: \w+:?\S*)?)* -- (\S+)'
                     r'|^(?:\w+=\S* )*(\S+)')
ABSOLUTE = re.compile(r'\s(/usr/\S+)')
SERVER_START_S, BLOCK_S = 3, 240


def blocks(page):
    """(page, number of the first line, lines) of each block."""
    name, section = (page, None) if isinstance(page, str) else page
    text = (SOURCE / name).read_text()
    for m in BLOCK.finditer(text):
        if section is None or section in text[:m.start()].rsplit('\n## ', 1)[-1].split('\n')[0]:
            yield name, text[:m.start()].count('\n') + 2, m[1].splitlines()


def why_not(line, folder):
    """The reason why a line is skipped; empty if it runs."""
    if BUILDS.match(line):
        return 'it builds or installs'
    m = PROGRAM.match(line)
    program = m and (m[1] or m[2])
    installed = program == 'export' or program and shutil.which(program)
    if program and re.fullmatch(r'[\w.-]+', program) and not installed:
        return f'{program} is not installed'
    if program and '/' in program and not (folder / program).exists():
        return f'{program} is not built'
    missing = [f for f in ABSOLUTE.findall(line) if not os.path.exists(f)]
    return f'there is no {missing[0]}' if missing else ''


def run_block(name, number, lines, folder):
    """Returns the numbers of lines (passed, failed, skipped)."""
    script, skipped, ran = ['set -e'], 0, 0
    for i, line in enumerate(lines):
        why = why_not(line, folder)
        if not line.strip() or line.startswith('#'):
            continue
        if why:
            print(f'{name}:{number + i}: skipped: {why}')
            skipped += 1
            continue
        ran += 1
        script += [f'echo "@@{number + i}" >&2', line]
        if re.search(r'&\s*(#.*)?$', line):
            script.append(f'sleep {SERVER_START_S}')  # as long as a reader needs to type the next line
    env = {k: v for k, v in os.environ.items() if k in ('PATH', 'LANG', 'LC_ALL')}
    env.update(HOME=str(folder / 'home'), TMPDIR=str(folder / 'tmp'))
    log = folder / 'tmp/log'
    with open(log, 'w') as to:
        process = subprocess.Popen(['bash', '-c', '\n'.join(script)], cwd=folder, env=env,
                                   stdin=subprocess.DEVNULL, stdout=to, stderr=to, start_new_session=True)
        try:
            code = process.wait(BLOCK_S)
        except subprocess.TimeoutExpired:
            code = -1
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # also the servers of the block
            except ProcessLookupError:
                pass
    out = log.read_text(errors='replace')
    if code == 0:
        return ran, 0, skipped
    last = out.rfind('@@')
    print(f'FAILED: {name}:{out[last + 2:].split(None, 1)[0]}: exit status {code}:\n{out[last:][-2000:]}')
    return ran - 1, 1, skipped


def another_driver(folder):
    """LD_LIBRARY_PATH must select the system's driver for a built program: (passed, failed, skipped)."""
    listed = subprocess.run(['/sbin/ldconfig', '-p'], capture_output=True, text=True, check=False).stdout
    system = re.search(r'libEGL\.so\.1 .*=> (/\S+)/libEGL\.so\.1', listed)
    if not system or not os.path.exists('/usr/share/glvnd/egl_vendor.d/50_mesa.json'):
        print('skipped: the system has no driver of its own')
        return 0, 0, 1
    env = {'PATH': os.environ['PATH'], 'HOME': str(folder / 'home'), 'LD_LIBRARY_PATH': system[1]}
    gallery = folder / 'build/examples/gallery'
    r = subprocess.run([gallery, 'cube', '--size', '64x64'], cwd=folder / 'tmp', env=env, capture_output=True,
                       text=True, timeout=120)
    tags = subprocess.run(['readelf', '-d', gallery], capture_output=True, text=True, check=False).stdout
    if r.returncode or 'Mesa' not in r.stdout or 'Terrazzo' in r.stdout or '(RPATH)' in tags:
        print(f'FAILED: with LD_LIBRARY_PATH={system[1]} gallery says: {r.stdout}{r.stderr}\n{tags}')
        return 0, 1, 0
    return 1, 0, 0


def main():
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for file in SOURCE.iterdir():
            if file.name not in ('build', 'out'):
                (folder / file.name).symlink_to(file)
        (folder / 'build').symlink_to(BUILD)
        (folder / 'home').mkdir()
        (folder / 'tmp').mkdir()
        for page in PAGES:
            found = list(blocks(page))
            assert found, page
            for block in found:
                counts = run_block(*block, folder)
                passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
        counts = another_driver(folder)
        passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    sys.exit(1 if failed else 0 if passed else 77)


main()
