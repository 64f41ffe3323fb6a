// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/numbers.h"

#include <doctest/doctest.h>

#include <type_traits>

using namespace terrazzo::backend;

namespace {

template <typename Vector, typename Index>
concept HasIndex = requires(Vector& v, Index i) {
    v[i];
};

// What would mix numbers does not compile.
static_assert(!std::is_convertible_v<Word, uint32_t> && !std::is_convertible_v<uint32_t, Word>);
static_assert(!std::is_convertible_v<Word, NodeIndex> && !std::is_convertible_v<NodeIndex, uint32_t>);
static_assert(HasIndex<ByWord<int>, Word> && !HasIndex<ByWord<int>, size_t>);
static_assert(HasIndex<UnitBits<8>, Unit> && !HasIndex<UnitBits<8>, size_t> && !HasIndex<UnitBits<8>, Word>);
static_assert(HasIndex<ByNode<int>, NodeIndex> && !HasIndex<ByNode<int>, Word>);

}  // namespace

TEST_CASE("backend numbers: words of a run, and vectors by word") {
    uint32_t sum = 0, count = 0;
    for (const Word w : Words(Word(5), 3)) {
        sum += number_of(w);
        count++;
    }
    CHECK(sum == 5 + 6 + 7);
    CHECK(count == 3);
    for (const Word w : Words(Word(5), 0))
        FAIL(number_of(w));
    ByWord<int> by_word(4, 0);
    by_word[Word(1) + 2] = 7;
    CHECK(by_word.back() == 7);
    CHECK(Word(9) - Word(4) == 5);
    UnitBits<8> units = 0x10;
    units[Unit(4) - 3] = true;
    CHECK(units.to_ulong() == 0x12);
}
