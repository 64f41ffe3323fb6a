#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Generates C++ from row files (README.md): structs with defaults, pack (inline), unpack, printers, enums.

  gen_fields.py --namespace NS --header OUT.h --source OUT.cpp
                [--include H] [--source-include H] [--import ROWS] ROWS...
--import: rows whose types may be used here. Another run generates their code; --include names its header.
--source-include: a header with the functions that `print` names."""
import argparse
import pathlib
import sys

from check import check
from records import emit_record
from rows import Enum, Record, RowError, Struct, Tables
from texts import check_texts, emit_enum_text, emit_text, emit_visit

HEAD = '''// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Made by drivers/common/fields/gen_fields.py; change the row files instead.
'''


def enum_type(enum):
    return 'uint8_t' if enum.width <= 8 else 'uint16_t' if enum.width <= 16 else 'uint32_t'


def member_type(tables, field):
    if field.type in tables.structs or field.type in tables.enums:
        return field.type
    if field.type in ('bool', 'float'):
        return field.type
    if field.type.endswith('fixed'):
        return 'float'
    if field.type == 'int':
        return 'int32_t' if field.width <= 32 else 'int64_t'
    wide = field.type == 'address' or field.width + field.shr > 32
    return 'uint64_t' if wide else 'uint32_t'


def default_text(tables, field):
    if field.default is None:
        return ''
    if field.type in tables.enums:
        return f'{field.type}::{field.default}'
    if field.type == 'float' or field.type.endswith('fixed'):
        return f'{float(field.default)}f'
    return field.default


def element(field, base, i):
    return f'{base}.{field.name}' + (f'[{i}]' if field.count > 1 else '')


def condition(tables, field, base):
    def one(key, values):
        if not values:
            return 'false'
        if key.type == 'bool':
            return ('' if values == ['true'] else '!') + f'{base}.{key.name}' if len(values) == 1 else 'true'
        any_of = ' || '.join(f'{base}.{key.name} == {key.type}::{v}' for v in values)
        return any_of if len(values) == 1 else f'({any_of})'
    return ' && '.join(one(key, values) for key, values in field.when)


class Bits:
    """A scalar of a struct, of a nested one or of an array: its C++ expression and its first bit."""

    def __init__(self, field, expression, name, start, when):
        self.field, self.expression, self.name, self.start, self.when = field, expression, name, start, when


def flatten(tables, struct, base='s', name=None, offset=0, when=''):
    name = name or struct.name
    out = []
    for field in struct.fields:
        own = condition(tables, field, base)
        both = ' && '.join(c for c in (when, own) if c)
        for i in range(field.count):
            start = offset + field.start + i * field.stride
            expression, label = element(field, base, i), f'{name}.{field.name}'
            if field.type in tables.structs:
                out += flatten(tables, tables.structs[field.type], expression, label, start, both)
            else:
                out.append(Bits(field, expression, label, start, both))
    return out


def raw_expression(tables, bits):
    f, w, name = bits.field, bits.field.width, f'"{bits.name}"'
    if f.const:
        value = default_text(tables, f)
        return f'uint64_t({value})'
    e = bits.expression
    if f.type in tables.enums or f.type == 'bool':
        return f'fields::put_uint<{w}>(uint64_t({e}), {name})'
    if f.type == 'float':
        return f'fields::put_float({e})'
    if f.type.endswith('fixed'):
        return f'fields::put_fixed<{w}, {f.fraction}, {str(f.type[0] == "s").lower()}>({e})'
    if f.type == 'int':
        return f'fields::put_int<{w}>({e}, {name})'
    if f.minus:
        return f'fields::put_minus<{w}, {f.minus}>({e}, {name})'
    if f.shr:
        return f'fields::put_shr<{w}, {f.shr}>({e}, {name})'
    if f.align:
        return f'fields::put_align<{w}, {f.align}>({e}, {name})'
    if f.log2:
        return f'fields::put_log2<{w}>({e}, {name})'
    if f.groups:
        return f'fields::put_groups<{w}, {f.groups}>({e}, {name})'
    return f'fields::put_uint<{w}>({e}, {name})'


def emit_pack(tables, struct, out):
    flat = flatten(tables, struct)
    unused = '[[maybe_unused]] ' if all(b.field.const for b in flat) else ''
    out.append(f'constexpr void pack({unused}const {struct.name}& s, uint32_t* out) {{')
    words = [[] for _ in range((struct.size_bits + 31) // 32)]
    for n, bits in enumerate(flat):
        first, last = bits.start // 32, (bits.start + bits.field.width - 1) // 32
        raw = raw_expression(tables, bits)
        if first != last or bits.when:
            value = f'{bits.when} ? {raw} : 0' if bits.when else raw
            out.append(f'    const uint64_t b{n} = {value};')
            raw = f'b{n}'
        for word in range(first, last + 1):
            shift = bits.start - 32 * word
            shifted = f'{raw} << {shift}' if shift > 0 else f'{raw} >> {-shift}'
            words[word].append(shifted if shift else raw)
    for i, parts in enumerate(words):
        value = ' |\n             '.join(f'uint32_t({p})' for p in parts)
        out.append(f'    out[{i}] = {value or 0};')
    out.append('}')
    if struct.size_bits == 64:
        out += ['/// As the 64 bits that memory holds.',
                f'constexpr uint64_t pack64(const {struct.name}& s) {{',
                '    uint32_t words[2] = {};', '    pack(s, words);',
                '    return words[0] | uint64_t(words[1]) << 32;', '}']


def emit_struct(tables, struct, out):
    if struct.doc:
        out.append(f'/// {struct.doc}')
    out.append(f'struct {struct.name} {{')
    if struct.part:
        out.append(f'    static constexpr unsigned kSize_bits = {struct.size_bits};')
    else:
        out.append(f'    static constexpr unsigned kSize_B = {struct.size_bits // 8}, '
                   f'kSize_dw = {(struct.size_bits + 31) // 32}, kAlign_B = {struct.align_B};')
    if struct.opcode:
        opcodes, enumerator = struct.opcode[0].name, struct.opcode[1]
        out.append(f'    static constexpr {opcodes} kOpcode = {opcodes}::{enumerator};')
    if struct.register:
        r = struct.register
        out += [f'    static constexpr uint16_t kRegister = 0x{r.number:x}, kCount = {r.count}, '
                f'kStride = {r.stride};',
                '    /// The number of an element.',
                '    static constexpr uint16_t at(unsigned i) { return uint16_t(kRegister + i * kStride); }']
    if struct.packet:
        out.append(f'    static constexpr unsigned kLeast_dw = {struct.packet.least_dw};'
                   '  // a shorter payload lacks something')
    for f in struct.fields:
        if f.const:
            continue
        default = default_text(tables, f)
        dim = f'[{f.count}]' if f.count > 1 else ''
        value = f' = {default}' if default else '{}'
        if dim and default:
            value = '{' + ', '.join([default] * f.count) + '}'
        doc = f'  // {f.doc}' if f.doc else ''
        out.append(f'    {member_type(tables, f)} {f.name}{dim}{value};{doc}')
    out.append('};')
    emit_pack(tables, struct, out)
    out.append('/// Outputs everything but fields of other alternatives, which keep their defaults. '
               'True: nothing was found.')
    found = 'fields::ReservedBits* found = nullptr'
    out.append(f'bool unpack(const uint32_t* words, {struct.name}* s, {found});')
    if struct.size_bits == 64:
        out += [f'inline bool unpack(uint64_t bits, {struct.name}* s, {found}) {{',
                '    const uint32_t words[2] = {uint32_t(bits), uint32_t(bits >> 32)};',
                '    return unpack(words, s, found);', '}']
    out.append(f'void print(fields::Sink& sink, const {struct.name}& s, unsigned indent = 0' +
               (', unsigned words_dw = ' + str(struct.size_bits // 32) if struct.packet else '') + ');')
    if struct.register and struct.size_bits == 32:
        out += [f'constexpr uint32_t pack32(const {struct.name}& s) {{', '    uint32_t word = 0;',
                '    pack(s, &word);', '    return word;', '}']
    out.append('')


def emit_unpack(tables, struct, out):
    flat = flatten(tables, struct)
    out.append(f'bool unpack(const uint32_t* words, {struct.name}* out, fields::ReservedBits* found) {{')
    out += [f'    {struct.name} s;', '    fields::ReservedBits none;',
            '    fields::ReservedBits& report = found ? *found : none;',
            '    const unsigned before = report.count;']
    masks = [[0, []] for _ in range((struct.size_bits + 31) // 32)]
    for n, bits in enumerate(sorted(flat, key=lambda b: bool(b.when))):
        f = bits.field
        get = f'fields::get<{bits.start}, {f.width}>(words)'
        lines = [f'const uint64_t v = {get};'] + unpack_value(tables, bits)
        if f.type == 'bool' and not f.const:
            lines = [f'{bits.expression} = {get} != 0;']
        head = f'if ({bits.when}) {{' if bits.when else '{'
        out.append(f'    {head}')
        out += [f'        {line}' for line in lines]
        for word in range(bits.start // 32, (bits.start + f.width - 1) // 32 + 1):
            low, high = max(bits.start - 32 * word, 0), min(bits.start + f.width - 32 * word, 32)
            mask = ((1 << high) - 1) & ~((1 << low) - 1)
            if bits.when:
                masks[word][1].append((bits.when, mask))
            else:
                masks[word][0] |= mask
        out.append('    }')
    for word, (mask, conditional) in enumerate(masks):
        limit = min(struct.size_bits - 32 * word, 32)
        free = ((1 << limit) - 1) & ~mask
        if not free:
            continue
        used = ''.join(f' & ~({when} ? 0x{m:x}u : 0u)' for when, m in conditional)
        out.append(f'    if (const uint32_t set = words[{word}] & 0x{free:x}u{used}) '
                   f'report.add(nullptr, {word}, set);')
    out += ['    *out = s;', '    return report.count == before;', '}', '']


def unpack_value(tables, bits):
    f, e = bits.field, bits.expression
    label = f'"{bits.name}"'
    if f.const:
        return [f'if (v != uint64_t({default_text(tables, f)})) report.add({label}, 0, v);']
    if f.type in tables.enums:
        return [f'{e} = {f.type}(v);',
                f'if (v > {tables_limit(tables, f)} || !enum_name({e})) report.add({label}, 0, v);']
    if f.type == 'float':
        return [f'{e} = fields::get_float(v);']
    if f.type.endswith('fixed'):
        return [f'{e} = fields::get_fixed<{f.width}, {f.fraction}, {str(f.type[0] == "s").lower()}>(v);']
    if f.type == 'int':
        return [f'{e} = {member_type(tables, f)}(fields::sign_extend<{f.width}>(v));']
    kind = member_type(tables, f)
    if f.log2:
        # A uint holds 2^31 at most: larger numbers are reported.
        return [f'if (v > 31) report.add({label}, 0, v);', f'{e} = {kind}(1) << (v & 31);']
    if f.groups:
        return [f'{e} = {kind}(v ? v : {1 << f.width}) * {f.groups};']
    text = f'v + {f.minus}' if f.minus else f'v << {f.shr}' if f.shr else 'v'
    return [f'{e} = {kind}({text});']


def tables_limit(tables, field):
    return (1 << {'uint8_t': 8, 'uint16_t': 16, 'uint32_t': 32}[enum_type(tables.enums[field.type])]) - 1


def print_call(tables, field, expression, name):
    if field.print_fn:
        return f'{field.print_fn}(p, {name}, {expression});'
    if field.type in tables.enums:
        return f'p.enumerator({name}, enum_name({expression}), uint64_t({expression}));'
    method = {'uint': 'number', 'int': 'integer', 'bool': 'flag', 'hex': 'hex', 'address': 'hex',
              'bits': 'bits'}
    if field.type in ('r32', 'r64'):
        return f"p.reg({name}, '{'r' if field.type == 'r32' else 'd'}', {expression});"
    return f'p.{method.get(field.type, "real")}({name}, {expression});'


def emit_print(tables, struct, out):
    words = ', [[maybe_unused]] unsigned words_dw' if struct.packet else ''
    out.append(f'void print(fields::Sink& sink, [[maybe_unused]] const {struct.name}& s, '
               f'unsigned indent{words}) {{')
    out.append('    [[maybe_unused]] fields::Printer p{sink, indent};')
    for f in struct.fields:
        if f.const:
            continue
        when = condition(tables, f, 's')
        last_dw = (f.start + (f.count - 1) * f.stride + f.width - 1) // 32
        if struct.packet and last_dw >= struct.packet.least_dw:
            when = ' && '.join(c for c in (when, f'words_dw > {last_dw}') if c)
        for i in range(f.count):
            name = f'"{f.name}[{i}]"' if f.count > 1 else f'"{f.name}"'
            e = element(f, 's', i)
            call = (f'p.open({name}), print(sink, {e}, indent + 1);' if f.type in tables.structs
                    else print_call(tables, f, e, name))
            out.append(f'    if ({when}) {call}' if when else f'    {call}')
    out += ['}', '']


def emit_registers(tables, block, header, source):
    width = 'uint16_t' if any(first + count > 256 for _, first, count, _, _ in block.rows) else 'uint8_t'
    header += [f'struct {block.name} {{', f'    enum : {width} {{']
    header += [f'        {name} = {first},' + (f'  // {doc}' if doc else '')
               for name, first, _, _, doc in block.rows]
    header += ['    };', '    static std::span<const fields::RegisterRow> rows();', '};', '']
    source += [f'std::span<const fields::RegisterRow> {block.name}::rows() {{',
               '    static constexpr fields::RegisterRow kRows[] = {']
    for name, first, count, kind, _ in block.rows:
        if kind in tables.structs:
            body = (f'{kind} s; fields::ReservedBits found; unpack(words, &s, &found); '
                    'fields::Printer{sink, indent}.open(name); print(sink, s, indent + 1); '
                    'found.print(sink, indent + 1);')
        else:
            value = 'words[0] | uint64_t(words[1]) << 32' if count == 2 else 'words[0]'
            if kind in tables.enums:
                call = f'.enumerator(name, enum_name({kind}(v)), v)'
            elif kind == 'float':
                call = '.real(name, fields::get_float(v))'
            elif kind == 'int':
                call = '.integer(name, int32_t(v))'
            else:
                call = '.hex(name, v)' if kind in ('hex', 'address') else '.number(name, v)'
            body = f'const uint64_t v = {value}; fields::Printer{{sink, indent}}{call};'
        source.append(f'        {{"{name}", {first}, {count}, [](fields::Sink& sink, const char* name, '
                      f'const uint32_t* words, unsigned indent) {{ {body} }}}},')
    source += ['    };', '    return kRows;', '}', '']


UNPACK = '{0} s; fields::ReservedBits found; unpack(words, &s, &found);'


def emit_bank(bank, header, source):
    header += [f'/// The registers, by rising number of their first elements.', f'struct {bank.name} {{',
               '    static std::span<const fields::RegisterRow> rows();', '};', '']
    source += [f'std::span<const fields::RegisterRow> {bank.name}::rows() {{',
               '    static constexpr fields::RegisterRow kRows[] = {']
    for struct in sorted(bank.registers, key=lambda s: s.register.number):
        r = struct.register
        body = (UNPACK.format(struct.name) + ' fields::Printer{sink, indent}.open(name); '
                'print(sink, s, indent + 1); found.print(sink, indent + 1);')
        source.append(f'        {{"{struct.name}", 0x{r.number:x}, {r.words}, '
                      '[](fields::Sink& sink, const char* name, const uint32_t* words, '
                      f'unsigned indent) {{ {body} }}, {r.count}, {r.stride}}},')
    source += ['    };', '    return kRows;', '}', '']


def emit_packets(packets, header, source):
    header += [f'/// The payload of an opcode; null where nothing is known of it.',
               f'const fields::PacketRow* packet_row({packets.name} opcode);', '']
    source += [f'const fields::PacketRow* packet_row({packets.name} opcode) {{', '    switch (opcode) {']
    known = {s.packet.enumerator: s for s in packets.structs}
    for enumerator, _, _ in packets.enum.values:
        struct = known.get(enumerator)
        if not struct:
            continue
        body = UNPACK.format(struct.name) + ' print(sink, s, indent, words_dw); found.print(sink, indent);'
        source += [f'        case {packets.name}::{enumerator}: {{',
                   '            static constexpr fields::PacketRow kRow{'
                   f'{struct.packet.least_dw}, {struct.size_bits // 32}, '
                   f'{str(struct.packet.repeats).lower()}, '
                   '[](fields::Sink& sink, const uint32_t* words, unsigned words_dw, unsigned indent) '
                   f'{{ {body} }}}};',
                   '            return &kRow;', '        }']
    source += ['        default:', '            return nullptr;', '    }', '}', '']


def emit_enum(enum, header, source):
    header.append(f'enum class {enum.name} : {enum_type(enum)} {{')
    header += [f'    {name} = {number},' + (f'  // {doc}' if doc else '')
               for name, number, doc in enum.values]
    header += ['};', '/// Its name in the table; null where no enumerator has that value.',
               f'const char* enum_name({enum.name} value);', '']
    source += [f'const char* enum_name({enum.name} value) {{', '    switch (value) {']
    source += [f'        case {enum.name}::{name}: return "{name}";' for name, _, _ in enum.values]
    source += ['    }', '    return nullptr;', '}', '']


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--namespace', required=True)
    parser.add_argument('--header', required=True)
    parser.add_argument('--source', required=True)
    parser.add_argument('--include', action='append', default=[])
    parser.add_argument('--source-include', action='append', default=[])
    parser.add_argument('--import', dest='imported', action='append', default=[])
    parser.add_argument('rows', nargs='+')
    args = parser.parse_args()
    tables = Tables()
    try:
        for path in args.imported:
            tables.read(path, imported=True)
        for path in args.rows:
            tables.read(path)
        check(tables)
        check_texts(tables)
    except RowError as error:
        sys.exit(str(error))
    header = [HEAD + '#pragma once', '', '#include <cstdint>', '#include <span>', '#include <string>', '',
              '#include "drivers/common/fields/fields.h"']
    header += [f'#include "{h}"' for h in args.include] + ['', f'namespace {args.namespace} {{', '']
    source = [HEAD + f'#include "{pathlib.Path(args.header).name}"', '']
    source += [f'#include "{h}"' for h in args.source_include] + ['', f'namespace {args.namespace} {{', '']
    for block in tables.order:
        if block.imported:
            continue
        if isinstance(block, Enum):
            emit_enum(block, header, source)
            emit_enum_text(block, header, source)
        elif isinstance(block, Struct):
            emit_struct(tables, block, header)
            emit_unpack(tables, block, source)
            emit_print(tables, block, source)
            emit_text(block, header, source)
        elif isinstance(block, Record):
            emit_record(block, header, source)
        else:
            emit_registers(tables, block, header, source)
    for bank in tables.banks.values():
        if bank.registers and not bank.registers[0].imported:
            emit_bank(bank, header, source)
    for enum in tables.enums.values():
        instrs = [s for s in tables.structs.values() if s.opcode and not s.packet and s.opcode[0] is enum]
        if instrs and not enum.imported and all(s.size_bits == 64 for s in instrs):
            emit_visit(enum, instrs, header)
    for packets in tables.packets.values():
        if not packets.enum.imported:
            emit_packets(packets, header, source)
    end = f'}}  // namespace {args.namespace}'
    pathlib.Path(args.header).write_text('\n'.join(header + [end]) + '\n', encoding='utf-8')
    pathlib.Path(args.source).write_text('\n'.join(source + [end]) + '\n', encoding='utf-8')


main()
