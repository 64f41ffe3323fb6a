// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Words of more than 64 bits, and a table of instructions with five lengths.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/common/isa/toy_isa.h"

using namespace terrazzo;
using namespace terrazzo::isa;
using namespace terrazzo::tests;

namespace {

/// One bit of a word, read without the code under test.
bool bit(const toy::Word& word, unsigned n) {
    return word.limbs[n / 64] >> (n % 64) & 1;
}

toy::Instr random_instr(std::mt19937_64& random) {
    toy::Instr instr{toy::Op(random() % toy::kOpCount), {}};
    const toy::OpInfo& row = instr.info();
    for (unsigned i = 0; i < row.number_count; i++)
        instr.numbers[i] = random() & row.numbers[i].max();
    // Not the same bits as "stretch".
    if (instr.op == toy::Op::kRest) instr.numbers[0] |= 1;
    return instr;
}

}  // namespace

TEST_CASE("isa: a field of a long word has the right bits at any offset") {
    std::mt19937_64 random(1);
    for (unsigned turn = 0; turn < 20000; turn++) {
        const Bits field{uint8_t(random() % 160), uint8_t(1 + random() % 64)};
        if (field.start + field.width > 160) continue;
        const uint64_t value = random() & field.max();
        const toy::Word word =
            field.put<toy::Word>(value | ~field.max());  // bits beyond the field are cut off
        bool right = true;
        for (unsigned n = 0; n < 160; n++) {
            const bool inside = n >= field.start && n < field.start + field.width;
            right &= bit(word, n) == (inside && (value >> (n - field.start) & 1));
            right &= bit(field.mask<toy::Word>(), n) == inside;
        }
        CHECK_MESSAGE(right, field.start, " ", field.width);
        CHECK(field.get(word) == value);
        CHECK(field.get(~word) == (~value & field.max()));
    }
    CHECK(Bits{60, 8}.get_signed(Bits{60, 8}.put<toy::Word>(0x80)) == -128);
    CHECK(Bits{}.get(~toy::Word()) == 0);
    CHECK_FALSE(bool(Bits{}.put<toy::Word>(1)));
    static_assert(std::is_same_v<isa::Word<64>, uint64_t>, "short words cost nothing");
}

TEST_CASE("isa: a row's length bounds its fields") {
    CHECK(toy::op(48, 5).number(40, 8).sound());
    CHECK_FALSE(toy::op(48, 5).number(41, 8).sound());    // beyond the instruction
    CHECK_FALSE(toy::op(160, 5).number(153, 8).sound());  // beyond the longest word
    CHECK_FALSE(toy::op(176, 5).sound());
    CHECK_FALSE(toy::Row().is(0, 4, 5).length(48).sound());             // the length must be given first
    CHECK_FALSE(toy::op(112, 5).number(60, 10).number(69, 2).sound());  // one bit twice, beyond bit 64
    CHECK_FALSE(toy::op(112, 5).is(64, 2, 4).sound());                  // does not fit
    CHECK_FALSE(toy::op(112, 5).number(4, 1).number(5, 1).number(6, 1).number(7, 1).number(8, 1).sound());
}

TEST_CASE("isa: a field in pieces has its bits at their places") {
    constexpr SplitBits kField({60, 8}, {100, 1}, {3, 7});
    static_assert(kField.width() == 16 && kField.max() == 0xffff);
    std::mt19937_64 random(4);
    for (unsigned turn = 0; turn < 2000; turn++) {
        const uint64_t value = random();
        const toy::Word word = kField.put<toy::Word>(value);
        bool right = true;
        for (unsigned n = 0; n < 160; n++) {
            const int from = n >= 60 && n < 68  ? int(n - 60)
                             : n == 100         ? 8
                             : n >= 3 && n < 10 ? int(n + 6)
                                                : -1;
            right &= bit(word, n) == (from >= 0 && (value >> from & 1));
        }
        CHECK(right);
        CHECK(kField.get(word) == (value & 0xffff));
        CHECK(kField.get_signed(word) == int16_t(value));
    }
    constexpr SplitBits kWhole(Bits{0, 64});
    CHECK(kWhole.get(kWhole.put<toy::Word>(~uint64_t{0})) == ~uint64_t{0});
    CHECK_FALSE(bool(SplitBits()));
    CHECK_FALSE(toy::op(48, 5).number(SplitBits({4, 4}, {8, 4}, {7, 1})).sound());  // the last piece overlaps
    CHECK_FALSE(toy::op(48, 5).number(SplitBits({4, 4}, {40, 9})).sound());         // beyond the end
    CHECK_FALSE(toy::Row().lengths(16, 48, 16).sound());  // the bit is not in both forms
    CHECK_FALSE(toy::Row().lengths(48, 16, 15).sound());
    CHECK_FALSE(toy::Row().lengths(16, 48, 15).number(15, 1).sound());
}

