#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Checks the pages (*.md):
- links and paths lead to existing files;
- README and ARCHITECTURE have at most 100 lines, the glossary at most 80;
- the glossary has each word once and in order, and README and HACKING link to it;
- the page of the settings has the variables and debug words that the code has, and no other.
Prints each broken rule as file:line and ends with "N passed, N failed"."""
import pathlib
import re
import sys

MOST_LINES = {'README.md': 100, 'ARCHITECTURE.md': 100, 'GLOSSARY.md': 80}
GLOSSARY, LINKED_FROM = 'GLOSSARY.md', ('README.md', 'HACKING.md')
LINK = re.compile(r'\]\(([^)#\s]+)')
# Paths from the root, in backticks: a room, a slash, and an ending. Patterns, placeholders and build products
# do not match.
PATH = re.compile(r'`((?:api|state_tracker|pipe|shaders|drivers|winsys|tests|examples)/[\w./-]+'
                  r'\.(?:h|cpp|c|py|inc|def|txt|sh|tsv|md|rows|build))`')
MADE = {'state_tracker/gl_commands.h'}
SETTINGS = 'winsys/environment/README.md'
VARIABLE = re.compile(r'\{Variable::\w+, "(\w+)"')
WORD = re.compile(r'\{DebugWord::\w+, "([\w-]+)"')


def check_page(root, path):
    """Broken rules of one page as (line, message)."""
    out = []
    text = path.read_text()
    lines = text.splitlines()
    most = MOST_LINES.get(path.relative_to(root).as_posix(), len(lines))
    if len(lines) > most:
        out.append((len(lines), f'a page of at most {most} lines has {len(lines)}'))
    for number, line in enumerate(lines, 1):
        for target in LINK.findall(line):
            if not re.match(r'\w+:', target) and not (path.parent / target).exists():
                out.append((number, f'the link leads nowhere: {target}'))
        for target in PATH.findall(line):
            if target not in MADE and 'NAME' not in target and not (root / target).exists():
                out.append((number, f'there is no {target}'))
    return out


def check_settings(root):
    """Compares the tables of the code with the page."""
    page = (root / SETTINGS).read_text()
    in_code = set(VARIABLE.findall((root / 'winsys/environment/environment.cpp').read_text()))
    on_page = set(re.findall(r'`((?:[A-Z][A-Z0-9]*_)+[A-Z0-9]+|HOME|DISPLAY)`', page))
    out = [(1, f'{name}, which the code reads, is missing') for name in sorted(in_code - on_page)]
    out += [(1, f'{name} is none of the variables that the code reads') for name in sorted(on_page - in_code)]
    table = page[page.index('## TERRAZZO_DEBUG'):]
    words = set(WORD.findall((root / 'pipe/debug.cpp').read_text()))
    out += [(1, f'the debug word {w} is missing') for w in sorted(words)
            if not re.search(rf'[`=]{re.escape(w)}[`:]', table)]
    cells = ' '.join(re.findall(r'^\|([^|]*)\|', table, re.M))
    rows = set(re.findall(r'`([a-z0-9]+)[`=]', cells))
    out += [(1, f'{w} is no debug word of the code') for w in sorted(rows - words)]
    if not in_code or not words:
        out = [(1, 'the tables of the code are not where this test looks for them')]
    return out


def check_glossary(root):
    """Checks each table's first column: no word twice, the words of the house in order. And the links to the
    page."""
    out = [(1, f'{page} does not link to it') for page in LINKED_FROM
           if f'({GLOSSARY})' not in (root / page).read_text()]
    seen, last, ordered = set(), '', False
    for number, line in enumerate((root / GLOSSARY).read_text().splitlines(), 1):
        if line.startswith('## '):
            last, ordered = '', line == '## Words of the house'
        cells = [c.strip() for c in line.strip('|').split('|')] if line.startswith('|') else []
        if not cells or cells[0] in ('word', 'write') or set(cells[0]) <= {'-'}:
            continue
        if cells[0] in seen:
            out.append((number, f'"{cells[0]}" is there twice'))
        if ordered and cells[0].lower() < last:
            out.append((number, f'"{cells[0]}" is not in the order of the alphabet'))
        if not all(cells):
            out.append((number, f'"{cells[0]}" is not explained'))
        seen.add(cells[0])
        last = cells[0].lower()
    return out if seen else [(1, 'there are no words')]


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [p for p in sorted(root.rglob('*.md'))
             if not p.relative_to(root).parts[0].startswith(('.', 'build', 'out'))]
    passed = failed = 0
    results = [(p.relative_to(root).as_posix(), check_page(root, p)) for p in pages]
    results += [(SETTINGS, check_settings(root)), (GLOSSARY, check_glossary(root))]
    for name, broken in results:
        for number, why in broken:
            print(f'{name}:{number}: {why}')
        failed += len(broken)
        passed += not broken
    print(f'{passed} passed, {failed} failed')
    sys.exit(bool(failed) or not passed)


main()
