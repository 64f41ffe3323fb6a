// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The table of instructions, and the proof, at compile time, that it is sound.
#include <iterator>

#include "drivers/agx/isa/row.h"

namespace terrazzo::agx::isa {
namespace {

using terrazzo::isa::finish;

constexpr row::Row kRows[] = {
#define OP(enumerator, name, ...) \
    finish(name, [] {             \
        using namespace row;      \
        return __VA_ARGS__;       \
    }()),
#include "drivers/agx/isa/ops.inc"
#undef OP
};
static_assert(std::size(kRows) == kOpCount);

/// Flags have one bit; each value of an enumeration has one name.
consteval bool fields_are_sound() {
    for (const FieldText& text : kFieldTexts)
        if (text.kind == FieldKind::kNamed && !text.values->sound()) return false;
    for (const row::Row& row : kRows)
        for (const FieldInfo& f : row.info.fields())
            if (field_text(f.field).kind == FieldKind::kFlag && f.bits.width() != 1) return false;
    return true;
}
static_assert(fields_are_sound());

/// A shape's key fits into the bits of each operand that has it, and its registers into the numbers that
/// the text can have.
consteval bool operands_are_sound() {
    for (const row::Row& row : kRows) {
        for (unsigned i = 0; i < unsigned(row.info.source_count + row.info.dest_count); i++) {
            const OperandInfo& o = i < row.info.source_count ? row.info.source_rows[i] : row.info.dest_row;
            const unsigned keys = 1u << (o.key.width() + o.shared.width);
            if (o.value.width() > 32) return false;
            for (const Case& c : o.shape->cases)
                if (c.key >= keys) return false;
        }
    }
    return true;
}
static_assert(operands_are_sound(), "an operand's bits cannot express a case of its shape");

static_assert(terrazzo::isa::rows_are_sound(kRows),
              "fields of an instruction overlap, or there are too many of a kind");
static_assert(terrazzo::isa::names_are_distinct(kRows));
// The shortest instructions have 16 bits.
using Index = terrazzo::isa::RowIndex<kRows, Bits{0, 8}>;
static_assert(Index::is_unambiguous(), "a word matches two instructions");

}  // namespace

TERRAZZO_ISA_TABLE(kRows, Index)

}  // namespace terrazzo::agx::isa