TEST_CASE("isa: a bit chooses the longer form of an instruction") {
    const auto text_of = [](std::vector<uint16_t> units) { return disassemble<toy::Instr, uint16_t>(units); };
    CHECK(text_of({0x1225}) == "stretch 0x12\n");
    CHECK(text_of({0x1225, 0x1111}) ==
          "stretch 0x12\nmov 0x11, 0x4\n");  // its bits are not those of the first
    CHECK(text_of({0x9225, 0x0ff1, 0x0000}) == "stretch 0xff92\n");
    CHECK(text_of({0x9225, 0x0000, 0x0000}).starts_with("9225 (stretch: the shorter form says the same)\n"));
    CHECK(text_of({0x9225, 0x0001, 0x0100}) == "rest 0x122, 0x1000001\n");  // other identifying bits
    CHECK(text_of({0x9225, 0x0001}).starts_with("9225 (the program ends within stretch)\n"));
    CHECK(text_of({0x1205}) == "rest 0x120, 0x0\n");
}

namespace {

constexpr Bits kKey{0, 4};
// A short instruction that equals the beginning of a longer one: "long" has any bits from bit 16 on.
constexpr toy::Row kPrefix[] = {finish("short", toy::op(16, 1).number(4, 12)),
                                finish("long", toy::op(48, 1).is(16, 4, 3).number(20, 28))};
// They differ only beyond the first 64 bits, or in one bit that only one of them demands.
constexpr toy::Row kFar[] = {finish("one", toy::op(160, 1).is(100, 2, 1)),
                             finish("two", toy::op(160, 1).is(100, 2, 2))};
constexpr toy::Row kLoose[] = {finish("one", toy::op(160, 1).is(100, 2, 1)),
                               finish("two", toy::op(160, 1).is(102, 2, 2))};
// The second does not demand the bits that the index uses.
constexpr toy::Row kFree[] = {finish("one", toy::op(16, 1).is(8, 1, 1)),
                              finish("any", toy::Row().length(16).is(8, 1, 0).number(0, 4)),
                              finish("odd", toy::Row().length(16).is(0, 1, 1).is(8, 1, 1).is(1, 1, 1))};

// A fallback may match what another row matches, but not what another fallback matches.
constexpr toy::Row kFallback[] = {finish("other", toy::op(16, 1).fallback().number(4, 12)),
                                  finish("two", toy::op(16, 1).is(4, 4, 2))};
constexpr toy::Row kFallbacks[] = {finish("other", toy::op(16, 1).fallback().number(4, 12)),
                                   finish("two", toy::op(16, 1).fallback().is(4, 4, 2))};

}  // namespace

