// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// AGX' encodings with random input (encoding_cases.h): the values that instructions may have.
#include "drivers/agx/isa/isa.h"
#include "tests/common/isa/encoding_cases.h"

using namespace terrazzo::agx::isa;
using terrazzo::tests::below;
using terrazzo::tests::Random;

namespace {

Operand random_operand(Random& random, const OperandInfo& row, const Instr& instr) {
    const Case& c = row.shape->cases[random() % row.shape->cases.size()];
    Operand o{c.kind, c.size, 0, c.flags, 0};
    const bool file = c.kind == OperandKind::kRegister || c.kind == OperandKind::kUniform;
    if (file) o.count = uint8_t(registers_of(c.count, instr));
    if (c.low == Low::kZero) return o;
    const uint64_t value = random() & row.value.max();
    o.value = int32_t(file ? (value & ~uint64_t(c.low != Low::kAny)) << c.scale : value) + c.add;
    if (c.kind == OperandKind::kImmediate && row.shape->number != Number::kUnsigned && row.value.width() < 32)
        o.value = int32_t(row.value.get_signed(row.value.put<Word>(uint64_t(o.value))));
    if (c.kind == OperandKind::kImmediate && row.shape->number == Number::kFloat) o.value = int32_t(value);
    if (row.shape->signs != kSignExtend || file) o.flags = uint8_t(o.flags | (random() & row.shape->signs));
    return o;
}

Instr random_instr(Random& random, Op op) {
    const OpInfo& row = info(op);
    for (unsigned turn = 0;; turn++) {
        Instr instr = make(op);
        for (const FieldInfo& f : row.fields())
            if (below(random, 3)) instr.fields[unsigned(f.field)] = uint16_t(random() & f.bits.max());
        if (row.dest_count) instr.dest = random_operand(random, row.dest_row, instr);
        for (unsigned i = 0; i < row.source_count; i++)
            instr.src[i] = random_operand(random, row.source_rows[i], instr);
        instr.padded = row.long_bit && below(random, 4) == 0;
        if (validate(instr, nullptr)) return instr;
        REQUIRE_MESSAGE(turn < 100000, std::string(row.name));
    }
}

struct Agx {
    using Instr = terrazzo::agx::isa::Instr;
    using Op = terrazzo::agx::isa::Op;
    using Unit = terrazzo::agx::isa::Unit;
    static constexpr unsigned kOpCount = terrazzo::agx::isa::kOpCount;
    static constexpr std::string_view kPieces[] = {
        ".",       ",",         "_",     "r",          "u",
        "l",       "h",         "0x",    "-",          "#",
        "=",       " ",         "\n",    "ts",         "ss1",
        "cf",      "r127h",     "r128",  "u255h",      "u256",
        ".cache",  ".discard",  ".neg",  ".abs",       ".sx",
        ".long",   ".bindless", ".sat",  "pc",         "+2",
        "1.5",     "99",        "sr",    "backfacing", ".format#9",
        ", b26=0", ", shift=7", "r0_r1", "_r2",        "18446744073709551616"};
    static Instr random_instr(Random& random, Op op) { return ::random_instr(random, op); }
    static Word random_word(Random& random, Op op, unsigned turn) {
        const OpInfo& row = info(op);
        Word bits = terrazzo::tests::random_bits<Word>(random);
        for (unsigned n = turn % 3; n > 0; n--)
            bits &= terrazzo::tests::random_bits<Word>(random);
        return (bits & row.used & ~row.opcode.mask) | row.opcode.value;
    }
};

}  // namespace

TYPE_TO_STRING_AS("agx", Agx);
TERRAZZO_ENCODING_CASES(Agx)
