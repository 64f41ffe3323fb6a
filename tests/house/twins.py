#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Lists twins: functions of two vendors' rooms in drivers/ that have the same name and 60% or more of their
tokens in common (the vendors' names do not count). Such a function belongs in drivers/common.
Functions of one line do not count.

  python3 tests/house/twins.py .              the list, the longest first
  python3 tests/house/twins.py . --most 900   the sum; above 900 lines also the list, and exit status 1
  python3 tests/house/twins.py --self-test
"""
import argparse
import difflib
import itertools
import pathlib
import re
import sys

EQUAL = 0.6
LEAST_TOKENS = 12  # shorter functions are accessors, which may be equal
# A virtual GPU is written against its chip's documents: a driver's mistake must not hide in code that both
# share.
APART = {'sim'}
TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.\']*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|::|->|[^\s\w]')
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.S)
NOT_FUNCTIONS = {'if', 'for', 'while', 'switch', 'catch', 'return', 'sizeof', 'static_assert', 'alignas',
                 'decltype', 'requires'}
SCOPES = {'namespace', 'class', 'struct', 'union', 'extern'}


def tokens_of(text):
    """(token, offset) of each token; and the text without comments and directives: offsets are in it."""
    text = COMMENT.sub(' ', text)
    text = '\n'.join('' if line.lstrip().startswith('#') else line for line in text.split('\n'))
    return [(m.group(), m.start()) for m in TOKEN.finditer(text)], text


def name_of(head):
    """The name of the function that a head begins, or None if it is none."""
    depth = 0
    for i, t in enumerate(head):
        if t == '(' and depth == 0:
            if i == 0 or not re.match(r'[A-Za-z_]', head[i - 1]) or head[i - 1] in NOT_FUNCTIONS:
                return None
            return '=' not in head[:i] and head[i - 1] or None
        depth += t == '<'
        depth -= t == '>'
    return None


def ends_a_head(head):
    return head[-1] in (')', 'const', 'override', 'noexcept', 'final', '}') or '->' in head


def functions(text):
    """(name, tokens, lines) of each defined function, including methods."""
    tokens, plain = tokens_of(text)
    out, stack, head_at, i = [], [], 0, 0
    while i < len(tokens):
        t = tokens[i][0]
        if t == '{':
            head = [x for x, _ in tokens[head_at:i]]
            scope = SCOPES.intersection(head) and '(' not in head
            name = None if scope or 'enum' in head else name_of(head)
            if scope:
                stack.append('scope')
            else:
                end = matching(tokens, i)
                # A constructor's `member{value},`: its body follows.
                after = tokens[end + 1][0] if end + 1 < len(tokens) else ''
                if name and (after in (',', '{') or not ends_a_head(head)):
                    i = end + 1
                    continue
                if name:
                    body = [x for x, _ in tokens[head_at:end + 1]]
                    lines = plain[tokens[head_at][1]:tokens[end][1] + 1]
                    out.append((name, body, sum(1 for line in lines.split('\n') if line.strip())))
                i = end
            head_at = i + 1
        elif t == '}':
            if stack:
                stack.pop()
            head_at = i + 1
        elif t == ';' or (t == ':' and i and tokens[i - 1][0] in ('public', 'private', 'protected')):
            head_at = i + 1
        i += 1
    return out


def matching(tokens, i):
    depth = 0
    while i < len(tokens):
        depth += tokens[i][0] == '{'
        depth -= tokens[i][0] == '}'
        if depth == 0:
            return i
        i += 1
    return len(tokens) - 1


def of_vendor(root, vendor):
    """By name: (file, tokens without the vendor's name, lines)."""
    named = re.compile(vendor, re.I)
    out = {}
    for path in sorted((root / 'drivers' / vendor).rglob('*')):
        inside = path.relative_to(root / 'drivers' / vendor)
        if path.suffix not in ('.h', '.cpp') or inside.parts[0] in APART:
            continue
        for name, body, lines in functions(path.read_text(errors='replace')):
            if len(body) >= LEAST_TOKENS:
                out.setdefault(named.sub('vendor', name), []).append(
                    (path.relative_to(root).as_posix(), [named.sub('vendor', t) for t in body], lines))
    return out


def is_twin(a, b):
    if 2 * min(len(a), len(b)) < EQUAL * (len(a) + len(b)):
        return False
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio() >= EQUAL


def twins(root, vendors):
    """(lines, name, files) of each name that two rooms share."""
    rooms = {v: of_vendor(root, v) for v in vendors}
    out = []
    for a, b in itertools.combinations(vendors, 2):
        for name in sorted(rooms[a].keys() & rooms[b].keys()):
            taken = set()
            for file, body, lines in rooms[a][name]:
                for n, (other, theirs, their_lines) in enumerate(rooms[b][name]):
                    # What common code asks each vendor for is often one line, and looks alike.
                    if n not in taken and min(lines, their_lines) > 1 and is_twin(body, theirs):
                        taken.add(n)
                        out.append((min(lines, their_lines), name, file, other))
                        break
    return sorted(out, key=lambda t: (-t[0], t[1]))


def self_test():
    text = '''
    namespace a { // f() {
    struct S { int x() const { return x_ + y_ + z_; } enum class E { A, B }; int x_ = 3; };
    S::S(int v) : x_(v), y_{v} { set(v, 1); }
    template <class T> auto f(T t) -> int { if (t) { return g(t); } return "}"[0]; }
    constexpr int kTable[] = {1, 2, f(3)};
    int declared(int);
    }  // namespace a
    '''
    got = [(name, lines) for name, _, lines in functions(text)]
    wrong = [] if got == [('x', 1), ('S', 1), ('f', 1)] else [f'functions: {got}']
    if not is_twin(list('abcdefghij'), list('abcdefgxyz')) or is_twin(list('abcdefghij'), list('abcdexyzuv')):
        wrong.append('is_twin')
    for line in wrong:
        print('self-test:', line)
    return not wrong


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('root', nargs='?', default='.', type=pathlib.Path)
    p.add_argument('--most', type=int, help='lines that twins may have')
    p.add_argument('--vendors', default='', help='rooms of drivers/, with commas; else all with a compiler/')
    p.add_argument('--self-test', action='store_true')
    args = p.parse_args()
    good = self_test()
    if args.self_test or not good:
        return not good
    rooms = [d.parent.name for d in sorted((args.root / 'drivers').glob('*/compiler'))]
    found = twins(args.root, args.vendors.split(',') if args.vendors else rooms)
    total = sum(t[0] for t in found)
    if args.most is None or total > args.most:
        for lines, name, file, other in found:
            print(f'{lines:4} {name:28} {file}  {other}')
    print(f'{len(found)} functions with {total} lines are in two rooms')
    return args.most is not None and total > args.most


sys.exit(main())
