// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Parts of tables of instructions: fields and their overlaps, names of values, pieces of text.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "drivers/common/isa/bits.h"
#include "drivers/common/isa/enumeration.h"
#include "drivers/common/isa/program.h"
#include "drivers/common/isa/text.h"

using namespace terrazzo::isa;

TEST_CASE("isa: fields of a word") {
    constexpr Bits kField{8, 4};
    CHECK(kField.mask() == 0xf00);
    CHECK(kField.get(uint64_t{0xabcd}) == 0xb);
    CHECK(kField.put(0x1f) == 0xf00);
    CHECK(kField.get_signed(uint64_t{0x0700}) == 7);
    CHECK(kField.get_signed(uint64_t{0x0800}) == -8);
    constexpr Bits kAll{0, 64};
    CHECK(kAll.mask() == ~uint64_t{0});
    CHECK(kAll.get(~uint64_t{0}) == ~uint64_t{0});
    constexpr Bits kAbsent{};
    CHECK(kAbsent.mask() == 0);
    CHECK(kAbsent.get(~uint64_t{0}) == 0);
    CHECK(kAbsent.put(1) == 0);
    CHECK_FALSE(bool(kAbsent));
}

TEST_CASE("isa: bits can be claimed only once") {
    Claims<uint64_t> claims;
    claims.claim(Bits{0, 8});
    claims.claim(Bits{8, 8});
    CHECK(claims.disjoint);
    claims.claim(Bits{15, 2});
    CHECK_FALSE(claims.disjoint);
    Claims<uint64_t> beyond;
    beyond.claim(Bits{60, 5});
    CHECK_FALSE(beyond.disjoint);
}

TEST_CASE("isa: which words match two rows") {
    Match<uint64_t> a, b;
    CHECK(a.overlaps(b));  // neither demands any bits
    CHECK(a.demand({4, 4}, 0x3));
    CHECK(b.demand({4, 4}, 0x3));
    CHECK(a.overlaps(b));
    CHECK(a.demand({0, 2}, 1));
    CHECK(a.overlaps(b));
    CHECK(b.demand({0, 2}, 2));
    CHECK_FALSE(a.overlaps(b));
    CHECK(a.matches(0xff31));
    CHECK_FALSE(a.matches(0xff32));
    CHECK_FALSE(a.demand({1, 1}, 0));  // already demanded
    CHECK_FALSE(a.demand({8, 2}, 4));  // does not fit
}

TEST_CASE("isa: names of values") {
    constexpr Enumeration kGood(1, {{0, "zero"}, {1, "one"}, {5, "five"}});
    static_assert(kGood.sound() && kGood.fits(3) && !kGood.fits(2));
    CHECK(kGood.find("five") == 5);
    CHECK(kGood.find("two") == -1);
    CHECK(kGood.find("") == -1);
    CHECK(kGood.name(2) == nullptr);
    CHECK(kGood.name(1000) == nullptr);
    CHECK(kGood.is_default(1));
    CHECK_FALSE(kGood.is_default(0));
    CHECK_FALSE(Enumeration(0, {{0, "a"}, {0, "b"}}).sound());
    CHECK_FALSE(Enumeration(0, {{0, "a"}, {16, "b"}}).sound());
    CHECK_FALSE(Enumeration(0, {{0, ""}}).sound());
    CHECK_FALSE(Enumeration(2, {{0, "a"}}).sound());
    CHECK(Enumeration(Enumeration::kNoDefault, {{3, "a"}}).sound());
}

TEST_CASE("isa: numbers in text") {
    const auto parsed = [](std::string_view text, int64_t low, int64_t high) -> std::string {
        int64_t value = 42;
        Error error;
        if (!parse_number(text, low, high, &value, &error)) {
            CHECK(value == 42);
            return error.reason;
        }
        return std::to_string(value);
    };
    CHECK(parsed("7", 0, 9) == "7");
    CHECK(parsed("-8", -8, 7) == "-8");
    CHECK(parsed("0xFf", 0, 255) == "255");
    CHECK(parsed("-0x10", -16, 0) == "-16");
    CHECK(parsed("10", 0, 9) == "10 is outside 0..9");
    CHECK(parsed("", 0, 9) == "'' is not a number");
    CHECK(parsed("-", 0, 9) == "'-' is not a number");
    CHECK(parsed("0x", 0, 9) == "'0x' is not a number");
    CHECK(parsed("1a", 0, 9) == "'1a' is not a number");
    CHECK(parsed("--1", -9, 9) == "'--1' is not a number");
    CHECK(parsed("+1", 0, 9) == "'+1' is not a number");
    CHECK(parsed("99999999999999999999999", 0, 9) == "99999999999999999999999 is outside 0..9");
    CHECK(parsed("9223372036854775808", INT64_MIN, INT64_MAX).find("is outside") != std::string::npos);
}

TEST_CASE("isa: parts of text") {
    const auto parts = [](std::string_view text) {
        std::vector<std::string> out;
        std::string_view part;
        while (next_part(&text, ',', &part)) {
            out.emplace_back(part);
        }
        return out;
    };
    CHECK(parts("a, b ,c") == std::vector<std::string>{"a", "b", "c"});
    CHECK(parts("a,") == std::vector<std::string>{"a", ""});
    CHECK(parts("") == std::vector<std::string>{""});
    CHECK(parts(std::string_view()).empty());
    CHECK(trimmed(" \t a b\r\n") == "a b");
    CHECK(trimmed("  ").empty());
}

TEST_CASE("isa: a long reason is cut") {
    Error error;
    CHECK_FALSE(refuse(&error, "%s", std::string(1000, 'x').c_str()));
    CHECK(std::string(error.reason) == std::string(sizeof(error.reason) - 1, 'x'));
    CHECK_FALSE(refuse(nullptr, "no caller asks"));
}

TEST_CASE("isa: a program is lines") {
    const auto first_letter = [](std::string_view line, std::vector<uint64_t>* words, Error* error) {
        words->push_back(uint64_t(line[0]));
        return line[0] != '!' || refuse(error, "'%c'", line[0]);
    };
    std::vector<uint64_t> words{42};
    Error error;
    CHECK(assemble_lines(" a\n\n# b\nc\r\n", &words, &error, first_letter));
    CHECK(words == std::vector<uint64_t>{'a', 'c'});
    CHECK_FALSE(assemble_lines("d\n\n!", &words, &error, first_letter));
    CHECK(std::string(error.reason) == "line 3: '!'");
    CHECK(words == std::vector<uint64_t>{'a', 'c'});
    CHECK(assemble_lines({}, &words, &error, first_letter));
    CHECK(words.empty());
}
