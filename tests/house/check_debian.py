#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Checks that debian/ is of this tree: what tests/install-deps.sh installs for a build is what debian/control needs, the version is
meson.build's, and each file that is installed stands in one list. Ends with "N passed, N failed"."""
import fnmatch
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
PLAN = json.loads((pathlib.Path(sys.argv[2]) / 'meson-info/intro-installed.json').read_text()) if len(sys.argv) > 2 else {}
OPTIONS = {o['name']: o['value'] for o in json.loads((pathlib.Path(sys.argv[2]) / 'meson-info/intro-buildoptions.json').read_text())} if PLAN else {}
# debhelper and build-essential bring these; doctest is of the tests, which the packages do without.
BROUGHT = {'ninja-build', 'g++', 'python3', 'doctest-dev'}
wrong = []

deps = re.search(r"^packages='(.*?)'", (root / 'tests/install-deps.sh').read_text(), re.S | re.M).group(1).split()
needed = re.search(r'^Build-Depends:(.*?)^\S', (root / 'debian/control').read_text() + '\nx', re.S | re.M | re.I).group(1)
needed = {re.split(r'[\s(<:\[]', d.strip())[0] for d in needed.split(',') if d.strip()}
wrong += [f'debian/control: Build-Depends lacks {p}' for p in sorted(set(deps) - BROUGHT - needed)]
wrong += [f'tests/install-deps.sh lacks {p}' for p in sorted(needed - set(deps) - {'debhelper-compat'} - BROUGHT)]

version = re.search(r"version: '([\d.]+)'", (root / 'meson.build').read_text()).group(1)
if (root / 'debian/changelog').read_text().split('(')[1].split(')')[0] != version:
    wrong.append(f'debian/changelog: the version is not {version}, which is meson.build\'s')

lists = [l for f in [*(root / 'debian').glob('*.install'), root / 'debian/not-installed'] for l in f.read_text().split('\n') if l and l[0] != '#']
for path in PLAN.values():
    # As dpkg's build installs it: prefix /usr, man pages compressed later.
    path = 'usr' + path.removeprefix(OPTIONS['prefix']).removesuffix('.gz')
    found = [l for l in lists if fnmatch.fnmatch(path, l)]
    if len(found) != 1:
        wrong.append(f'{path} stands in {len(found)} lists of debian/')

for w in wrong:
    print(w)
print(f'{len(deps) + len(PLAN) + 1 - len(wrong)} passed, {len(wrong)} failed')
sys.exit(bool(wrong))
