// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The table of instructions, and the proof, at compile time, that it is sound.
#include <array>
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
        is_flag;  // not a comparison with nullptr: GCC 12's -fsanitize=undefined takes those for no constants
    const terrazzo::isa::Enumeration* values;
    const char* flag;
};
constexpr ModName kModNames[] = {
#define MODIFIER(enumerator, accessor, type, start, width) {false, &k##type##Names, nullptr},
#define FLAG(enumerator, accessor, text, bit) {true, nullptr, text},
#include "drivers/mali/isa/modifiers.inc"
#undef MODIFIER
#undef FLAG
};
static_assert(std::size(kModNames) == kModCount);

/// Each value of each modifier has a name and fits where a row puts it; each flag is one bit with a name.
consteval bool modifiers_are_sound() {
    for (const ModName& mod : kModNames) {
        if (mod.is_flag ? !mod.flag[0] : !mod.values->sound()) {
            return false;
        }
    }
    for (const Row& row : kRows) {
        for (const ModifierInfo& m : row.info.modifiers()) {
            const ModName& name = kModNames[unsigned(m.mod)];
            if (name.is_flag ? m.bits.width != 1 : !name.values->fits(m.bits.width)) {
                return false;
            }
        }
    }
    return true;
}
static_assert(modifiers_are_sound(),
              "a modifier's value has no name, is there twice, or does not fit into its bits");
static_assert(kFlowNames.sound() && kFlowNames.fits(kFlowBits.width));

consteval bool rows_are_sound() {
    for (const Row& row : kRows) {
        if (!row.sound()) {
            return false;
        }
    }
    return true;
}
static_assert(rows_are_sound(), "fields of an instruction overlap, or there are too many of a kind");

constexpr uint16_t kNone = 0xffff;

/// Rows by primary opcode: the first, and for each row the next one.
struct Buckets {
    std::array<uint16_t, 512> first{};
    std::array<uint16_t, kOpCount> next{};
};
consteval Buckets make_buckets() {
    Buckets out;
    out.first.fill(kNone);
    for (unsigned i = kOpCount; i-- > 0;) {
        uint16_t& first = out.first[kOpcodeBits.get(kRows[i].info.opcode.value)];
        out.next[i] = first;
        first = uint16_t(i);
    }
    return out;
}
constexpr Buckets kBuckets = make_buckets();

consteval bool opcodes_are_distinct() {
    for (unsigned i = 0; i < kOpCount; i++) {
        for (unsigned j = kBuckets.next[i]; j != kNone; j = kBuckets.next[j]) {
            if (kRows[i].info.opcode.overlaps(kRows[j].info.opcode)) {
                return false;
            }
        }
    }
    return true;
}
static_assert(opcodes_are_distinct(), "some word would be two instructions");

consteval bool names_are_distinct() {
    std::array<uint64_t, kOpCount> hashes{};
    for (unsigned i = 0; i < kOpCount; i++) {
        uint64_t hash = 0xcbf29ce484222325;
        for (const char* c = kRows[i].info.name; *c; c++) {
            hash = (hash ^ uint8_t(*c)) * 0x100000001b3;
        }
        hashes[i] = hash;
    }
    for (unsigned i = 0; i < kOpCount; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (hashes[i] == hashes[j]) {
                return false;
            }
        }
    }
    return true;
}
static_assert(names_are_distinct(), "two instructions have the same name");

}  // namespace

const OpInfo& info(Op op) {
    return kRows[unsigned(op)].info;
}

const terrazzo::isa::Enumeration* enumeration(Mod mod) {
    return kModNames[unsigned(mod)].values;
}
const char* flag_name(Mod mod) {
    return kModNames[unsigned(mod)].flag;
}

bool find_op(uint64_t word, Op* out) {
    for (unsigned i = kBuckets.first[kOpcodeBits.get(word)]; i != kNone; i = kBuckets.next[i]) {
        if (kRows[i].info.opcode.matches(word)) {
            *out = Op(i);
            return true;
        }
    }
    return false;
}

}  // namespace terrazzo::mali::isa
