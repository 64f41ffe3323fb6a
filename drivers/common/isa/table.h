// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A table of instructions: the common parts of the vendors' rows, the search for the row of a word, and the
// checks of a whole table. A table is `constexpr Row kRows[]`. Its file asserts rows_are_sound(),
// RowIndex::is_unambiguous() and names_are_distinct().
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "drivers/common/isa/bits.h"

namespace terrazzo::isa {

/// The base of every vendor's OpInfo. `Trait`: an enumeration of bits. `Source`: the row of a source.
template <typename W, typename Trait, typename Source, size_t kMost>
struct RowInfo {
    using Word = W;
    static constexpr unsigned kMaxSources = kMost;

    const char* name = "";          // unique
    Match<W> opcode;                // the bits that identify the instruction
    W used{};                       // every bit that has a meaning; the others are reserved and must be zero
    uint8_t length = kWordBits<W>;  // bits of the instruction, or of its longer form
    uint8_t short_length = 0;       // bits of its shorter form, in which the other bits count as zeros
    Bits long_bit;                  // set in the longer form; width 0: there is only one
    bool fallback = false;          // for words that match no other row
    uint8_t source_count = 0;
    uint16_t traits = 0;
    std::array<Source, kMost> source_rows{};

    constexpr std::span<const Source> sources() const { return {source_rows.data(), source_count}; }
    constexpr bool is(Trait trait) const { return traits & trait; }
    constexpr bool writes_memory() const { return is(Trait::kWritesMemory); }
    /// The bits of the instruction that `word` starts with.
    constexpr unsigned length_of(const W& word) const {
        return long_bit && !long_bit.get(word) ? short_length : length;
    }
    constexpr bool matches(const W& word) const { return opcode.matches(cut_word(word, length_of(word))); }
};

/// The fields of an instruction, a base of OpInfo. `Info`: the row of a field, which is Info::field.
template <typename Info, size_t kMost>
struct FieldRows {
    using Field = decltype(Info::field);
    static constexpr unsigned kMaxFields = kMost;

    uint8_t field_count = 0;
    std::array<Info, kMost> field_rows{};

    constexpr std::span<const Info> fields() const { return {field_rows.data(), field_count}; }
    /// Null: the instruction has no such field.
    constexpr const Info* find(Field field) const {
        for (const Info& row : fields())
            if (row.field == field) return &row;
        return nullptr;
    }
    constexpr bool has(Field field) const { return find(field); }
};

/// Defines `const OpInfo& info(Op)`, and `bool find_op(Word, Op*)`, which finds the operation of a word by
/// its identifying bits.
#define TERRAZZO_ISA_TABLE(rows, index) \
    const OpInfo& info(Op op) {         \
        return rows[unsigned(op)].info; \
    }                                   \
    bool find_op(Word word, Op* out) {  \
        return index::find(word, out);  \
    }

/// The base of a vendor's row `Self`, which describes an instruction by a chain of calls (row.h of the
/// vendor).
template <typename Self, typename Info>
struct RowBase {
    Info info;
    Claims<typename Info::Word> claims;
    bool fits = true;  // false: a call repeated a bit, had a value that is too large, or exceeded an array

    /// Must be true for every row, or the table does not compile.
    constexpr bool sound() const { return fits && claims.disjoint; }
    /// Sets the instruction's length in bits. Must precede its fields.
    constexpr Self& length(unsigned bits) {
        fits &= bits <= kWordBits<typename Info::Word> && !bool(claims.used);
        info.length = uint8_t(bits);
        claims.length = bits;
        return self();
    }
    /// Two lengths in bits, of which a bit of the word chooses the longer one.
    constexpr Self& lengths(unsigned shorter, unsigned longer, uint8_t long_bit) {
        length(longer);
        fits &= shorter < longer && long_bit < shorter;
        info.short_length = uint8_t(shorter);
        info.long_bit = {long_bit, 1};
        return claim(info.long_bit);
    }
    /// Another row may match the same words, and then has precedence.
    constexpr Self& fallback() {
        info.fallback = true;
        return self();
    }
    constexpr Self& claim(Bits bits) {
        claims.claim(bits);
        return self();
    }
    constexpr Self& claim(const SplitBits& bits) {
        claims.claim(bits);
        return self();
    }
    /// Bits that identify the instruction.
    constexpr Self& is(uint8_t start, uint8_t width, uint64_t value) {
        fits &= info.opcode.demand({start, width}, value);
        return claim({start, width});
    }
    constexpr Self& trait(unsigned traits) {
        info.traits = decltype(info.traits)(info.traits | traits);
        return self();
    }
    /// Appends to `rows`, of which `*count` are filled. False: `rows` is full, and the row is not sound.
    template <typename T, size_t kMost>
    constexpr bool append(std::array<T, kMost>& rows, uint8_t& count, const T& row) {
        const bool room = count < kMost;
        fits &= room;
        if (room) rows[count++] = row;
        return room;
    }
    /// Derives the rest from the name and the calls. Optional: a vendor's row may replace it.
    constexpr void complete() {}

