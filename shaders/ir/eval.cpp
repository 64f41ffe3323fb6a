// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Finds an op's kernel by its signature.
#include "shaders/ir/eval.h"

#include "shaders/ir/eval_kernel.h"

namespace terrazzo::ir {

using namespace eval_detail;

Kernel kernel(Op op, Type result, Type operand) {
    switch (op_info(op).sig) {
        case Sig::Same:
            return bit_size(result) == 64 ? unary<I64, I64>([](uint64_t a) { return a; })
                                          : unary<I32, I32>([](uint32_t a) { return a; });
        case Sig::Select:
            return bit_size(result) == 64 ? ternary<I64, I32, I64, I64>(
                                                [](uint32_t c, uint64_t a, uint64_t b) { return c ? a : b; })
                                          : ternary<I32, I32, I32, I32>(
                                                [](uint32_t c, uint32_t a, uint32_t b) { return c ? a : b; });
        case Sig::Float:
        case Sig::FloatInt:
            return float_kernel(op, result);
        case Sig::FloatCmp:
            return float_compare_kernel(op, operand);
        case Sig::Int: {
            const Kernel k = int_kernel(op, result);
            return k ? k : bit_kernel(op, result);
        }
        case Sig::IntOrBool:
            return bit_kernel(op, result);
        case Sig::IntCmp:
            return int_compare_kernel(op, operand);
        case Sig::Convert:
            return convert_kernel(op, result, operand);
        case Sig::Any:
            return nullptr;
    }
    return nullptr;
}

std::optional<uint64_t> evaluate(Op op, Type result, Type operand, std::span<const uint64_t> operands) {
    const Kernel k = kernel(op, result, operand);
    if (!k || op_info(op).operands != int(operands.size())) return std::nullopt;
    // A lane is read as 32 or 64 bits. On little-endian machines both find the value at the buffer's start.
    static_assert(std::endian::native == std::endian::little);
    alignas(8) uint64_t lanes[4][4] = {};
    for (size_t i = 0; i < operands.size(); i++)
        lanes[i][0] = operands[i];
    alignas(8) uint64_t out[4] = {};
    k(out, lanes[0], lanes[1], lanes[2], lanes[3], 4);
    return bit_size(result) == 64 ? out[0] : uint32_t(out[0]);
}

std::optional<uint64_t> evaluate(const Instr& i) {
    if (!i.operand_count || i.operand_count > 4 || i.result_count != 1 || i.info().operands < 0)
        return std::nullopt;
    uint64_t bits[4];
    for (unsigned n = 0; n < i.operand_count; n++) {
        if (!is_const(i.operand(n))) return std::nullopt;
        bits[n] = const_bits(i.operand(n));
    }
    const unsigned typed = i.op == Op::Select ? 1 : 0;
    return evaluate(i.op, i.result()->type, i.operand(typed)->type, std::span(bits, i.operand_count));
}

}  // namespace terrazzo::ir
