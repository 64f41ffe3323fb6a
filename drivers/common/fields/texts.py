# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""The text of an instr, from the form in its row `text FORM` (README.md): reads forms, and generates the
functions that print them."""
import re

from rows import RowError


def pieces(struct, form):
    """A list of: a literal; (field, base); (field, last, fields' count); (field, pieces, pieces)."""
    out, rest = [], form
    while rest:
        literal, brace, rest = rest.partition('{')
        if literal:
            out.append(literal)
        if not brace:
            break
        depth, end = 1, 0
        while depth and end < len(rest):
            depth += {'{': 1, '}': -1}.get(rest[end], 0)
            end += 1
        if depth:
            raise RowError(struct.text[0], f'{struct.name}: the text has no "}}" for a "{{"')
        out.append(piece(struct, rest[:end - 1]))
        rest = rest[end:]
    return out


def check_texts(tables):
    for struct in tables.structs.values():
        if struct.text is None:
            continue
        pieces(struct, struct.text[1])
        for name in re.findall(r'{(\w+)[}]', struct.text[1]):
            kind = struct.field(name).type
            if kind in tables.enums and not tables.enums[kind].texts:
                raise RowError(struct.text[0], f'{struct.name}: the enumerators of {kind} have no words')


def piece(struct, text):
    m = re.match(r'^(\w+)(?:(:X)|([*]|\.\.)(\w+)|(\?)(.*))?$', text, re.S)
    names = [n for n in (m[1], m[4]) if n] if m else [text]
    for name in names:
        field = struct.field(name)
        if field is None or field.count > 1 or field.const:
            raise RowError(struct.text[0], f'{struct.name}: the text names {name}, which is no field')
    if m[5]:
        yes, no = alternatives(m[6])
        return m[1], '?', pieces(struct, yes), pieces(struct, no)
    return m[1], m[2] or m[3] or '', m[4]


def alternatives(text):
    """The parts before and after the first "|" outside of braces."""
    depth = 0
    for at, c in enumerate(text):
        depth += {'{': 1, '}': -1}.get(c, 0)
        if c == '|' and not depth:
            return text[:at], text[at + 1:]
    return text, ''


def value(struct, name, upper):
    field, e = struct.field(name), f's.{name}'
    if field.type in ('hex', 'address') or upper:
        return f'fields::append_hex(&t, {e}, {str(bool(upper)).lower()});'
    if field.type in ('r32', 'r64'):
        return f'(t += "{register(field)}") += std::to_string({e});'
    if field.type in ('uint', 'int', 'bool'):
        return f't += std::to_string({e});'
    return f't += enum_text({e});'


def register(field):
    return 'r' if field.type == 'r32' else 'd'


def statements(struct, all_pieces, indent):
    out = []
    for p in all_pieces:
        if isinstance(p, str):
            out.append(f'{indent}t += "{p}";')
        elif p[1] == '?':
            for condition, part in ((f's.{p[0]}', p[2]), (f'!s.{p[0]}', p[3])):
                if part:
                    out += [f'{indent}if ({condition}) {{', *statements(struct, part, indent + '    '),
                            f'{indent}}}']
        elif p[1] == '*':
            out.append(f'{indent}fields::append_registers(&t, s.{p[0]}, s.{p[2]});')
        elif p[1] == '..':
            kind = register(struct.field(p[0]))
            out.append(f'{indent}(t += "{kind}") += std::to_string(s.{p[0]} + s.{p[2]} - 1);')
        else:
            out.append(indent + value(struct, p[0], p[1]))
    return out


def emit_text(struct, header, source):
    if struct.text is None:
        return
    header += ['/// In the assembler\'s form.', f'std::string text_of(const {struct.name}& s);', '']
    source += [f'std::string text_of([[maybe_unused]] const {struct.name}& s) {{', '    std::string t;',
               *statements(struct, pieces(struct, struct.text[1]), '    '), '    return t;', '}', '']


def emit_enum_text(enum, header, source):
    if not enum.texts:
        return
    header += ['/// The word of instructions\' texts; "unknown" where no enumerator has that value.',
               f'const char* enum_text({enum.name} value);', '']
    source += [f'const char* enum_text({enum.name} value) {{', '    switch (value) {']
    source += [f'        case {enum.name}::{name}: return "{enum.texts[name]}";'
               for name, _, _ in enum.values]
    source += ['    }', '    return "unknown";', '}', '']


def emit_visit(enum, structs, header):
    """For a family of instrs of 64 bits."""
    header += ['/// Unpacks the instruction that the word is, and calls f(instr, findings). False: no instr',
               '/// has the opcode.', 'template <typename F>',
               f'bool visit({enum.name} opcode, uint64_t word, const F& f) {{',
               '    const auto call = [&](auto instr) {', '        fields::ReservedBits found;',
               '        unpack(word, &instr, &found);', '        f(instr, found);', '        return true;',
               '    };', '    switch (opcode) {']
    header += [f'        case {enum.name}::{s.opcode[1]}: return call({s.name}{{}});' for s in structs]
    header += ['    }', '    return false;', '}', '']
