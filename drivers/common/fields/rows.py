# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Reads row files: descriptions of the bits of hardware structures. README.md has the format.

Errors in a row raise RowError('FILE:LINE: what') here: nothing is generated from a table that contradicts
itself."""
import re


class RowError(Exception):
    def __init__(self, where, what):
        super().__init__(f'{where[0]}:{where[1]}: {what}')


class Enum:
    def __init__(self, name, where):
        self.name, self.where, self.imported = name, where, False
        self.values = []  # (name, number, doc)
        self.texts = {}   # by name; all values have one, or none has

    def number(self, name):
        return next((n for v, n, _ in self.values if v == name), None)

    @property
    def width(self):
        return max([n.bit_length() for _, n, _ in self.values] + [1])


class Field:
    """One row: bits [start, start + width) of the structure, `count` times every `stride` bits."""

    def __init__(self, name, where):
        self.name, self.where = name, where
        self.start = self.width = self.stride = 0
        self.count = 1
        self.type, self.fraction = '', 0
        self.minus = self.shr = self.align = self.groups = 0
        self.log2 = self.const = False
        self.print_fn = None
        self.when = []      # [(key field, {values})]: all must hold; values are enumerators or numbers
        self.default = None  # text of the row
        self.doc = ''

    def modifiers(self):
        """Those that change the stored number."""
        return [m for m in (self.minus, self.shr, self.align, self.groups, self.log2) if m]

    def bits(self):
        starts = [self.start + i * self.stride for i in range(self.count)]
        return {b for start in starts for b in range(start, start + self.width)}


class Struct:
    def __init__(self, name, where, size_bits, align_B, part):
        self.name, self.where, self.size_bits, self.align_B, self.part = name, where, size_bits, align_B, part
        self.fields, self.opcode, self.imported, self.doc = [], None, False, ''
        self.register = None  # of a bank: where it is
        self.packet = None    # of packets: how long its payload is
        self.text = None      # of an instr: where, and the form

    def field(self, name):
        return next((f for f in self.fields if f.name == name), None)


class Registers:
    def __init__(self, name, where):
        self.name, self.where, self.imported = name, where, False
        self.rows = []  # (name, first, count, type, doc)


class Record:
    """A header, followed by the parts whose flags in it are set."""

    def __init__(self, name, where, header, doc):
        self.name, self.where, self.header, self.doc, self.imported = name, where, header, doc, False
        self.parts = []

    @property
    def most_dw(self):
        return self.header.size_bits // 32 + sum(p.struct.size_bits // 32 * p.most for p in self.parts)


class Part:
    """A struct of a record: `most` times at most, `count` of the header times; there if its `flag` is set."""

    def __init__(self, name, struct, flag, count, most):
        self.name, self.struct, self.flag, self.count, self.most = name, struct, flag, count, most


class Register:
    """A register's place in its bank: `count` elements of `words` registers, `stride` registers apart."""

    def __init__(self, bank, number, words, count, stride):
        self.bank, self.number, self.words, self.count, self.stride = bank, number, words, count, stride

    def numbers(self):
        return {self.number + i * self.stride + w for i in range(self.count) for w in range(self.words)}


class Bank:
    def __init__(self, name, where):
        self.name, self.where, self.imported = name, where, False
        self.registers = []  # structs


class Packet:
    """A packet's payload: `least_dw` words up to the struct's size. `repeats`: a list of such structs."""

    def __init__(self, packets, enumerator, least_dw, repeats):
        self.packets, self.enumerator, self.least_dw, self.repeats = packets, enumerator, least_dw, repeats


class Packets:
    """An enum of opcodes, and the payloads that have a struct."""

    def __init__(self, enum):
        self.enum, self.name, self.structs, self.imported = enum, enum.name, [], False


