#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Our decoder against freedreno's: the fields of every register that cffdump prints of a recording equal the
fields that we print.

  against_cffdump.py CFFDUMP TERRAZZO FILE.rd...

CFFDUMP is Mesa's (meson setup -Dtools=freedreno; src/freedreno/decode/cffdump). A register's number may be at
another position of its name (RB_MRT[0].CONTROL, RB_MRT_CONTROL[0]). cffdump omits flags that are off, and
fields without a name that are zero; therefore a field that only we print must be zero. Prints each difference
once, then "N registers in M writes compared, K differ". Exit status 1 if some differ."""
import re
import subprocess
import sys

# cffdump has no names for these fields: for the pitch's upper half, and for a location that only later chips
# have, although drivers set it.
UNNAMED = {'RB_2D_DST_FLAGS_PITCH', 'VPC_VS_LAYER_CNTL', 'VPC_VS_LAYER_CNTL_V2'}
ROW = re.compile(r'^\s*([A-Z][A-Z0-9_]*(?:\[[0-9a-fx]+\](?:\.\w+)?)?)(?:\s*=\s*0x[0-9a-f]+|:)\s+'
                 r'(\{.*\}|\S+.*)$')


def normal_name(name):
    """RB_MRT[0x1].CONTROL and RB_MRT_CONTROL[1] are the same register."""
    found = re.match(r'^(\w+)\[(\w+)\](?:\.(\w+))?$', name)
    if not found:
        return name
    base, index, member = found.groups()
    joined = base if not member or member == 'REG' else f'{base}_{member}'
    return f'{joined}[{int(index, 0)}]'


def normal_value(text):
    text = text.strip()
    # Other spellings of zero: no register, a format or mode with the value 0, a switch that is off.
    if text in ('r63.x', 'none'):
        return 'none'
    if text in ('FALSE', 'FMT6_UNSET', 'LRZ_FEEDBACK_NONE', 'LRZ_DIR_UNSET'):
        return 0
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def fields_of(text):
    """{ X = 1 | FLAG } or { x: 1 | flag } as names and values; a text without fields is one field ''."""
    if not text.startswith('{'):
        return {'': normal_value(text.split()[0] if text.split() else '0')}
    fields = {}
    for part in text.strip('{} ').split('|'):
        key, separator, value = re.sub(r'\s*[=:]\s*', '\0', part.strip(), count=1).partition('\0')
        if separator or not re.fullmatch(r'0x[0-9a-f]+|0||!.*', key):  # bits without a name, or nothing
            fields[key.lower().rstrip('_')] = normal_value(value) if separator else 1
    return fields


def read(command):
    """For each register: the different values that were printed."""
    out = subprocess.run(command, capture_output=True, text=True, errors='replace', check=True).stdout
    registers, writes = {}, 0
    for line in out.splitlines():
        found = ROW.match(line)
        if not found:
            continue
        name, text = normal_name(found.group(1)), found.group(2)
        contents = registers.setdefault(name, {})
        contents.setdefault(text, fields_of(text))
        writes += 1
    return registers, writes


def same(theirs, ours):
    for key in theirs.keys() | ours.keys():
        a, b = theirs.get(key, 0), ours.get(key, 0)
        if a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float))
                      and abs(a - b) <= 1e-4 * abs(a)):
            continue
        # Either side may omit an enumerator with the value 0.
        if (key not in theirs or key not in ours) and isinstance(a if key in theirs else b, str):
            continue
        return False
    return True


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    cffdump, terrazzo, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    compared = differing = total = 0
    for file in files:
        theirs, writes = read([cffdump, '--no-pager', '--no-color', file])
        ours, _ = read([terrazzo, 'decode', file])
        total += writes
        for name in sorted(theirs.keys() - UNNAMED):
            if name not in ours:
                print(f'{file}: {name}: not in our text: {next(iter(theirs[name]))}')
                differing += 1
                continue
            compared += 1
            for text, fields in theirs[name].items():
                if not any(same(fields, other) for other in ours[name].values()):
                    print(f'{file}: {name}: {text}\n    ours: ' + '; '.join(list(ours[name])[:3]))
                    differing += 1
                    break
    print(f'{compared} registers in {total} writes compared, {differing} differ')
    return 1 if differing else 0


sys.exit(main())
