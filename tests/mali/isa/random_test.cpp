// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Valhall's encodings with random input (encoding_cases.h): the values that instructions may have.
#include "drivers/mali/isa/fau.h"
#include "drivers/mali/isa/isa.h"
#include "tests/common/isa/encoding_cases.h"

using namespace terrazzo::mali::isa;
using terrazzo::tests::below;
using terrazzo::tests::Random;

namespace {

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

/// An instruction that validate() accepts.
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

struct Valhall {
    using Instr = terrazzo::mali::isa::Instr;
    using Op = terrazzo::mali::isa::Op;
    using Unit = uint64_t;
    static constexpr unsigned kOpCount = terrazzo::mali::isa::kOpCount;
    static constexpr std::string_view kPieces[] = {".",       ",",
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
    static Instr random_instr(Random& random, Op op) { return ::random_instr(random, op); }
    static uint64_t random_word(Random& random, Op op, unsigned turn) {
        const OpInfo& row = info(op);
        uint64_t word = random() & random() & row.used & ~row.opcode.mask & ~row.control.mask;
        word |= row.opcode.value | row.control.value;
        return turn % 8 ? word & ~kPageBits.mask() : word;
    }
};

}  // namespace

TYPE_TO_STRING_AS("Valhall", Valhall);
TERRAZZO_ENCODING_CASES(Valhall)