  private:
    constexpr Self& self() { return static_cast<Self&>(*this); }
};

/// Completes a row after all of its calls.
template <typename Row>
constexpr Row finish(const char* name, Row row) {
    row.info.name = name;
    row.complete();
    row.info.used = row.claims.used;
    return row;
}

template <typename Row, size_t kCount>
consteval bool rows_are_sound(const Row (&rows)[kCount]) {
    for (const Row& row : rows)
        if (!row.sound()) return false;
    return true;
}

/// Finds the row of a word. The bits kKey, which every instruction has, select a short list of rows. A row
/// whose match does not include all of these bits is in several lists. Fallbacks are at the ends of the
/// lists.
template <const auto& kRows, Bits kKey>
class RowIndex {
    using W = typename std::remove_cvref_t<decltype(kRows[0].info)>::Word;
    static constexpr unsigned kLists = 1u << kKey.width;

    struct Entry {
        Match<W> match;
        W short_mask{};  // of the shorter form
        Bits long_bit;
        bool fallback = false;
        uint16_t row = 0;

        constexpr bool matches(const W& word) const {
            if (long_bit && !long_bit.get(word)) return (word & short_mask) == match.value;
            return match.matches(word);
        }
    };
    template <typename F>
    static constexpr void for_each_list(const Match<W>& match, const F& f) {
        const unsigned mask = unsigned(kKey.get(match.mask)), value = unsigned(kKey.get(match.value));
        const unsigned free = ~mask & unsigned(kKey.max());
        for (unsigned extra = free;; extra = (extra - 1) & free) {  // all subsets of the free bits
            f(value | extra);
            if (!extra) return;
        }
    }
    static constexpr auto make_begin() {
        std::array<uint16_t, kLists + 1> begin{};
        for (const auto& row : kRows)
            for_each_list(row.info.opcode, [&](unsigned list) { begin[list + 1]++; });
        for (unsigned list = 0; list < kLists; list++)
            begin[list + 1] = uint16_t(begin[list + 1] + begin[list]);
        return begin;
    }
    static constexpr std::array<uint16_t, kLists + 1> kBegin = make_begin();
    static constexpr auto make_entries() {
        std::array<Entry, kBegin[kLists]> entries{};
        std::array<uint16_t, kLists + 1> next = kBegin;
        for (bool fallback : {false, true}) {
            for (unsigned i = 0; i < std::size(kRows); i++) {
                const auto& row = kRows[i].info;
                if (row.fallback != fallback) continue;
                const Entry entry{row.opcode, cut_word(row.opcode.mask, row.short_length), row.long_bit,
                                  fallback, uint16_t(i)};
                for_each_list(row.opcode, [&](unsigned list) { entries[next[list]++] = entry; });
            }
        }
        return entries;
    }
    static constexpr std::array<Entry, kBegin[kLists]> kEntries = make_entries();

  public:
    /// False: some word matches two instructions, of which both or none are fallbacks. A shorter instruction
    /// must not be the beginning of a longer one.
    static consteval bool is_unambiguous() {
        for (unsigned list = 0; list < kLists; list++)
            for (unsigned i = kBegin[list]; i < kBegin[list + 1]; i++)
                for (unsigned k = kBegin[list]; k < i; k++)
                    if (kEntries[i].fallback == kEntries[k].fallback &&
                        kEntries[i].match.overlaps(kEntries[k].match))
                        return false;
        return true;
    }
    /// Finds the instruction of a word, by its identifying bits only. False: the word matches no instruction.
    template <typename Op>
    [[nodiscard]] static bool find(const W& word, Op* out) {
        const unsigned list = unsigned(kKey.get(word));
        for (unsigned i = kBegin[list]; i < kBegin[list + 1]; i++)
            if (kEntries[i].matches(word)) return *out = Op(kEntries[i].row), true;
        return false;
    }
};

/// By their hashes: comparing all texts takes the compiler too long.
template <typename Row, size_t kCount>
consteval bool names_are_distinct(const Row (&rows)[kCount]) {
    std::array<uint64_t, kCount> hashes{};
    for (unsigned i = 0; i < kCount; i++) {
        uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
        for (const char* c = rows[i].info.name; *c; c++)
            hash = (hash ^ uint8_t(*c)) * 0x100000001b3;
        hashes[i] = hash;
        for (unsigned k = 0; k < i; k++)
            if (hashes[k] == hash) return false;
    }
    return true;
}

}  // namespace terrazzo::isa
