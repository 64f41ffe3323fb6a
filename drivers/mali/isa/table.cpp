// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The table of instructions, and the proof, at compile time, that it is sound.
#include <iterator>

#include "drivers/mali/isa/row.h"

namespace terrazzo::mali::isa {
namespace {

using namespace row;
using enum Mod;

constexpr Row kRows[] = {
#define OP(enumerator, name, ...) finish(name, row::__VA_ARGS__),
#include "drivers/mali/isa/ops.inc"
#undef OP
};
static_assert(std::size(kRows) == kOpCount);

struct ModName {
    bool
        is_flag;  // with -fsanitize=undefined, GCC 12 does not accept a comparison with nullptr as a constant
    const terrazzo::isa::Enumeration* values;
    const char* flag;
};
constexpr ModName kModNames[] = {
#define NAMED(enumerator, accessor, type, start, width) {false, &k##type##Names, nullptr},
#define FLAG(enumerator, accessor, text, bit) {true, nullptr, text},
#include "drivers/mali/isa/modifiers.inc"
#undef NAMED
#undef FLAG
};
static_assert(std::size(kModNames) == kModCount);

/// Whether each named value of a modifier fits into the bits of each row, and each flag is one bit with a
/// name.
consteval bool modifiers_are_sound() {
    for (const ModName& mod : kModNames)
        if (mod.is_flag ? !mod.flag[0] : !mod.values->sound()) return false;
    for (const Row& row : kRows) {
        for (const ModifierInfo& m : row.info.modifiers()) {
            const ModName& name = kModNames[unsigned(m.mod)];
            if (name.is_flag ? m.bits.width != 1 : !name.values->fits(m.bits.width)) return false;
        }
    }
    return true;
}
static_assert(modifiers_are_sound(),
              "a modifier's value has no name, is there twice, or does not fit into its bits");
static_assert(kFlowNames.sound() && kFlowNames.fits(kFlowBits.width));

static_assert(terrazzo::isa::rows_are_sound(kRows),
              "fields of an instruction overlap, or there are too many of a kind");
static_assert(terrazzo::isa::names_are_distinct(kRows), "two instructions have the same name");

using Index = terrazzo::isa::RowIndex<kRows, kOpcodeBits>;
static_assert(Index::is_unambiguous(), "some word would be two instructions");

}  // namespace

const terrazzo::isa::Enumeration* enumeration(Mod mod) {
    return kModNames[unsigned(mod)].values;
}
const char* flag_name(Mod mod) {
    return kModNames[unsigned(mod)].flag;
}

TERRAZZO_ISA_TABLE(kRows, Index)

}  // namespace terrazzo::mali::isa
