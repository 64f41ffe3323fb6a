#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Generates a function for each arithmetic instruction of a vendor's table, for instruction selection
(drivers/common/backend/emit.h):

    OP(kFaddF32, "FADD.f32", op(0x0A4, Unit::kFma)...dest().src(kF32Half).src(kF32Half).mods(kClamp))
    Ref fadd_f32(Sources<2> src, isa::Clamp clamp = isa::Clamp(0))

The sources are those of the row. Modifiers with names follow; those without a default come first. An
instruction is arithmetic if it has one destination and at least one source, and its row does not match --not
(messages, memory). Rows may begin with functions of the files --words; their bodies are read, too. This
script reads the text of the rows; the vendor's test compares the result with the compiled table, by the
number of sources in struct EmittedOp.

  gen_emitters.py --namespace terrazzo::mali::compiler --isa drivers/mali/isa --words row.h --not 'staged,...'
                  --out emitters.h
"""
import argparse
import pathlib
import re
import sys


def closing(text, at):
    """The index of the parenthesis or brace that closes the one at `at`; strings are skipped."""
    depth, i = 0, at
    while i < len(text):
        c = text[i]
        if c == '"':
            i = text.index('"', i + 1)
        elif c in '({':
            depth += 1
        elif c in ')}':
            depth -= 1
            if depth == 0:
                return i
        i += 1
    raise ValueError('no end: ' + text[at:at + 60])


def without_comments(text):
    return re.sub(r'//[^\n]*', '', text)


def arguments(text):
    """Split at commas outside of parentheses, braces and strings."""
    out, depth, start, i = [], 0, 0, 0
    while i < len(text):
        c = text[i]
        if c == '"':
            i = text.index('"', i + 1)
        elif c in '({':
            depth += 1
        elif c in ')}':
            depth -= 1
        elif c == ',' and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
        i += 1
    out.append(text[start:].strip())
    return out


def invocations(text, name):
    """The arguments of each NAME(...)."""
    for m in re.finditer(r'\b' + name + r'\(', text):
        yield arguments(text[m.end():closing(text, m.end() - 1)])


class Vendor:
    def __init__(self, folder, words, excluded):
        self.folder = folder
        self.words = {}  # name of a function -> its body
        for name in words:
            text = without_comments((folder / name).read_text())
            for m in re.finditer(r'constexpr Row (\w+)\([^;{]*\)\s*\{', text):
                self.words[m[1]] = text[m.end():closing(text, m.end() - 1)]
        self.excluded = re.compile(excluded)
        self.defaults = {type_: None if value == 'kNoDefault' else value
                         for type_, value in invocations(
                             without_comments((folder / 'enums.inc').read_text()), 'ENUM')}
        # Enumerator -> accessor and type, for modifiers and fields whose values have names.
        self.named = {}
        for file in ('modifiers.inc', 'fields.inc'):
            if (folder / file).exists():
                for row in invocations(without_comments((folder / file).read_text()), 'NAMED'):
                    self.named[row[0]] = (row[1], row[2])

    def expanded(self, text, depth=0):
        """The row's text, with the bodies of all functions that it calls."""
        if depth > 8:
            raise ValueError('row words call themselves')
        out = text
        for name in re.findall(r'(?<![.\w])(\w+)\(', text):
            if name in self.words:
                out += ' ' + self.expanded(self.words[name], depth + 1)
        return out

    def ops(self):
        for file in sorted(self.folder.glob('ops_*.inc')):
            for enumerator, name, *row in invocations(without_comments(file.read_text()), 'OP'):
                text = self.expanded(', '.join(row))
                sources = len(re.findall(r'\.(?:src|lane)\(', text))
                if len(re.findall(r'\.dest\(', text)) != 1 or not sources or self.excluded.search(text):
                    continue
                yield enumerator, name.strip('"'), sources, self.modifiers(text)

    def modifiers(self, text):
        """(accessor, type, default) in the order of the table of modifiers."""
        said = {word for name in ('mods', 'mod_at', 'number') for row in invocations(text, r'(?<=\.)' + name)
                for word in re.findall(r'\bk\w+', ' '.join(row))}
        return [(accessor, type_, self.defaults[type_])
                for enumerator, (accessor, type_) in self.named.items()
                if enumerator in said]


def function(enumerator, name, sources, modifiers, width):
    method = re.sub(r'\W', '_', name.lower())
    needed = [f'isa::{t} {a}' for a, t, default in modifiers if default is None]
    optional = [f'isa::{t} {a} = isa::{t}({default})' for a, t, default in modifiers if default is not None]
    parameters = ', '.join(
        [f'const Sources<{sources}>& src'] + needed + ([width] if width else []) + optional)
    passed = ', ' + width.split()[1] if width else ''
    lines = [f'    Ref {method}({parameters}) {{']
    if modifiers:
        lines += [f'        isa::Instr p = isa::make(isa::Op::{enumerator});']
        lines += [f'        p.set_{a}({a});' for a, _, _ in modifiers]
        lines += [f'        return self().alu(p, src.refs{passed});']
    else:
        lines += [f'        return self().alu(isa::Op::{enumerator}, src.refs{passed});']
    return method, '\n'.join(lines + ['    }'])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--namespace', required=True)
    parser.add_argument('--isa', required=True, type=pathlib.Path)
    parser.add_argument('--include', required=True)
    parser.add_argument('--words', nargs='+', required=True)
    parser.add_argument('--not', dest='excluded', required=True, help='of rows that are not arithmetic')
    parser.add_argument('--width', default='', help='a parameter of results: "bool half = false"')
    parser.add_argument('--out', required=True, type=pathlib.Path)
    args = parser.parse_args()
    vendor = Vendor(args.isa, args.words, args.excluded)
    functions, table, seen = [], [], set()
    for enumerator, name, sources, modifiers in vendor.ops():
        method, text = function(enumerator, name, sources, modifiers, args.width)
        if method in seen:
            sys.exit(f'gen_emitters.py: two instructions would be {method}()')
        seen.add(method)
        functions.append(text)
        table.append(f'    {{isa::Op::{enumerator}, {sources}}},')
    args.out.write_text(f'''// Made by gen_emitters.py of the table of instructions. Do not edit.
#pragma once
#include "drivers/common/backend/emit.h"
#include "{args.include}"

namespace {args.namespace} {{

/// The base of a selector `Self`: a function of each arithmetic instruction. Its result is a new word.
template <typename Self>
class Emitters {{
  protected:
    template <size_t kCount>
    using Sources = backend::Sources<Ref, kCount>;

''' + '\n'.join(functions) + f'''

  private:
    Self& self() {{ return static_cast<Self&>(*this); }}
}};

struct EmittedOp {{
    isa::Op op;
    unsigned sources;
}};
inline constexpr EmittedOp kEmittedOps[] = {{
''' + '\n'.join(table) + f'''
}};

}}  // namespace {args.namespace}
''')


if __name__ == '__main__':
    main()
