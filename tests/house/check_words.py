#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Checks how code and pages are written. Refused are:
- lines of more than 110 columns, except rows of tables, commands in pages, and lines with a URL;
- the words that GLOSSARY.md refuses;
- `default:` in a switch over a small enumeration of ours: it hides the enumerators that the switch forgot;
- `__builtin_unreachable`, which lets the optimizer run into other code: use winsys/trap.h.
Prints each broken rule as file:line and ends with "N passed, N failed". The checker checks itself first."""
import collections
import pathlib
import re
import sys

MOST_COLUMNS = 110
# Larger enumerations (opcodes, formats) may have a `default:`.
MOST_ENUMERATORS = 24
GLOSSARY = 'GLOSSARY.md'
ROOMS = ('api', 'state_tracker', 'pipe', 'shaders', 'drivers', 'winsys', 'tests', 'examples')
TABLES = ('.inc', '.def')
CODE = ('.h', '.cpp', '.c') + TABLES
ENDINGS = CODE + ('.py', '.md', '.sh')
UNREACHABLE = '__builtin_' + 'unreachable'
# The name of the system's user, in commands and code.
USER_NAME = 'no' + 'body'
USER = re.compile(rf"(?:(?<=-u )|(?<=user )|(?<=chown )|(?<==)){USER_NAME}\b|'{USER_NAME}'")
URL = re.compile(r'\bhttps?://')
HEADS = re.compile(r'\S {3,}\S')
# Matches comments and string literals, to remove them; line ends stay.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|(?<!\w)\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
ENUM = re.compile(r'\benum\s+(?:class|struct)\s+(\w+)\s*(?::[^;{]*)?\{([^{}]*)\}')
ENUMERATOR = re.compile(r'(\w+)\s*(?:=[^,]*)?(?:,|$)')
SWITCH = re.compile(r'\bswitch\s*\(')
CASE = re.compile(r'\bcase\s+((?:\w+\s*::\s*)*\w+)\s*:(?!:)|\b(default)\s*:(?!:)')


def refused_words(glossary):
    """A pattern for the words in `code` of the table's second column."""
    words = set()
    for line in glossary.splitlines():
        cells = line.split('|')
        if line.startswith('|') and len(cells) == 5:
            words |= set(re.findall(r'`([^`]+)`', cells[2]))
    if not words:
        return None
    patterns = [re.escape(w).replace(r'\ ', r'\s+') for w in sorted(words)]
    return re.compile(r'\b(?:' + '|'.join(patterns) + r')\b', re.IGNORECASE)


def without_texts(text):
    """Code without comments and string literals, with the same lines."""
    return NO_CODE.sub(lambda m: '\n' * m[0].count('\n'), text)


def closing(code, start, opened, closed):
    """The place after the bracket that closes the one at `start`; the code's end where there is none."""
    depth = 0
    for place in range(start, len(code)):
        depth += (code[place] == opened) - (code[place] == closed)
        if not depth:
            return place + 1
    return len(code)


def enumerations(codes):
    """name -> the sets of enumerators of the enumerations with this name. It is empty if a macro fills it."""
    found = collections.defaultdict(list)
    for code in codes:
        for name, body in ENUM.findall(code):
            found[name].append(set() if '#' in body or '(' in body else set(ENUMERATOR.findall(body)))
    return found


def is_small(name, label, enums):
    """Whether `name::label` is an enumerator of a small enumeration. Several may have this name."""
    having = [e for e in enums.get(name, []) if label in e or not e]
    return bool(having) and all(e and len(e) <= MOST_ENUMERATORS for e in having)


