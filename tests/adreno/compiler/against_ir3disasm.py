#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Mesa's disassembler reads our compiler's code for a corpus, and prints the same text as our disassembler.

  against_ir3disasm.py IR3_DISASM CORPUS_CODE FOLDER...

IR3_DISASM is Mesa's (meson setup -Dtools=freedreno; src/freedreno/isa/ir3-disasm), CORPUS_CODE the build's
tests/adreno/corpus_code. The FOLDERs have .shader_test files (TERRAZZO_SHADER_DUMP writes such files; piglit
has some). drivers/adreno/isa/README.md lists intended differences between the texts. Prints each difference
once, then "N instructions compared, K differ". Exit status 1 if some differ."""
import os
import re
import subprocess
import sys
import tempfile

JUMP = r'(?:\([a-z]+\))*(?:br\w*|jump|getone|shps|ball|bany|call)\b'
LINE = re.compile(r'^\s*\d+\[[0-9a-f]+_[0-9a-f]+\]\s*(.*?)\s*$')


def text_of_mesa(line):
    found = LINE.match(line)
    text = found.group(1) if found else line.strip()
    return re.sub(r'\s+', ' ', text)


def normal(text):
    text = re.sub(r'\s+', ' ', text.strip())
    # Floats of moves: Mesa prints six decimals (0.000000), we print the digits that are needed. The offset
    # +0.
    text = re.sub(r'\(-?(?:\d[\d.e+-]*|inf|nan|0x[0-9a-f]+)\)$', '(float)', text)
    return re.sub(r'(?<=[\w\]>])\+0(?=[\],>]|$)', '', text)


def absolute(text, at):
    """Mesa prints the target of jumps, we print the distance."""
    return re.sub(r'#(-?\d+)$', lambda m: f'#l{at + int(m.group(1))}', text) if re.match(JUMP, text) else text


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    disasm, corpus_code, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        code = os.path.join(folder, 'code.bin')
        ours = subprocess.run([corpus_code, code] + folders, stdout=subprocess.PIPE, text=True,
                              check=True).stdout.splitlines()
        done = subprocess.run([disasm, '-g', 'FD630', code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
    mesa = [line for line in done.stdout.splitlines()
            if line.strip() and not re.match(r'^l\d+:$', text_of_mesa(line))]
    if done.returncode:
        sys.exit(f'{disasm} ended with {done.returncode}')
    if len(ours) != len(mesa) or not ours:
        sys.exit(f'{len(ours)} lines of ours, {len(mesa)} of Mesa\'s')
    different = {}
    for at, (a, b) in enumerate(zip(ours, mesa)):
        if absolute(normal(a), at) != normal(text_of_mesa(b)):
            key = re.sub(r'\d+', 'N', a)
            if key not in different:
                print(f'{a.strip()}\n{b.strip()}\n')
            different[key] = different.get(key, 0) + 1
    errors = sum('no match' in b or 'ERROR' in b or 'WARNING' in b for b in mesa)
    print(f'{len(ours)} instructions compared, {sum(different.values())} differ, '
          f'{errors} that Mesa does not know')
    sys.exit(1 if different or errors else 0)


main()