TEST_CASE("isa: no word may match two instructions, of any lengths") {
    static_assert(!RowIndex<kPrefix, kKey>::is_unambiguous());
    static_assert(RowIndex<kFar, kKey>::is_unambiguous());
    static_assert(!RowIndex<kLoose, kKey>::is_unambiguous());
    static_assert(RowIndex<kFree, kKey>::is_unambiguous());
    unsigned row = 9;
    using Free = RowIndex<kFree, kKey>;
    for (unsigned family = 0; family < 16; family++) {
        CHECK(Free::find(toy::Word(family), &row));
        CHECK(row == 1);
        const bool known = family == 1 || (family & 3) == 3;
        CHECK(Free::find(toy::Word(family | 0x100), &row) == known);
        if (known) CHECK(row == (family == 1 ? 0 : 2));
    }
    static_assert(RowIndex<kFallback, kKey>::is_unambiguous());
    static_assert(!RowIndex<kFallbacks, kKey>::is_unambiguous());
    CHECK(RowIndex<kFallback, kKey>::find(toy::Word(0x21), &row));
    CHECK(row == 1);
    CHECK(RowIndex<kFallback, kKey>::find(toy::Word(0x31), &row));
    CHECK(row == 0);
    constexpr toy::Row kTwice[] = {finish("a", toy::op(16, 1)), finish("a", toy::op(16, 2))};
    static_assert(!names_are_distinct(kTwice));
}

TEST_CASE("isa: programs of instructions of five lengths survive encode, decode and text") {
    std::mt19937_64 random(2);
    for (unsigned turn = 0; turn < 2000; turn++) {
        std::vector<toy::Instr> wanted;
        std::vector<uint16_t> units;
        std::string text;
        size_t bits = 0;
        for (size_t n = random() % 12; n > 0; n--) {
            wanted.push_back(random_instr(random));
            toy::Word word;
            REQUIRE(encode(wanted.back(), &word, nullptr));
            append_word(word, length_of(wanted.back()), &units);
            print(wanted.back(), &text);
            text += '\n';
            bits += length_of(wanted.back());
        }
        CHECK(units.size() * 16 == bits);
        CHECK(disassemble<toy::Instr, uint16_t>(units) == text);
        std::vector<uint16_t> again{7};
        Error error;
        const bool good = assemble<toy::Instr>(text, &again, &error);
        REQUIRE_MESSAGE(good, error.reason);
        CHECK(again == units);
        std::span<const uint16_t> rest = units;
        for (const toy::Instr& w : wanted) {
            toy::Instr instr;
            size_t length = 0;
            REQUIRE(decode_first(rest, &instr, &length, nullptr));
            CHECK(instr == w);
            CHECK(length * 16 == length_of(w));
            rest = rest.subspan(length);
        }
        CHECK(rest.empty());
    }
}

TEST_CASE("isa: any units are an instruction of their length, or are refused with a reason") {
    std::mt19937_64 random(3);
    unsigned taken = 0, cut = 0;
    for (unsigned turn = 0; turn < 20000; turn++) {
        std::vector<uint16_t> units(1 + random() % 10);
        for (uint16_t& u : units)
            u = uint16_t(random());
        units[0] = uint16_t((units[0] & ~15) | random() % 6);
        toy::Instr instr{toy::Op::kBlob, {1}};
        const toy::Instr before = instr;
        size_t length = 99;
        Error error;
        if (!decode_first(std::span<const uint16_t>(units), &instr, &length, &error)) {
            CHECK(error.reason[0] != 0);
            CHECK((instr == before && length == 99));
            cut += std::string_view(error.reason).starts_with("the program ends within");
            continue;
        }
        taken++;
        toy::Word word;
        std::vector<uint16_t> again;
        REQUIRE(encode(instr, &word, nullptr));
        append_word(word, length_of(instr), &again);
        CHECK(again == std::vector<uint16_t>(units.begin(), units.begin() + long(length)));
    }
    CHECK(taken > 500);
    CHECK(cut > 500);
}

TEST_CASE("isa: text of a program with units that are no instruction") {
    const uint16_t units[] = {0x0000, 0x000f, 0x0042, 0x1234};
    CHECK(disassemble<toy::Instr, uint16_t>(units) ==
          "nop\n000f (family 15 has no such instruction)\nadd 0x4, 0x0, 0x1234\n");
    CHECK(disassemble<toy::Instr, uint16_t>(std::span(units).first(3))
              .ends_with("0042 (the program ends within add)\n"));
    std::vector<uint16_t> out{7};
    Error error;
    CHECK_FALSE(assemble<toy::Instr>("nop\nblob 0x1\n", &out, &error));
    CHECK(std::string(error.reason) == "line 2: blob has 2 numbers");
    CHECK(out == std::vector<uint16_t>{7});
}