def check_switches(code, enums):
    """(line, message) of each `default:` that a small enumeration's switch has."""
    out = []
    for switch in SWITCH.finditer(code):
        start = code.find('{', closing(code, switch.end() - 1, '(', ')'))
        if start < 0:
            continue
        body = code[start + 1:closing(code, start, '{', '}')]
        while inner := SWITCH.search(body):  # it is checked by itself
            end = closing(body, max(body.find('{', inner.start()), 0), '{', '}')
            body = body[:inner.start()] + '\n' * body[inner.start():end].count('\n') + body[end:]
        labels = list(CASE.finditer(body))
        names = [re.sub(r'\s', '', m[1]).rsplit('::', 2)[-2:] for m in labels if m[1] and '::' in m[1]]
        for m in labels:
            if m[2] and any(is_small(name, label, enums) for name, label in names):
                line = code.count('\n', 0, start) + body.count('\n', 0, m.start()) + 1
                out.append((line, f'"default:" in a switch over {names[0][0]}: list its enumerators'))
    return out


def is_table_row(path, line, unformatted):
    """Whether a line may be long: rows and headings of tables, and code that clang-format leaves alone."""
    if path.endswith('.md'):
        return unformatted or line.startswith('|')
    if line.lstrip().startswith(('//', '#')):  # heads of columns
        return unformatted and bool(HEADS.search(line))
    return unformatted or path.endswith(TABLES)


def check_text(path, text, words):
    """Broken rules of columns and words as (line, message)."""
    out, unformatted = [], False  # code that clang-format leaves alone; in a page: a block of commands
    for number, line in enumerate(text.splitlines(), 1):
        if path.endswith('.md'):
            unformatted ^= line.startswith('```')
        elif 'clang-format o' in line:
            unformatted = 'clang-format off' in line
        if len(line) > MOST_COLUMNS and not URL.search(line) and not is_table_row(path, line, unformatted):
            out.append((number, f'{len(line)} columns are more than {MOST_COLUMNS}'))
        out += [(number, f'"{word}": {GLOSSARY} has the word to write')
                for word in words.findall(USER.sub('', line))]
    return out


def check_file(path, text, code, words, enums):
    """Broken rules of one file that is not excepted. `code` is the text without_texts()."""
    out = check_text(path, text, words)
    if path.endswith(CODE):
        out += check_switches(code, enums)
    return out


def check_unreachable(path, text):
    message = f'{UNREACHABLE}: include "winsys/trap.h"'
    return [(number, message) for number, line in enumerate(text.splitlines(), 1) if UNREACHABLE in line]


def check_tree(files, words):
    """(files that pass, broken rules) of {path: text}."""
    codes = {path: without_texts(text) for path, text in files.items() if path.endswith(CODE)}
    enums = enumerations(codes.values())
    passed, broken = 0, []
    for path, text in files.items():
        rules = check_file(path, text, codes.get(path), words, enums) if path != GLOSSARY else []
        rules += check_unreachable(path, text) if path.endswith(CODE) else []
        broken += [f'{path}:{number}: {why}' for number, why in sorted(rules)]
        passed += not rules
    return passed, broken


