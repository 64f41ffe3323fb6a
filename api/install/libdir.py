#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Prints where libraries are installed: libdir.py PREFIX LIBDIR CPU [FOLDER]. Meson asks dpkg-architecture
for Debian's folder of libraries, and guesses lib64 if that program is not installed. The loader may not
search PREFIX/lib64, but PREFIX/lib/CPU-linux-gnu: its configuration (FOLDER, default /etc/ld.so.conf.d) says
so. Then this prints lib/CPU-linux-gnu, otherwise LIBDIR."""
import pathlib
import re
import sys

prefix, libdir, cpu = sys.argv[1:4]
folder = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else '/etc/ld.so.conf.d')
texts = [file.read_text(errors='replace') for file in sorted(folder.glob('*.conf'))]
listed = {line.strip().rstrip('/') for text in texts for line in text.splitlines()}
multiarch = re.compile(re.escape(prefix.rstrip('/')) + rf'/(lib/{re.escape(cpu)}-linux-gnu\w*)')
found = sorted(m[1] for m in map(multiarch.fullmatch, listed) if m)
print(found[0] if libdir == 'lib64' and found and f'{prefix.rstrip("/")}/lib64' not in listed else libdir)