SCALARS = {'uint', 'int', 'bool', 'float', 'bits', 'hex', 'address', 'r32', 'r64'}
NAME = re.compile(r'^[A-Za-z][A-Za-z0-9_]*$')
# Keywords of C++, which no field or enumerator may have as its name.
RESERVED = {'default', 'signed', 'unsigned', 'register', 'union', 'struct', 'enum', 'int', 'float', 'bool',
            'new', 'delete', 'this', 'operator', 'private', 'public', 'return', 'switch', 'case', 'and', 'or',
            'not', 'xor', 'double', 'const', 'short', 'long', 'char', 'auto', 'static', 'if', 'else', 'for',
            'while', 'do', 'break', 'continue', 'true', 'false'}


class Tables:
    """All blocks of the row files, by name; families of instructions by the name of their opcode enum."""

    def __init__(self):
        self.enums, self.structs, self.registers, self.families = {}, {}, {}, {}
        self.banks, self.packets, self.records = {}, {}, {}
        self.taken = {}  # register number -> name of the register, for all banks
        self.order = []

    def read(self, path, imported=False):
        block = family = None
        with open(path, encoding='utf-8') as f:
            for number, text in enumerate(f, 1):
                where = (path, number)
                if isinstance(block, Struct) and text.split()[:1] == ['text']:
                    self.text_row(block, text.strip()[len('text'):].strip(), where)
                    continue
                body, _, doc = text.partition('#')
                words, doc = body.split(), doc.strip()
                if not words:
                    continue
                if body[0].isspace():
                    if block is None:
                        raise RowError(where, 'a row outside of a block')
                    self.row(block, words, where, doc)
                else:
                    block, family = self.head(words, where, doc, family)
                    if block is not None:
                        block.imported = imported

    # ---- Heads of blocks ----
    def head(self, words, where, doc, family):
        kind = words[0]
        if kind == 'family':
            return None, self.family(words, where)
        if kind == 'bank':
            return None, self.bank(words, where)
        makers = {'enum': self.enum, 'struct': self.struct, 'instr': self.instr,
                  'registers': self.register_block, 'reg': self.reg,
                  'packets': self.packets_block, 'packet': self.packet, 'record': self.record}
        if kind not in makers:
            raise RowError(where, f'unknown kind of block "{kind}"')
        block = makers[kind](words, where, doc, family)
        self.order.append(block)
        if kind == 'packets':
            family = self.packets[block.name]
        return block, family

    def new_name(self, name, where):
        if not NAME.match(name):
            raise RowError(where, f'"{name}" is no name')
        for table in (self.enums, self.structs, self.registers, self.banks, self.records):
            if name in table:
                first = table[name].where
                raise RowError(where, f'{name} is defined twice (first {first[0]}:{first[1]})')
        if name in SCALARS:
            raise RowError(where, f'{name} is a built-in type')

    def enum(self, words, where, doc, family):
        if len(words) != 2:
            raise RowError(where, 'want: enum NAME')
        self.new_name(words[1], where)
        block = self.enums[words[1]] = Enum(words[1], where)
        return block

    def struct(self, words, where, doc, family):
        m = re.match(r'^struct (\w+) (bits )?(\d+)( align (\d+))?$', ' '.join(words))
        if not m or (m.group(2) and m.group(4)):
            raise RowError(where, 'want: struct NAME BYTES [align BYTES], or struct NAME bits N')
        self.new_name(m.group(1), where)
        size_bits = int(m.group(3)) * (1 if m.group(2) else 8)
        if size_bits == 0 or (not m.group(2) and size_bits % 32):
            raise RowError(where, 'a struct is a whole number of 32-bit words, at least one')
        align_B = int(m.group(5) or 4)
        if align_B & (align_B - 1):
            raise RowError(where, f'an alignment of {align_B} is no power of two')
        block = self.structs[m.group(1)] = Struct(m.group(1), where, size_bits, align_B, bool(m.group(2)))
        block.doc = doc
        return block

    def family(self, words, where):
        m = re.match(r'^family (\w+) (\S+) (\d+) size (\d+)$', ' '.join(words))
        if not m:
            raise RowError(where, 'want: family ENUM WORD:BIT WIDTH size BYTES')
        self.new_name(m.group(1), where)
        enum = self.enums[m.group(1)] = Enum(m.group(1), where)
        self.order.append(enum)
        return {'enum': enum, 'start': self.position(m.group(2), where), 'width': int(m.group(3)),
                'size': int(m.group(4))}

    def instr(self, words, where, doc, family):
        m = re.match(r'^instr (\w+) (\w+) (\w+)(?: size (\d+))?$', ' '.join(words))
        if not m:
            raise RowError(where, 'want: instr STRUCT ENUMERATOR OPCODE [size BYTES]')
        if not isinstance(family, dict):
            raise RowError(where, 'an instr needs a family above it')
        name, enumerator, value = m.group(1), m.group(2), self.integer(m.group(3), where)
        self.new_name(name, where)
        for other, number, _ in family['enum'].values:
            if number == value:
                raise RowError(where, f'opcode {value} is {other} already')
        self.row(family['enum'], [enumerator, m.group(3)], where, doc)
        if value >> family['width']:
            raise RowError(where, f'opcode {value} does not fit in {family["width"]} bits')
        size_B = int(m.group(4) or family['size'])
        if size_B % 2 or size_B == 0:
            raise RowError(where, f'{name}: {size_B} bytes are not a whole number of 16-bit words')
        align_B = min(size_B & -size_B, family['size'])
        block = self.structs[name] = Struct(name, where, size_B * 8, align_B, False)
        block.doc, block.opcode = doc, (family['enum'], enumerator)
        opcode = Field('opcode', where)
        opcode.start, opcode.width, opcode.stride = family['start'], family['width'], family['width']
        opcode.type, opcode.const, opcode.default = family['enum'].name, True, enumerator
        block.fields.append(opcode)
        return block

    def register_block(self, words, where, doc, family):
        if len(words) != 2:
            raise RowError(where, 'want: registers NAME')
        self.new_name(words[1], where)
        block = self.registers[words[1]] = Registers(words[1], where)
        return block

    def record(self, words, where, doc, family):
        if len(words) != 3:
            raise RowError(where, 'want: record NAME HEADER')
        self.new_name(words[1], where)
        header = self.structs.get(words[2])
        if header is None or header.size_bits % 32:
            raise RowError(where, f'{words[1]}: {words[2]} is no struct of whole words above')
        block = self.records[words[1]] = Record(words[1], where, header, doc)
        return block

    def record_row(self, block, words, where):
        m = re.match(r'^(\w+)(?:\[(\d+)\])? (\w+)(?: if (\w+))?(?: times (\w+))?$', ' '.join(words))
        if not m or bool(m.group(2)) != bool(m.group(5)):
            raise RowError(where, 'want: NAME STRUCT [if FLAG], or NAME[MOST] STRUCT [if FLAG] times FIELD')
        name, flag, count = m.group(1), m.group(4) or m.group(1), m.group(5)
        struct, most = self.structs.get(m.group(3)), int(m.group(2) or 1)
        if struct is None or struct.size_bits % 32:
            raise RowError(where, f'{block.name}.{name}: {m.group(3)} is no struct of whole words above')
        if any(p.name == name for p in block.parts):
            raise RowError(where, f'{block.name}.{name} is defined twice')
        key = block.header.field(flag)
        if key is None or key.type != 'bool' or key.when or key.count > 1:
            raise RowError(where, f'{block.name}.{name}: {block.header.name}.{flag} is no plain bool')
        if count:
            times = block.header.field(count)
            if times is None or times.type != 'uint' or times.when or times.count > 1:
                raise RowError(where, f'{block.name}.{name}: {block.header.name}.{count} is no plain uint')
            if times.modifiers() not in ([], [times.minus]):
                raise RowError(where, f'{block.name}.{name}: {count} may only have the modifier minus')
            if (1 << times.width) - 1 + times.minus > most:
                raise RowError(where, f'{block.name}.{name}: {count} may be more than {most}')
        block.parts.append(Part(name, struct, flag, count, most))

    def bank(self, words, where):
        if len(words) != 2:
            raise RowError(where, 'want: bank NAME')
        self.new_name(words[1], where)
        block = self.banks[words[1]] = Bank(words[1], where)
        return block

    def reg(self, words, where, doc, family):
        m = re.match(r'^reg (\w+)(?:\[(\d+)\])? (\w+)'
                     r'(?: ([a-z]\w*(?:\(\d+\))?|[A-Z]\w*))??(?: every (\d+))?$', ' '.join(words))
        if not m:
            raise RowError(where, 'want: reg NAME[COUNT] NUMBER [TYPE|wide] [every STRIDE]')
        if not isinstance(family, Bank):
            raise RowError(where, 'a reg needs a bank above it')
        name, count, kind = m.group(1), int(m.group(2) or 1), m.group(4)
        number = self.integer(m.group(3), where)
        self.new_name(name, where)
        bits = self.structs[kind].size_bits if kind in self.structs else 32
        if kind in ('address', 'hex64', 'wide'):
            bits = 64
        stride = int(m.group(5) or bits // 32)
        block = self.structs[name] = Struct(name, where, bits, 4, False)
        block.doc = doc
        block.register = Register(family, number, bits // 32, count, stride)
        if count < 1 or (count > 1 and stride < bits // 32):
            raise RowError(where, f'{name}: elements every {stride} registers are '
                                  f'{bits // 32} registers long')
        if max(block.register.numbers()) > 0xffff:
            raise RowError(where, f'{name}: a register number has 16 bits')
        for taken in sorted(block.register.numbers()):
            if taken in self.taken:
                raise RowError(where, f'register 0x{taken:x} of {name} is {self.taken[taken]} already')
            self.taken[taken] = name
        if kind and kind != 'wide':
            kind = 'hex' if kind == 'hex64' else kind
            block.fields.append(self.field_row(['value', '0', str(bits), kind], where, ''))
        family.registers.append(block)
        return block

    def packets_block(self, words, where, doc, family):
        if len(words) != 2:
            raise RowError(where, 'want: packets NAME')
        block = self.enum(words, where, doc, family)
        self.packets[block.name] = Packets(block)
        return block

    def packet(self, words, where, doc, family):
        m = re.match(r'^packet (\w+) (\w+) (\d+)(?: least (\d+))?( repeats)?$', ' '.join(words))
        if not m:
            raise RowError(where, 'want: packet STRUCT ENUMERATOR WORDS [least WORDS] [repeats]')
        if not isinstance(family, Packets):
            raise RowError(where, 'a packet needs packets above it')
        name, enumerator, size_dw = m.group(1), m.group(2), int(m.group(3))
        least_dw = int(m.group(4) or size_dw)
        self.new_name(name, where)
        if family.enum.number(enumerator) is None:
            raise RowError(where, f'{family.name} has no {enumerator}')
        if any(s.packet.enumerator == enumerator for s in family.structs):
            raise RowError(where, f'{enumerator} has a packet already')
        if not 1 <= least_dw <= size_dw <= 255:
            raise RowError(where, f'{name}: at least {least_dw} of {size_dw} words')
        block = self.structs[name] = Struct(name, where, size_dw * 32, 4, False)
        block.doc, block.opcode = doc, (family.enum, enumerator)
        block.packet = Packet(family, enumerator, least_dw, bool(m.group(5)))
        family.structs.append(block)
        return block

    # ---- Rows ----
    def row(self, block, words, where, doc):
        if not NAME.match(words[0].split('[')[0]) or words[0] in RESERVED:
            raise RowError(where, f'"{words[0]}" is no name')
        if isinstance(block, Enum):
            if len(words) not in (2, 3):
                raise RowError(where, 'want: ENUMERATOR NUMBER [TEXT]')
            value = self.integer(words[1], where)
            for name, number, _ in block.values:
                if name == words[0]:
                    raise RowError(where, f'{block.name}.{name} is defined twice')
                if number == value:
                    raise RowError(where, f'{block.name}: {value} is {name} already')
            if block.values and bool(block.texts) != (len(words) == 3):
                raise RowError(where, f'{block.name}: all enumerators have a text, or none has')
            block.values.append((words[0], value, doc))
            block.texts.update({words[0]: words[2]} if len(words) == 3 else {})
        elif isinstance(block, Registers):
            self.register_row(block, words, where, doc)
        elif isinstance(block, Record):
            self.record_row(block, words, where)
        else:
            field = self.field_row(words, where, doc)
            if block.field(field.name):
                raise RowError(where, f'{block.name}.{field.name} is defined twice')
            block.fields.append(field)

    @staticmethod
    def text_row(block, form, where):
        if block.opcode is None or block.packet or block.text:
            raise RowError(where, 'only an instr has a text, and only one')
        block.text = where, form

    def register_row(self, block, words, where, doc):
        if len(words) != 4:
            raise RowError(where, 'want: NAME FIRST COUNT TYPE')
        first, count = self.integer(words[1], where), self.integer(words[2], where)
        for name, other, n, _, _ in block.rows:
            if name == words[0]:
                raise RowError(where, f'{block.name}.{name} is defined twice')
            if first < other + n and other < first + count:
                raise RowError(where, f'{block.name}: registers of {words[0]} overlap those of {name}')
        if words[3] not in SCALARS | set(self.structs) | set(self.enums):
            raise RowError(where, f'unknown type "{words[3]}"')
        if words[3] in self.structs and self.structs[words[3]].size_bits != 32 * count:
            raise RowError(where, f'{words[3]} is not {count} registers long')
        block.rows.append((words[0], first, count, words[3], doc))

    def field_row(self, words, where, doc):
        m = re.match(r'^(\w+)(?:\[(\d+)\])?$', words[0])
        if not m or len(words) < 4:
            raise RowError(where, 'want: NAME WORD:BIT WIDTH TYPE [modifiers] [= DEFAULT]')
        field = Field(m.group(1), where)
        field.count, field.doc = int(m.group(2) or 1), doc
        field.start, field.width = self.position(words[1], where), self.integer(words[2], where)
        field.stride = field.width
        t = re.match(r'^([us])fixed\((\d+)\)$', words[3])
        field.type, field.fraction = (t.group(1) + 'fixed', int(t.group(2))) if t else (words[3], 0)
        rest = words[4:]
        while rest:
            rest = self.modifier(field, rest, where)
        return field

    def modifier(self, field, rest, where):
        word, rest = rest[0], rest[1:]
        m = re.match(r'^(minus|shr|align|groups)\((\d+)\)$', word)
        if m:
            setattr(field, m.group(1), int(m.group(2)))
        elif word == 'minus1':
            field.minus = 1
        elif word in ('log2', 'const'):
            setattr(field, word, True)
        elif word in ('every', 'print', '=', 'when') and not rest:
            raise RowError(where, f'"{word}" needs something after it')
        elif word == 'every':
            field.stride, rest = self.integer(rest[0], where), rest[1:]
        elif word == 'print':
            field.print_fn, rest = rest[0], rest[1:]
        elif word == '=':
            field.default, rest = rest[0], rest[1:]
        elif word == 'when':
            for condition in rest[0].split(','):
                key, sign, values = re.match(r'^(\w*)(!?=)?(.*)$', condition).groups()
                if not key or not sign or not values:
                    raise RowError(where, f'"{condition}" is no condition: '
                                          'want KEY=VALUE|VALUE or KEY!=VALUE')
                field.when.append((key, sign == '!=', values.split('|')))
            rest = rest[1:]
        else:
            raise RowError(where, f'unknown modifier "{word}"')
        return rest

    @staticmethod
    def integer(text, where):
        try:
            return int(text, 0)
        except ValueError:
            raise RowError(where, f'"{text}" is no number') from None

    def position(self, text, where):
        word, colon, bit = text.rpartition(':')
        bit = self.integer(bit, where)
        if colon and bit > 31:
            raise RowError(where, f'bit {bit} of a word')
        return (self.integer(word, where) * 32 if colon else 0) + bit