def self_test():
    words = refused_words('| write | not | example |\n|---|---|---|\n'
                          f'| caller | `zork`, `so be`, `{USER_NAME}`, fine | "x" |\n')
    many = ', '.join(f'M{n}' for n in range(MOST_ENUMERATORS + 1))
    from_macro = '{\n#define ROW(x) x,\n#include "rows.inc"\n};'
    enums = enumerations(['enum class Few : uint8_t { A, B = 2, C };', 'enum class Many { ' + many + ' };',
                          'enum class Rows ' + from_macro, 'struct S { enum class Few { A, Z }; };',
                          'enum class Mixed { A };', 'enum class Mixed ' + from_macro])
    full, long_line = 'x' * MOST_COLUMNS, 'x' * (MOST_COLUMNS + 1)
    inner = 'switch (x) {\ncase %s:\nswitch (y) {\ncase %s: break;\n%s}\n%s}'
    cases = [  # path, text, the lines of the broken rules
        ('a.h', full, []),
        ('a.h', 'int x;\n' + long_line, [2]),
        ('a.h', 'é' * MOST_COLUMNS, []),
        ('a.py', long_line, [1]),
        ('a.md', long_line, [1]),
        ('a.md', '| ' + long_line, []),
        ('a.md', f'```sh\n{long_line}\n```\n{long_line}', [4]),
        ('a.md', 'https://x.org/' + long_line, []),
        ('a.inc', long_line, []),
        ('a.inc', '// ' + long_line, [1]),
        ('a.cpp', f'// clang-format off\n{long_line}\n// clang-format on\n{long_line}', [4]),
        ('a.cpp', f'// clang-format off\n// key    {long_line}\n// key  {long_line}', [3]),
        ('a.inc', f'// key    {long_line}', [1]),
        ('a.h', '// a zork is', [1]),
        ('a.h', 'Zork x;', [1]),
        ('a.h', 'zorks();  // fine', []),
        ('a.md', 'It may so  be', [1]),
        ('a.sh', f'runuser -u {USER_NAME}', []),
        ('a.sh', f'# {USER_NAME} waits', [1]),
        ('a.cpp', 'switch (x) {\ncase Few::A: f();\ndefault: g();\n}', [3]),
        ('a.cpp', 'switch (x) {\ncase ns::Few::A: f();\ncase Few::B: break;\n}', []),
        ('a.cpp', 'switch (x) {\ncase Many::M1: f();\ndefault: g();\n}', []),
        ('a.cpp', 'switch (x) {\ncase Rows::R: f();\ndefault: g();\n}', []),
        ('a.cpp', 'switch (x) {\ncase Mixed::A: f();\ndefault: g();\n}', []),
        ('a.cpp', 'switch (x) {\ncase GL_A: f();\ndefault: g();\n}', []),
        ('a.cpp', 'switch (x) {\ncase Few::Z:\ndefault: g();\n}', [3]),
        ('a.cpp', inner % ('1', 'Few::A', '', 'default: g();\n'), []),
        ('a.cpp', inner % ('Few::A', '1', 'default: h();\n', ''), []),
        ('a.cpp', 'switch (f(x)) {\n// default: of old\ncase Few::A: f("default:");\n}', []),
        ('a.cpp', "switch (x) {\ncase 'x': f();\ncase Few::A:\ndefault: g(1'000);\n}", [4]),
        ('a.py', 'default: x', [])]
    bad = [c for c in cases
           if [n for n, _ in check_file(c[0], c[1], without_texts(c[1]), words, enums)] != c[2]]
    trees = [  # files, how many broken rules
        ({'a/b.h': 'zork'}, 1),
        ({'a/b.h': 'fine', 'a/c.h': 'fine'}, 0),
        ({'a/b.h': f'zork {UNREACHABLE}();'}, 2),
        ({GLOSSARY: 'zork'}, 0),
        ({'README.md': 'zork'}, 1),
        ({'a/b.h': 'enum class E { A };', 'a/b.cpp': 'switch (x) {\n// default:\ncase E::A: f();\n}'}, 0),
        ({'a/b.h': 'enum class E { A };', 'a/b.cpp': 'switch (x) {\ncase E::A:\ndefault: f();\n}'}, 1)]
    bad += [t for t in trees if len(check_tree(t[0], words)[1]) != t[1]]
    bad += ['a glossary without words'] if refused_words('| write | not | example |') else []
    return len(cases) + len(trees) + 1 - len(bad), [f'self-test: {b}' for b in bad]


def main():
    passed, broken = self_test()
    root = pathlib.Path(sys.argv[1])
    words = refused_words((root / GLOSSARY).read_text())
    in_rooms = [p for room in ROOMS for p in (root / room).rglob('*') if p.suffix in ENDINGS]
    paths = sorted([*root.glob('*.md'), *in_rooms])
    files = {p.relative_to(root).as_posix(): p.read_text(errors='replace') for p in paths}
    if not words or not files:
        broken.append(f'{GLOSSARY} refuses no word, or there are no files')
    else:
        more, wrong = check_tree(files, words)
        passed, broken = passed + more, broken + wrong
    for line in broken:
        print(line)
    print(f'{passed} passed, {len(broken)} failed')
    sys.exit(bool(broken))


main()
