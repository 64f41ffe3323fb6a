// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Rules for every vendor's instructions: random words, instructions and text. Seeds are fixed. A vendor `V`
// has Instr, Op, Unit, kOpCount, kPieces (pieces of text to damage lines with), and
//   static Instr random_instr(Random&, Op)                  an instruction that validate() accepts
//   static Word random_word(Random&, Op, unsigned turn)     the bits of the operation, other bits at random
// (Word is Instr::Word, of which a whole number of V::Unit is the longest instruction) and runs the cases
// with TERRAZZO_ENCODING_CASES(V).
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "drivers/common/isa/program.h"
#include "tests/common/isa/damage.h"

namespace terrazzo::tests {

using Random = std::mt19937_64;

inline unsigned below(Random& random, unsigned limit) {
    return unsigned(random() % limit);
}

/// Hides the namespace terrazzo::decode, so that a vendor's function is found through its arguments.
void decode() = delete;

/// Any bits.
template <typename W>
W random_bits(Random& random) {
    W word{};
    for (unsigned at = 0; at < isa::kWordBits<W>; at += 32)
        word |= W(random() & 0xffffffff) << at;
    return word;
}

/// A word must be refused with a reason, or be unchanged after decode, print, assemble and encode, as far
/// as the instruction reaches. Returns true if it was accepted. The vendor's functions are found through
/// the namespace of its `Instr`.
template <typename Instr>
bool check_word(const typename Instr::Word& word) {
    Instr instr;
    isa::Error error;
    if (!decode(word, &instr, &error)) {
        CHECK_MESSAGE(error.reason[0] != 0, uint64_t(word));
        return false;
    }
    typename Instr::Word again{};
    std::string text;
    print(instr, &text);
    const bool encoded = encode(instr, &again, &error);
    CHECK_MESSAGE(encoded, text, ": ", error.reason);
    const bool same = again == isa::cut_word(word, isa::length_of(instr));
    CHECK_MESSAGE(same, text);
    Instr parsed;
    const bool assembled = assemble_line(text, &parsed, &error);
    CHECK_MESSAGE(assembled, text, ": ", error.reason);
    CHECK_MESSAGE(parsed == instr, text);
    return true;
}

TEST_CASE_TEMPLATE_DEFINE("isa: any word is refused with a reason, or unchanged after a round trip", V,
                          isa_any_word) {
    Random random(1);
    for (unsigned i = 0; i < 200000; i++) {
        check_word<typename V::Instr>(random_bits<typename V::Instr::Word>(random));
    }
    // Most random words are no instruction. Therefore the bits that identify the operation are set.
    for (unsigned op = 0; op < V::kOpCount; op++) {
        unsigned taken = 0;
        for (unsigned i = 0; i < 2000; i++) {
            taken += check_word<typename V::Instr>(V::random_word(random, typename V::Op(op), i));
        }
        CHECK_MESSAGE(taken > 0, std::string(info(typename V::Op(op)).name));
    }
}

TEST_CASE_TEMPLATE_DEFINE("isa: every instruction with random operands survives encode, decode and text", V,
                          isa_every_instruction) {
    Random random(2);
    for (unsigned op = 0; op < V::kOpCount; op++) {
        const std::string name = info(typename V::Op(op)).name;
        for (unsigned i = 0; i < 400; i++) {
            const typename V::Instr instr = V::random_instr(random, typename V::Op(op));
            isa::Error error;
            typename V::Instr::Word word{};
            const bool encoded = encode(instr, &word, &error);
            REQUIRE_MESSAGE(encoded, name, ": ", error.reason);
            typename V::Instr decoded;
            const bool known = decode(word, &decoded, &error);
            REQUIRE_MESSAGE(known, error.reason);
            CHECK_MESSAGE(decoded == instr, name);
            CHECK(check_word<typename V::Instr>(word));
        }
    }
}

TEST_CASE_TEMPLATE_DEFINE("isa: a wrong bit outside of the used ones is noticed", V, isa_wrong_bit) {
    Random random(3);
    using Word = typename V::Instr::Word;
    for (unsigned op = 0; op < V::kOpCount; op++) {
        Word word{};
        const typename V::Instr before = V::random_instr(random, typename V::Op(op));
        REQUIRE(encode(before, &word, nullptr));
        for (unsigned bit = 0; bit < isa::length_of(before); bit++) {
            typename V::Instr instr;
            const Word wrong = word ^ Word(1) << bit;
            if (check_word<typename V::Instr>(wrong) && decode(wrong, &instr, nullptr) &&
                unsigned(instr.op) == op) {
                CHECK((uint64_t(instr.info().used >> bit) & 1) != 0);
            }
        }
    }
}

TEST_CASE_TEMPLATE_DEFINE("isa: damaged text is refused or valid, and no byte beyond it is read", V,
                          isa_damaged_text) {
    Random random(4);
    for (unsigned i = 0; i < 60000; i++) {
        std::string text;
        print(V::random_instr(random, typename V::Op(below(random, V::kOpCount))), &text);
        damage(random, V::kPieces, &text);
        // A copy of exactly that size, so that the address sanitizer sees accesses beyond its end.
        const std::vector<char> bytes(text.begin(), text.end());
        std::vector<typename V::Unit> units{42};
        isa::Error error;
        if (isa::assemble<typename V::Instr, typename V::Unit>({bytes.data(), bytes.size()}, &units,
                                                               &error)) {
            typename V::Instr instr;
            size_t length = 0;
            for (std::span<const typename V::Unit> rest = units; !rest.empty(); rest = rest.subspan(length)) {
                REQUIRE(isa::decode_first(rest, &instr, &length, nullptr));
                CHECK(check_word<typename V::Instr>(isa::load_word<typename V::Instr::Word>(rest)));
            }
        } else {
            CHECK(error.reason[0] != 0);
            CHECK(units == std::vector<typename V::Unit>{42});
        }
    }
}

/// Outside of all namespaces.
#define TERRAZZO_ENCODING_CASES(V)                       \
    namespace terrazzo::tests {                          \
    TEST_CASE_TEMPLATE_INVOKE(isa_any_word, V);          \
    TEST_CASE_TEMPLATE_INVOKE(isa_every_instruction, V); \
    TEST_CASE_TEMPLATE_INVOKE(isa_wrong_bit, V);         \
    TEST_CASE_TEMPLATE_INVOKE(isa_damaged_text, V);      \
    }

}  // namespace terrazzo::tests
