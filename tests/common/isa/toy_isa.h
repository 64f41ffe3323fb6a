// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// An instruction set that does not exist, to test tables of words of any length: instructions have 16, 32,
// 48, 112 or 160 bits. Bits 0..3 are the family. A line is OPERATION and its numbers: "add r1, 2". Fields
// of the two longest ones cross bit 64 and bit 128. "stretch" has two forms, with a number in three pieces;
// "rest" is for words of its family that are no "stretch".
#pragma once
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/common/isa/program.h"
#include "drivers/common/isa/table.h"

namespace terrazzo::tests::toy {

using isa::Bits;
using isa::Error;
using Word = isa::Word<160>;

enum class Op : uint8_t { kNop, kMov, kAdd, kLoad, kLoadWide, kSample, kBlob, kStretch, kRest, kCount };
inline constexpr unsigned kOpCount = unsigned(Op::kCount);

enum Trait : uint8_t { kNoTrait };
struct OpInfo : isa::RowInfo<Word, Trait, isa::SplitBits, 0> {
    static constexpr unsigned kMaxNumbers = 4;
    uint8_t number_count = 0;
    std::array<isa::SplitBits, kMaxNumbers> numbers{};
};

struct Row : isa::RowBase<Row, OpInfo> {
    constexpr Row& number(isa::SplitBits bits) {
        append(info.numbers, info.number_count, bits);
        return claim(bits);
    }
    constexpr Row& number(uint8_t start, uint8_t width) { return number(Bits{start, width}); }
};
constexpr Row op(unsigned bits, uint64_t family) {
    return Row().length(bits).is(0, 4, family);
}

inline constexpr Bits kFamily{0, 4};
inline constexpr Row kRows[] = {
    isa::finish("nop", op(16, 0).is(4, 12, 0)),
    isa::finish("mov", op(16, 1).number(4, 6).number(10, 6)),
    isa::finish("add", op(32, 2).number(4, 6).number(10, 6).number(16, 16)),
    // One family with two lengths: bit 4 chooses.
    isa::finish("load", op(48, 3).is(4, 1, 0).number(5, 11).number(16, 32)),
    isa::finish("load_wide", op(112, 3).is(4, 1, 1).number(5, 11).number(40, 64).number(104, 8)),
    // Demands bits beyond the first 64.
    isa::finish("sample", op(160, 4).is(70, 2, 1).number(60, 8).number(100, 40).number(152, 8)),
    isa::finish("blob", op(160, 4).is(70, 2, 2).number(72, 64).number(4, 56)),
    // The shorter form has no room for the upper pieces. Bits 40 to 43 identify it; in the shorter form
    // they are zeros.
    isa::finish("stretch", Row()
                               .lengths(16, 48, 15)
                               .is(0, 4, 5)
                               .is(4, 3, 2)
                               .is(40, 4, 0)
                               .number(isa::SplitBits({8, 7}, {20, 8}, {16, 2}))),
    isa::finish("rest", Row().lengths(16, 48, 15).is(0, 4, 5).fallback().number(4, 11).number(16, 32)),
};
static_assert(std::size(kRows) == kOpCount);
static_assert(isa::rows_are_sound(kRows) && isa::names_are_distinct(kRows));
using Index = isa::RowIndex<kRows, kFamily>;
static_assert(Index::is_unambiguous());

inline const OpInfo& info(Op op) {
    return kRows[unsigned(op)].info;
}

struct Instr {
    using Word = toy::Word;
    Op op = Op::kNop;
    std::array<uint64_t, OpInfo::kMaxNumbers> numbers{};
    [[nodiscard]] const OpInfo& info() const { return toy::info(op); }
    /// Of the shortest form that has all bits of its numbers.
    [[nodiscard]] unsigned length() const {
        const OpInfo& row = info();
        isa::Word<160> word;
        for (unsigned i = 0; i < row.number_count; i++)
            word |= row.numbers[i].put<isa::Word<160>>(numbers[i]);
        return row.long_bit && isa::cut_word(word, row.short_length) == word ? row.short_length : row.length;
    }
    bool operator==(const Instr&) const = default;
};

inline bool encode(const Instr& instr, Word* out, Error* error) {
    const OpInfo& row = instr.info();
    Word word = row.opcode.value;
    for (unsigned i = 0; i < row.number_count; i++) {
        if (instr.numbers[i] > row.numbers[i].max()) {
            return isa::refuse(error, "%s: number %u is too large", row.name, i);
        }
        word |= row.numbers[i].put<Word>(instr.numbers[i]);
    }
    if (instr.length() == row.length) word |= row.long_bit.put<Word>(1);
    *out = word;
    return true;
}

inline bool decode(const Word& word, Instr* out, Error* error) {
    Op op;
    if (!Index::find(word, &op)) {
        return isa::refuse(error, "family %u has no such instruction", unsigned(kFamily.get(word)));
    }
    const OpInfo& row = info(op);
    // Bits after the instruction are ignored.
    const unsigned length = row.length_of(word);
    const Word own = isa::cut_word(word, length);
    if (own & ~row.used) {
        return isa::refuse(error, "%s: reserved bits are set", row.name);
    }
    Instr instr{op, {}};
    for (unsigned i = 0; i < row.number_count; i++)
        instr.numbers[i] = row.numbers[i].get(own);
    if (instr.length() != length) return isa::refuse(error, "%s: the shorter form says the same", row.name);
    *out = instr;
    return true;
}

inline void print(const Instr& instr, std::string* out) {
    const OpInfo& row = instr.info();
    *out += row.name;
    for (unsigned i = 0; i < row.number_count; i++) {
        char text[32];
        std::snprintf(text, sizeof text, "%s0x%llx", i ? ", " : " ", (unsigned long long)instr.numbers[i]);
        *out += text;
    }
}

inline bool assemble_line(std::string_view line, Instr* out, Error* error) {
    const std::string_view name = line.substr(0, line.find(' '));
    std::string_view rest = line.size() > name.size() ? line.substr(name.size()) : std::string_view(), part;
    for (unsigned n = 0; n < kOpCount; n++) {
        const OpInfo& row = info(Op(n));
        if (name != row.name) continue;
        Instr instr{Op(n), {}};
        unsigned count = 0;
        for (; isa::next_part(&rest, ',', &part); count++) {
            // Numbers of 64 bits, which parse_number() cannot parse.
            if (count == row.number_count || part.empty() || !part.starts_with("0x")) {
                return isa::refuse(error, "%s: '%.*s' is no number of it", row.name, int(part.size()),
                                   part.data());
            }
            instr.numbers[count] = std::stoull(std::string(part), nullptr, 16);
        }
        if (count != row.number_count) {
            return isa::refuse(error, "%s has %u numbers", row.name, row.number_count);
        }
        *out = instr;
        return true;
    }
    return isa::refuse(error, "no instruction is named %.*s", int(name.size()), name.data());
}

}  // namespace terrazzo::tests::toy
