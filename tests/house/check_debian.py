#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Checks that debian/ matches this tree. The packages that tests/install-deps.sh installs for a build must be
those that debian/control needs, the version must be meson.build's, and each installed file must be in exactly
one list. Ends with "N passed, N failed"."""
import fnmatch
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
PLAN = OPTIONS = {}
if len(sys.argv) > 2:
    info = pathlib.Path(sys.argv[2]) / 'meson-info'
    PLAN = json.loads((info / 'intro-installed.json').read_text())
    OPTIONS = {o['name']: o['value'] for o in json.loads((info / 'intro-buildoptions.json').read_text())}
# debhelper and build-essential depend on these. Only the tests need doctest, which the packages do not build.
BROUGHT = {'ninja-build', 'g++', 'python3', 'doctest-dev'}
wrong = []

deps = re.search(r"^packages='(.*?)'", (root / 'tests/install-deps.sh').read_text(),
                 re.S | re.M).group(1).split()
needed = re.search(r'^Build-Depends:(.*?)^\S', (root / 'debian/control').read_text() + '\nx',
                   re.S | re.M | re.I).group(1)
needed = {re.split(r'[\s(<:\[]', d.strip())[0] for d in needed.split(',') if d.strip()}
wrong += [f'debian/control: Build-Depends lacks {p}' for p in sorted(set(deps) - BROUGHT - needed)]
wrong += [f'tests/install-deps.sh lacks {p}'
          for p in sorted(needed - set(deps) - {'debhelper-compat'} - BROUGHT)]

version = re.search(r"version: '([\d.]+)'", (root / 'meson.build').read_text()).group(1)
if (root / 'debian/changelog').read_text().split('(')[1].split(')')[0] != version:
    wrong.append(f'debian/changelog: the version is not {version}, which is meson.build\'s')

lists = [l for f in [*(root / 'debian').glob('*.install'), root / 'debian/not-installed']
         for l in f.read_text().split('\n') if l and l[0] != '#']
for path in PLAN.values():
    # The path in dpkg's build: the prefix is /usr, and man pages are compressed later.
    path = 'usr' + path.removeprefix(OPTIONS['prefix']).removesuffix('.gz')
    found = [l for l in lists if fnmatch.fnmatch(path, l)]
    if len(found) != 1:
        wrong.append(f'{path} is in {len(found)} lists of debian/')

for w in wrong:
    print(w)
print(f'{len(deps) + len(PLAN) + 1 - len(wrong)} passed, {len(wrong)} failed')
sys.exit(bool(wrong))
