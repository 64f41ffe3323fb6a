#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Prints where libraries are installed: libdir.py PREFIX LIBDIR CPU [FOLDER]. Meson asks dpkg-architecture for Debian's folder of libraries and
guesses lib64 where that is not installed. Where the loader's configuration (FOLDER, default /etc/ld.so.conf.d) does not list PREFIX/lib64 but
PREFIX/lib/CPU-linux-gnu, a library in lib64 would be found by nobody: this prints lib/CPU-linux-gnu then, else LIBDIR."""
import pathlib
import re
import sys

prefix, libdir, cpu = sys.argv[1:4]
folder = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else '/etc/ld.so.conf.d')
listed = {line.strip().rstrip('/') for file in sorted(folder.glob('*.conf')) for line in file.read_text(errors='replace').splitlines()}
multiarch = re.compile(re.escape(prefix.rstrip('/')) + rf'/(lib/{re.escape(cpu)}-linux-gnu\w*)')
found = sorted(m[1] for m in map(multiarch.fullmatch, listed) if m)
print(found[0] if libdir == 'lib64' and found and f'{prefix.rstrip("/")}/lib64' not in listed else libdir)
