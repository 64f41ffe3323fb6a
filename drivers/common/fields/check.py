# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Checks the tables as a whole before code is generated; also completes conditions and defaults."""
import math

from rows import SCALARS, RowError

# The fewest and most bits of each type.
LIMITS = {'bool': (1, 1), 'float': (32, 32), 'bits': (32, 32), 'address': (1, 64), 'uint': (1, 64),
          'int': (2, 64), 'hex': (1, 64), 'r32': (8, 8), 'r64': (8, 8), 'ufixed': (2, 32), 'sfixed': (2, 32)}


def check(tables):
    for struct in tables.structs.values():
        for field in struct.fields:
            check_type(tables, struct, field)
        for field in struct.fields:
            complete_when(tables, struct, field)
        for field in struct.fields:
            check_bits(struct, field)
            check_default(tables, struct, field)
        check_overlap(struct)


def check_type(tables, struct, field):
    where, name = field.where, f'{struct.name}.{field.name}'
    if field.type in tables.structs:
        part = tables.structs[field.type]
        order = list(tables.structs)
        if part.where == struct.where or order.index(part.name) > order.index(struct.name):
            raise RowError(where, f'{name}: {field.type} must be defined above')
        if part.size_bits != field.width:
            raise RowError(where, f'{name}: {field.type} is {part.size_bits} bits, not {field.width}')
        if field.modifiers() or field.const or field.default:
            raise RowError(where, f'{name}: a nested struct has no modifiers or default')
        if field.when and any(f.when for f in part.fields):
            raise RowError(where, f'{name}: conditions do not nest')
    elif field.type in tables.enums:
        for value, number, _ in tables.enums[field.type].values:
            if number >> field.width:
                raise RowError(where, f'{name}: {field.type}.{value} = {number} does not fit in '
                                      f'{field.width} bits')
        if field.modifiers():
            raise RowError(where, f'{name}: an enum takes no modifier')
    elif field.type in LIMITS:
        low, high = LIMITS[field.type]
        if not low <= field.width <= high:
            raise RowError(where, f'{name}: {field.type} cannot have {field.width} bits')
        if field.modifiers() and field.type not in ('uint', 'hex', 'address'):
            raise RowError(where, f'{name}: {field.type} takes no modifier')
        if field.fraction > field.width:
            raise RowError(where, f'{name}: {field.fraction} bits of fraction in {field.width}')
        if len(field.modifiers()) > 1:
            raise RowError(where, f'{name}: one of minus, shr, log2, align and groups')
        if field.align & (field.align - 1):
            raise RowError(where, f'{name}: an alignment of {field.align} is no power of two')
    else:
        raise RowError(where, f'{name}: unknown type "{field.type}"')
    if field.const and (field.default is None or field.count > 1):
        raise RowError(where, f'{name}: const needs a default, and is no array')
    if field.stride < field.width:
        raise RowError(where, f'{name}: elements every {field.stride} bits are {field.width} bits wide')


def key_values(tables, key):
    """All values of a condition's field: enumerators, or false and true."""
    if key.type == 'bool':
        return ['false', 'true']
    return [v for v, _, _ in tables.enums[key.type].values] if key.type in tables.enums else None


def complete_when(tables, struct, field):
    done = []
    for key_name, negated, values in field.when:
        name = f'{struct.name}.{field.name}'
        key = struct.field(key_name)
        if key is None or key is field:
            raise RowError(field.where, f'{name}: no field {key_name} to depend on')
        known = key_values(tables, key)
        if known is None or key.when or key.count > 1:
            raise RowError(field.where, f'{name}: {key_name} is no plain enum or bool')
        for value in values:
            if value not in known:
                raise RowError(field.where, f'{name}: {key_name} is never {value}')
        done.append((key, sorted(set(known) - set(values)) if negated else values))
    field.when = done


def check_bits(struct, field):
    end = field.start + (field.count - 1) * field.stride + field.width
    if field.count < 1 or field.width < 1:
        raise RowError(field.where, f'{struct.name}.{field.name}: no bits')
    if end > struct.size_bits:
        raise RowError(field.where, f'{struct.name}.{field.name}: bit {end - 1} is outside of its '
                                    f'{struct.size_bits} bits')
    if field.type == 'float' and field.start % 32 and not struct.part:
        raise RowError(field.where, f'{struct.name}.{field.name}: a float is a whole word')


def excluded(a, b):
    """Whether the conditions of fields a and b exclude each other."""
    return any(key is other and not set(values) & set(others)
               for key, values in a.when for other, others in b.when)


def check_overlap(struct):
    for i, a in enumerate(struct.fields):
        for b in struct.fields[:i]:
            common = a.bits() & b.bits()
            if common and not excluded(a, b):
                bit = min(common)
                raise RowError(a.where, f'{struct.name}.{a.name} overlaps {b.name} at {bit // 32}:{bit % 32}')


def raw_default(tables, struct, field):
    """The bits that pack writes for the default, not limited to the field's width. None: no default."""
    text, where, name = field.default, field.where, f'{struct.name}.{field.name}'
    if field.type in tables.structs:
        return None
    if text is None:
        text = '1' if field.minus == 1 or field.log2 else str(field.minus or field.groups or '') or None
        if text is None:
            return None
        field.default = text
    if field.type in tables.enums:
        number = tables.enums[field.type].number(text)
        if number is None:
            raise RowError(where, f'{name}: {field.type} has no {text}')
        return number
    if field.type == 'bool':
        if text not in ('true', 'false'):
            raise RowError(where, f'{name}: the default {text} is neither true nor false')
        return int(text == 'true')
    try:
        value = float(text) if field.type in ('float', 'ufixed', 'sfixed') else int(text, 0)
    except ValueError:
        raise RowError(where, f'{name}: the default {text} is no number') from None
    if field.type == 'float':
        return 0
    if field.fraction or field.type.endswith('fixed'):
        return round(value * (1 << field.fraction))
    if field.log2:
        if value < 1 or value & (value - 1):
            raise RowError(where, f'{name}: the default {text} is no power of two')
        return int(math.log2(value))
    if field.shr:
        if value & ((1 << field.shr) - 1):
            raise RowError(where, f'{name}: the default {text} loses bits below {field.shr}')
        return value >> field.shr
    if field.groups:
        if value < 1 or value % field.groups or value // field.groups > 1 << field.width:
            raise RowError(where, f'{name}: the default {text} is no number of groups of {field.groups}')
        return value // field.groups & ((1 << field.width) - 1)
    if field.align and value % field.align:
        raise RowError(where, f'{name}: the default {text} is no multiple of {field.align}')
    return value - field.minus


def check_default(tables, struct, field):
    raw = raw_default(tables, struct, field)
    if raw is None:
        return
    signed = field.type in ('int', 'sfixed')
    low = -(1 << (field.width - 1)) if signed else 0
    high = (1 << (field.width - signed)) - 1
    if not low <= raw <= high:
        raise RowError(field.where, f'{struct.name}.{field.name}: the default {field.default} does not fit '
                                    f'in {field.width} bits')


assert set(LIMITS) >= SCALARS
