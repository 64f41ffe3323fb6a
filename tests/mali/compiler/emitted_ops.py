# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# usage: emitted_ops.py OUT SOURCE...: the instructions that the compiler's sources name, as rows X(name). A
# source names an enumerator of Op, or calls a function of emitters.h, which is one of the sources.
import re
import sys

ops, emitters, called = set(), {}, set()
for path in sys.argv[2:]:
    with open(path, encoding='utf-8') as source:
        text = source.read()
    if path.endswith('emitters.h'):
        emitters = dict(re.findall(r'Ref (\w+)\(const Sources<\d>& src[^{]*\{[^}]*?Op::(k\w+)', text))
    else:
        ops |= set(re.findall(r'\bOp::(k[A-Z]\w*)', text))
        called |= set(re.findall(r'\b(\w+)\(\{', text))
ops |= {emitters[name] for name in called if name in emitters}
with open(sys.argv[1], 'w', encoding='utf-8') as out:
    out.write(''.join(f'X({op})\n' for op in sorted(ops)))
