// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The table of instructions, and the compile-time checks of it.
#include <iterator>

#include "drivers/adreno/isa/kinds.h"
#include "drivers/adreno/isa/operand.h"

namespace terrazzo::adreno::isa {
namespace {

using namespace row;

constexpr Row kRows[] = {
#define OP(enumerator, name, ...) finish(name, row::__VA_ARGS__),
#include "drivers/adreno/isa/ops.inc"
#undef OP
};
static_assert(std::size(kRows) == kOpCount);

consteval bool fields_are_sound() {
    for (const Row& row : kRows) {
        for (const FieldInfo& f : row.info.fields()) {
            const FieldText& text = field_text(f.field);
            const bool flag = text.kind == FieldKind::kPrefix || text.kind == FieldKind::kFlag;
            if (flag ? f.bits.width != 1
                     : text.kind == FieldKind::kNamed &&
                           (!text.values->sound() || !text.values->fits(f.bits.width)))
                return false;
        }
    }
    return true;
}
static_assert(terrazzo::isa::rows_are_sound(kRows),
              "fields of an instruction overlap, or there are too many of a kind");
static_assert(fields_are_sound(), "the values of a field have no names or do not fit into its bits");
static_assert(terrazzo::isa::names_are_distinct(kRows), "two instructions have the same name");

using Index = terrazzo::isa::RowIndex<kRows, kIndexBits>;
static_assert(Index::is_unambiguous(), "some word would be two instructions");

/// Whether the form has a piece of this name.
consteval bool says(const OpInfo& row, std::string_view name) {
    std::string_view rest = row.form, piece;
    bool braced;
    while (next_piece(&rest, &piece, &braced))
        if (braced && piece == name) return true;
    return false;
}

/// Whether the text has all parts of each instruction. texture.cpp and print.cpp write some of them without a
/// piece in the form.
consteval bool forms_are_whole() {
    for (const Row& row : kRows) {
        const OpInfo& info = row.info;
        if (says(info, "move")) continue;
        for (const FieldInfo& f : info.fields()) {
            const FieldText& text = field_text(f.field);
            const bool own = text.kind == FieldKind::kPrefix || f.field == kRepeat || f.field == kNop ||
                             (f.field == kBindless && says(info, "base")) ||
                             (f.field == kShift && says(info, "address")) ||
                             (f.field == kConstant && says(info, "constant")) ||
                             (f.field == kConstantRelative && says(info, "constant")) ||
                             (info.texture.is && says(info, "descriptor") && !f.bits) ||
                             (says(info, "operands") && (f.field == kType || f.field == kWriteMask));
            if (!own && !says(info, text.name)) return false;
        }
        constexpr std::string_view kDests[] = {"d0", "d1", "d2", "d3"}, kSources[] = {"s0", "s1", "s2", "s3"};
        for (unsigned i = 0; i < info.dest_count && !info.texture.is; i++)
            if (!says(info, kDests[i])) return false;
        for (unsigned i = 0; i < info.source_count && !info.texture.is; i++)
            if (!says(info, kSources[i]) && !(i == 1 && says(info, "address"))) return false;
        if (info.has_offset() && !info.texture.is && !says(info, "offset") && !says(info, "target") &&
            !says(info, "place") && !says(info, "address"))
            return false;
    }
    return true;
}
static_assert(forms_are_whole(), "text would leave something out");

}  // namespace

TERRAZZO_ISA_TABLE(kRows, Index)

}  // namespace terrazzo::adreno::isa
