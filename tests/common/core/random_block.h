// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random blocks, and lanes to run them on.
#pragma once

#include <algorithm>
#include <vector>

#include "drivers/common/core/micro.h"
#include "tests/common/core/words.h"

namespace terrazzo::core_test {

inline constexpr unsigned kRows = 10, kUniforms = 6;

inline void mix_kernel(const core::U32& a, const core::U32& b, const core::U32& c, uint64_t data,
                       core::U32* out) {
    *out = (a ^ (b << 3)) + c * uint32_t(data) + uint32_t(data >> 32);
}
/// An operation that writes lanes before it has read all of its sources.
inline void slow_kernel(const core::U32& a, const core::U32& b, const core::U32&, uint64_t data,
                        core::U32* out) {
    for (unsigned n = 0; n < wave::kLanes; ++n)
        (*out)[n] = a[n] * 3 + b[n] + uint32_t(data);
}

inline core::Value random_value(std::mt19937& random, const core::MicroBlock& block) {
    using core::MicroBuilder;
    switch (random() % 8) {
        case 0:
            return MicroBuilder::uniform(uint32_t(random() % kUniforms));
        case 1:
            return MicroBuilder::constant(some_word(random));
        case 2:
        case 3:
            return MicroBuilder::reg(uint32_t(random() % kRows));
        default:
            if (!block.temporaries) return MicroBuilder::reg(0);
            // Usually a recent value.
            const uint32_t back = uint32_t(random() % (random() % 4 ? 4 : 64)) % block.temporaries;
            return {core::Value::Kind::Temporary, block.temporaries - 1 - back};
    }
}

inline core::MicroInstr random_instr(std::mt19937& random, const core::MicroBlock& block, bool kernels) {
    core::MicroInstr i;
    do
        i.op = core::MicroOp(random() % core::kMicroOps);
    while (i.op == core::MicroOp::Kernel && !kernels);
    // Combines and extracts halves, as code for halves does.
    static constexpr core::MicroOp kOften[] = {core::MicroOp::Insert,        core::MicroOp::ExtractUnsigned,
                                               core::MicroOp::ExtractSigned, core::MicroOp::HalfToFloat,
                                               core::MicroOp::FloatToHalf,   core::MicroOp::Copy};
    if (random() % 4 == 0) i.op = kOften[random() % std::size(kOften)];
    i.imm.bits = uint8_t(random() % 33);
    if (random() % 4 == 0) i.imm.bits = 16;
    i.imm.first = uint8_t(std::min<uint32_t>(uint32_t(random()) % (33 - i.imm.bits), 31));
    if (i.imm.bits == 16 && random() % 2) i.imm.first = random() % 2 ? 16 : 0;
    i.imm.round = wave::Round(random() % 4);
    i.imm.range = core::ClampRange(random() % 3);
    i.imm.data = uint64_t(random()) << 32 | random();
    i.kernel = random() % 2 ? mix_kernel : slow_kernel;
    for (core::Value& v : i.from)
        v = random_value(random, block);
    return i;
}

/// Up to `most` micro-operations. About a third of them write registers.
inline core::MicroBlock random_block(std::mt19937& random, unsigned most) {
    core::MicroBlock block;
    const unsigned count = 1 + unsigned(random() % most);
    const bool kernels = random() % 3 == 0;
    for (unsigned n = 0; n < count; ++n) {
        core::MicroInstr i = random_instr(random, block, kernels);
        if (random() % 3 == 0)
            i.to = core::MicroBuilder::reg(uint32_t(random() % kRows));
        else
            i.to = {core::Value::Kind::Temporary, block.temporaries++};
        block.code.push_back(i);
    }
    return block;
}

/// Registers, uniforms and masks of up to three groups.
struct RandomLanes {
    explicit RandomLanes(std::mt19937& random)
        : groups(1 + unsigned(random() % 3)),
          row_groups(groups + unsigned(random() % 2)),
          group_distance(random() % 3 ? 1 : row_groups * kRows),
          rows(kRows * row_groups + (groups - 1) * group_distance) {
        for (core::U32& v : rows)
            v = some_words(random);
        for (uint32_t& v : uniforms)
            v = some_word(random);
        for (uint16_t& lanes : running)
            lanes = random() % 2 ? 0xffff : random() % 4 ? uint16_t(random()) : random() % 2 ? 0xff00 : 0;
    }
    core::LaneState state() { return {rows.data(), row_groups, groups, uniforms, running}; }

    unsigned groups, row_groups, group_distance;
    std::vector<core::U32> rows;
    uint32_t uniforms[kUniforms];
    uint16_t running[3];
};

}  // namespace terrazzo::core_test
