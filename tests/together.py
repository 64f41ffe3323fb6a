#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Joins the files of a test program, because most of a test's compilation is its headers:

  together.py GROUP.cpp... -- FILE.cpp...     writes the groups

A test file names its helpers without regard to other files. Therefore the code of a *_test.cpp is put into
a namespace of its own, also within the file's namespaces: no other file uses it. Files with other names
define what tests share. They stay as they are, each at the end of another group. A line keeps its number, and
messages name the original file."""
import pathlib
import re
import sys

# A line that defines something outside of the file's namespaces.
GLOBAL = r'^(TYPE_TO_STRING|#include <libdrm/)'


def absolute(m, folder):
    """An #include with the absolute path of a header in the folder of the file."""
    path = folder / m[2]
    return f'{m[1]}"{path.resolve()}"' if path.exists() else m[0]


def own_namespace(text, name):
    """The text, with all code after the first #includes in the namespace."""
    begin = re.search(r'^[^#/\s].*$', text, re.M).start()
    head, code = text[:begin], text[begin:]
    opening = f'namespace {name} {{'
    code = re.sub(r'^(namespace [\w:]+ {)$', rf'}} \1 {opening}', code, flags=re.M)
    code = re.sub(r'^}  // namespace [\w:]+$', rf'}} }} {opening}', code, flags=re.M)
    return f'{head}{opening} {code}}}\n'


def piece(path, text, name):
    """What a group contains for a file; without a name the file has no namespace."""
    folder = pathlib.Path(path).parent
    text = re.sub(r'^(#include )"(.*)"', lambda m: absolute(m, folder), text, flags=re.M)
    return f'#line 1 "{path}"\n' + (own_namespace(text, name) if name else text)


def main():
    at = sys.argv.index('--')
    outputs, files = sys.argv[1:at], sys.argv[at + 1:]
    texts = {f: pathlib.Path(f).read_text() for f in files}
    tests = [f for f in files if f.endswith('_test.cpp') and not re.search(GLOBAL, texts[f], re.M)]
    others = [f for f in files if f not in tests]
    groups = [others[n::len(outputs)] for n in range(len(outputs))]
    for f in sorted(tests, key=lambda f: -len(texts[f])):
        min(groups, key=lambda g: sum(len(texts[f]) for f in g)).insert(0, f)
    for n, (output, group) in enumerate(zip(outputs, groups)):
        pathlib.Path(output).write_text(''.join(
            piece(f, texts[f], f'group_{n}_file_{i}' if f in tests else None) for i, f in enumerate(group)))


main()
