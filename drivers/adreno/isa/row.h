// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The functions that compose the rows in ops_*.inc; kinds.h has the ones that begin a row.
//
//   flow(opc) alu2(opc) texture(opc) ...  the common properties of a kind (kinds.h)
//   .is(start, width, value)      bits that identify the instruction
//   .number(field, start, width)  a field; .flag(field, bit) one of one bit
//   .dest(start, half)            a destination register
//   .src(shape, start, half)      the next source, in the order of the text
//   .text(mnemonic, form)         the text: "{name}" in the form is a field (fields.inc), a destination d0..,
//                                 a source s0.., or a piece of print.cpp; other characters are literal
//   .unit(...) .waits(...) .trait(...)  the properties that a scheduler needs
#pragma once
#include <string_view>

#include "drivers/adreno/isa/info.h"

namespace terrazzo::adreno::isa::row {

using enum Field;
using enum Shape;

constexpr uint8_t width_of(Shape shape) {
    switch (shape) {
        case kRegister:
        case kRawRegister:
        case kOrImmediate:
        case kIndexed:
            return 8;
        case kMulti:
            return 16;
        case kTriple:
        case kTripleNumber:
        case kTripleRegister:
            return 13;
        case kMove:
            return 32;
        case kPredicate:
            return 3;
    }
    return 0;
}

struct Row : terrazzo::isa::RowBase<Row, OpInfo> {
    constexpr Row& number(Field field, uint8_t start, uint8_t width, uint8_t bias = 0) {
        fits &= !info.has(field);
        append(info.field_rows, info.field_count, {field, {start, width}, bias, false});
        return claim({start, width});
    }
    /// The bit at `start`, which the row keeps in `to`.
    constexpr Row& bit(Bits& to, uint8_t start) {
        to = {start, 1};
        return claim(to);
    }
    constexpr SourceInfo& last_source() { return info.source_rows[info.source_count - 1]; }
    constexpr Row& flag(Field field, uint8_t at) { return number(field, at, 1); }
    constexpr Row& unset_flag(Field field, uint8_t at) {
        number(field, at, 1);
        info.field_rows[info.field_count - 1].inverted = true;
        return *this;
    }
    constexpr Row& dest(uint8_t start, Half half = Half::kNever) {
        append(info.dest_rows, info.dest_count, {half, {start, 8}, {}});
        return claim({start, 8});
    }
    constexpr Row& relative_dest(uint8_t at) { return bit(info.dest_rows[0].relative, at); }
    constexpr Row& src(Shape shape, uint8_t start, Half half = Half::kNever) {
        SourceInfo source;
        source.shape = shape;
        source.half = half;
        source.bits = {start, width_of(shape)};
        append(info.source_rows, info.source_count, source);
        return claim(source.bits);
    }
    /// For the source that was added last.
    constexpr Row& neg_at(uint8_t at) { return bit(last_source().neg, at); }
    constexpr Row& repeat_at(uint8_t at) { return bit(last_source().repeat, at); }
    constexpr Row& immediate_at(uint8_t at) { return bit(last_source().immediate, at); }
    constexpr Row& nop_at(uint8_t low, uint8_t high) {
        info.nop_low = {low, 1};
        info.nop_high = {high, 1};
        claims.used |= info.nop_low.mask() | info.nop_high.mask();  // shared with (r)
        return number(kNop, 0, 0);
    }
    constexpr Row& offset(Bits low, bool is_signed, Bits high = {}, Bits present = {}) {
        info.offset = {low, high, present, is_signed};
        return claim(low).claim(high).claim(present);
    }
    constexpr Row& full_at(uint8_t at, uint8_t precision_source = 0) {
        info.precision_source = precision_source;
        return bit(info.full, at);
    }
    constexpr Row& convert_at(uint8_t at) { return bit(info.convert, at); }
    constexpr Row& dest_full_at(uint8_t at) { return bit(info.dest_full, at); }
    constexpr Row& half() {
        info.half_operation = true;
        return *this;
    }
    constexpr Row& text(const char* mnemonic, const char* form) {
        info.mnemonic = mnemonic;
        return form_is(form);
    }
    constexpr Row& form_is(const char* form) {
        info.form = form;
        return *this;
    }
    constexpr Row& unit(Unit unit) {
        info.unit = unit;
        return *this;
    }
    constexpr Row& waits(Sync sync) {
        info.sync = sync;
        return *this;
    }
    constexpr void complete() {
        if (!info.mnemonic[0]) info.mnemonic = info.name;
    }
};

}  // namespace terrazzo::adreno::isa::row
