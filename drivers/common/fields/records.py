# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Generates the C++ of records: a header, followed by the parts whose flags in it are set."""


def part_dw(part):
    return part.struct.size_bits // 32


def times(part, header):
    return f'{header}.{part.count}' if part.count else '1'


def size(part, header):
    dw, count = part_dw(part), times(part, header)
    return f'{dw}' if count == '1' else f'{count} * {dw}'


def each(part, statement):
    """The statement for the part, or in a loop for each element of its array."""
    if not part.count:
        return statement.format(part=f's.{part.name}', label=f'"{part.name}"')
    label = f'("{part.name}[" + std::to_string(i) + "]").c_str()'
    text = statement.format(part=f's.{part.name}[i]', label=label)
    return f'for (unsigned i = 0; i < s.header.{part.count}; ++i) {{ {text} }}'


def emit_record(record, header, source):
    head = record.header
    if record.doc:
        header.append(f'/// {record.doc}')
    header += [f'struct {record.name} {{', f'    static constexpr unsigned kMost_dw = {record.most_dw};',
               f'    {head.name} header;  // its flags say which parts there are']
    header += [f'    {p.struct.name} {p.name}' + (f'[{p.most}]' if p.count else '') + '{};'
               for p in record.parts]
    header += ['};', f'/// The words of a {record.name} that begins with this header.',
               f'constexpr unsigned size_dw(const {head.name}& header) {{',
               f'    unsigned n = {head.size_bits // 32};']
    header += [f'    if (header.{p.flag}) n += {size(p, "header")};' for p in record.parts]
    header += ['    return n;', '}', '/// Returns size_dw(s.header), the words that were written.',
               f'constexpr unsigned pack(const {record.name}& s, uint32_t* out) {{',
               '    uint32_t* at = out;', f'    pack(s.header, at), at += {head.size_bits // 32};']
    for p in record.parts:
        statement = each(p, f'pack({{part}}, at), at += {part_dw(p)};')
        header.append(f'    if (s.header.{p.flag}) {statement}' if not p.count
                      else f'    if (s.header.{p.flag})\n        {statement}')
    header += ['    return unsigned(at - out);', '}',
               '/// Returns the words that were read. 0: the record is longer than words_dw, *out as it was.',
               f'unsigned unpack(const uint32_t* words, unsigned words_dw, {record.name}* out,',
               '                fields::ReservedBits* found);',
               f'void print(fields::Sink& sink, const {record.name}& s, unsigned indent = 0);', '']

    source += [f'unsigned unpack(const uint32_t* words, unsigned words_dw, {record.name}* out,',
               '                fields::ReservedBits* found) {', f'    {record.name} s;',
               '    fields::ReservedBits none;', '    fields::ReservedBits& report = found ? *found : none;',
               f'    if (words_dw < {head.size_bits // 32}) return 0;',
               '    fields::ReservedBits of_header;', '    unpack(words, &s.header, &of_header);',
               '    if (size_dw(s.header) > words_dw) return 0;', '    report.append(of_header, 0);',
               f'    unsigned at = {head.size_bits // 32};']
    for p in record.parts:
        read = ('{{ fields::ReservedBits part; unpack(words + at, &{part}, &part); '
                f'report.append(part, at); at += {part_dw(p)}; }}}}')
        source += [f'    if (s.header.{p.flag})', f'        {each(p, read)}']
    source += ['    *out = s;', '    return at;', '}', '',
               f'void print(fields::Sink& sink, const {record.name}& s, unsigned indent) {{',
               '    print(sink, s.header, indent);', '    fields::Printer p{sink, indent};']
    for p in record.parts:
        show = each(p, 'p.open({label}), print(sink, {part}, indent + 1);')
        source += [f'    if (s.header.{p.flag})', f'        {show}']
    source += ['}', '']
