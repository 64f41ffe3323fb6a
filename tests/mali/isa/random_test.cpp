// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Valhall's encodings with random input: words, instructions, text. Seeds are fixed.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "drivers/mali/isa/isa.h"
#include "drivers/mali/isa/swizzle.h"
#include "tests/common/isa/damage.h"
#include "tests/common/isa/round_trip.h"

using namespace terrazzo::mali::isa;

namespace {

using Random = std::mt19937_64;

unsigned below(Random& random, unsigned limit) {
    return unsigned(random() % limit);
}

bool check_word(uint64_t word) {
    return terrazzo::tests::check_word<Instr, Error>(word);
}

Operand random_fau(Random& random, bool message, bool pair) {
    constexpr Special kAnywhere[] = {Special::kFramebufferSize,       Special::kAtestDatum,
                                     Special::kBlendDescriptor3,      Special::kThreadLocalPointer,
                                     Special::kWorkgroupLocalPointer, Special::kResourceTablePointer};
    constexpr Special kArithmetic[] = {Special::kWarpId, Special::kLaneId, Special::kCoreId,
                                       Special::kProgramCounter};
    switch (below(random, 3)) {
        case 0:
            return Operand::uniform(uint8_t(below(random, 256) & (pair ? ~1u : ~0u)));
        case 1:
            return Operand::constant(uint8_t(below(random, 32)));
        default:
            return Operand::special(message || below(random, 2)
                                        ? kAnywhere[below(random, std::size(kAnywhere))]
                                        : kArithmetic[below(random, std::size(kArithmetic))],
                                    !pair && below(random, 2));
    }
}

/// One that validate() takes.
Instr random_instr(Random& random, Op op) {
    const OpInfo& row = info(op);
    Instr instr = make(op);
    do {
        instr.flow = Flow(below(random, 16));
    } while (!kFlowNames.has(uint64_t(instr.flow)));
    if (row.has_dest) {
        instr.dest = row.size == 64 ? Dest{uint8_t(2 * below(random, 32)), 3}
                                    : Dest{uint8_t(below(random, 64)), uint8_t(1 + below(random, 3))};
    }
    for (unsigned i = 0; i < row.staging_count; i++) {
        const StagingInfo& s = row.staging_rows[i];
        const unsigned count = s.bias + below(random, unsigned(s.count.max()) + 1);
        const unsigned base = count < 2 ? below(random, 64) : 2 * below(random, (64 - count) / 2);
        instr.staging[i] = {uint8_t(count ? base : 0), uint8_t(count)};
    }
    for (const ModifierInfo& m : row.modifiers()) {
        const terrazzo::isa::Enumeration* values = enumeration(m.mod);
        uint8_t value;
        do {
            value = uint8_t(below(random, values ? 16 : 2));
        } while (values && !values->has(value));
        instr.mods[unsigned(m.mod)] = value;
    }
    for (unsigned i = 0; i < row.immediate_count; i++) {
        const ImmediateInfo& imm = row.immediate_rows[i];
        const uint64_t bits = random();
        instr.imm[i] = int32_t(imm.is_signed ? imm.bits.get_signed(bits) : int64_t(imm.bits.get(bits)));
    }
    const unsigned fau_source = below(random, 5);
    for (unsigned i = 0; i < row.source_count; i++) {
        const SourceInfo& source = row.source_rows[i];
        Swizzle swizzle;
        while (!swizzle_of_code(source.set, below(random, 16), &swizzle)) {
        }
        const bool pair = source.size == 64 && swizzle == Swizzle::kNone;
        Operand operand = Operand::reg(uint8_t(below(random, 64) & (pair ? ~1u : ~0u)));
        operand.last = below(random, 2);
        if (i == fau_source) {
            operand = random_fau(random, row.message != Message::kNone, pair);
        }
        operand.swizzle = swizzle;
        operand.neg = source.neg && below(random, 2);
        operand.abs = source.abs && below(random, 2);
        operand.invert = source.invert && below(random, 2);
        instr.src[i] = operand;
    }
    return instr;
}

}  // namespace

TEST_CASE("valhall: any word is refused with a reason or says the same after the round trip") {
    Random random(1);
    for (unsigned i = 0; i < 200000; i++) {
        check_word(random());
    }
    // Most of those are no instruction: the bits that say which one it is are set right here.
    for (unsigned op = 0; op < kOpCount; op++) {
        const OpInfo& row = info(Op(op));
        unsigned taken = 0;
        for (unsigned i = 0; i < 2000; i++) {
            uint64_t word = random() & random() & row.used & ~row.opcode.mask & ~row.control.mask;
            word |= row.opcode.value | row.control.value;
            taken += check_word(i % 8 ? word & ~kPageBits.mask() : word);
        }
        CHECK_MESSAGE(taken > 0, row.name);
    }
}

TEST_CASE("valhall: every instruction with random operands survives encode, decode and text") {
    Random random(2);
    for (unsigned op = 0; op < kOpCount; op++) {
        for (unsigned i = 0; i < 300; i++) {
            const Instr instr = random_instr(random, Op(op));
            Error error;
            uint64_t word = 0;
            const bool encoded = encode(instr, &word, &error);
            REQUIRE_MESSAGE(encoded, info(Op(op)).name, ": ", error.reason);
            Instr decoded;
            REQUIRE_MESSAGE(decode(word, &decoded, &error), error.reason);
            CHECK(decoded == instr);
            CHECK(check_word(word));
        }
    }
}

TEST_CASE("valhall: one wrong bit never makes another instruction unnoticed") {
    Random random(3);
    for (unsigned op = 0; op < kOpCount; op++) {
        uint64_t word = 0;
        REQUIRE(encode(random_instr(random, Op(op)), &word, nullptr));
        for (unsigned bit = 0; bit < 64; bit++) {
            Instr instr;
            const uint64_t wrong = word ^ uint64_t { 1 } << bit;
            if (check_word(wrong) && decode(wrong, &instr, nullptr) && instr.op == Op(op)) {
                CHECK((info(Op(op)).used >> bit & 1) != 0);
            }
        }
    }
}

TEST_CASE("valhall: damaged text is refused or means something, and nothing is read beyond it") {
    Random random(4);
    constexpr std::string_view kPieces[] = {".",       ",",
                                            "@",       ":",
                                            "^",       "r",
                                            "u",       "0x",
                                            "-",       "#",
                                            " ",       "\n",
                                            "w0",      "imm",
                                            "99",      "none",
                                            ".16.32",  "lane_id",
                                            "h01",     "r63",
                                            "@r0",     ":r1",
                                            "offset:", ".neg",
                                            "\t",      "18446744073709551616"};
    for (unsigned i = 0; i < 60000; i++) {
        std::string text;
        print(random_instr(random, Op(below(random, kOpCount))), &text);
        terrazzo::tests::damage(random, kPieces, &text);
        // A copy of just that size, so that the address sanitizer sees a step beyond its end.
        const std::vector<char> bytes(text.begin(), text.end());
        std::vector<uint64_t> words{42};
        Error error;
        if (assemble({bytes.data(), bytes.size()}, &words, &error)) {
            for (uint64_t word : words) {
                CHECK(check_word(word));
            }
        } else {
            CHECK(error.reason[0] != 0);
            CHECK(words == std::vector<uint64_t>{42});
        }
    }
}
