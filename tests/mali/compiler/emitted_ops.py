# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# usage: emitted_ops.py OUT SOURCE...: the instructions that the compiler's sources name, as rows X(name).
import re
import sys

ops = set()
for path in sys.argv[2:]:
    with open(path, encoding='utf-8') as source:
        ops |= set(re.findall(r'\bOp::(k[A-Z]\w*)', source.read()))
with open(sys.argv[1], 'w', encoding='utf-8') as out:
    out.write(''.join(f'X({op})\n' for op in sorted(ops)))
