// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operations between lanes.
#include <array>

#include "drivers/mali/sim/core/context.h"

namespace terrazzo::mali::sim {

namespace {

unsigned subgroup_lanes(const Context& c) {
    return 2u << unsigned(c.instr.subgroup());
}

// The result of CLPER for an inactive source lane.
uint32_t inactive_value(isa::InactiveResult r) {
    switch (r) {
        case isa::InactiveResult::kZero:
            return 0;
        case isa::InactiveResult::kUmax:
            return 0xffffffffu;
        case isa::InactiveResult::kI1:
            return 1;
        case isa::InactiveResult::kV2i1:
            return 0x00010001u;
        case isa::InactiveResult::kSmin:
            return 0x80000000u;
        case isa::InactiveResult::kSmax:
            return 0x7fffffffu;
        case isa::InactiveResult::kV2smin:
            return 0x80008000u;
        case isa::InactiveResult::kV2smax:
            return 0x7fff7fffu;
        case isa::InactiveResult::kV4smin:
            return 0x80808080u;
        case isa::InactiveResult::kV4smax:
            return 0x7f7f7f7fu;
        case isa::InactiveResult::kF1:
            return 0x3f800000u;
        case isa::InactiveResult::kV2f1:
            return 0x3c003c00u;
        case isa::InactiveResult::kInfn:
            return 0xff800000u;
        case isa::InactiveResult::kInf:
            return 0x7f800000u;
        case isa::InactiveResult::kV2infn:
            return 0xfc00fc00u;
        case isa::InactiveResult::kV2inf:
            return 0x7c007c00u;
    }
    return 0;
}

// The lane that each lane reads; -1: outside its subgroup, treated as inactive.
int source_lane(isa::LaneOp op, unsigned lane, uint32_t argument, unsigned size) {
    const unsigned base = lane & ~(size - 1);
    switch (op) {
        case isa::LaneOp::kNone:
            return int(base + (argument & (size - 1)));
        case isa::LaneOp::kXor:
            return int(base + ((lane ^ argument) & (size - 1)));
        case isa::LaneOp::kAccumulate:
        case isa::LaneOp::kShift: {
            const int64_t at = int64_t(lane) - int64_t(argument);
            return at < int64_t(base) ? -1 : int(at);
        }
    }
    return -1;
}

void permute(Context& c, U32 value, U32* out) {
    const U32 argument = c.bytes(1) & 0xffu;
    const unsigned size = subgroup_lanes(c);
    const uint32_t other = inactive_value(c.instr.inactive_result());
    for (unsigned i = 0; i < wave::kLanes; ++i) {
        const int from = source_lane(c.instr.lane_op(), i, argument[i], size);
        (*out)[i] = from >= 0 && (c.active >> from & 1) ? value[unsigned(from)] : other;
    }
}
void clper(Context& c) {
    if (c.instr.lane_op() == isa::LaneOp::kAccumulate) {
        c.undefined = "what the lane operation accumulate does is not known";
        return;
    }
    U32 out;
    permute(c, c.raw(0), &out);
    c.write(out);
}
void clper_wide(Context& c) {
    U32 low, high;
    const Pair p = c.wide(0, false);
    permute(c, p.low, &low);
    permute(c, p.high, &high);
    c.write64(__builtin_convertvector(low, U64) | __builtin_convertvector(high, U64) << 32);
}

constexpr std::array kRows = {
    // The lanes of the subgroup whose source is not zero.
    HandlerRow{Op::kWmask,
               [](Context& c) {
                   const uint32_t set = wave::bits_of(c.raw(0)) & c.active;
                   const unsigned size = subgroup_lanes(c);
                   U32 out;
                   for (unsigned i = 0; i < wave::kLanes; ++i)
                       out[i] = set >> (i & ~(size - 1)) & ((1u << size) - 1);
                   c.write(out);
               }},
    HandlerRow{Op::kClperI32, clper},
    HandlerRow{Op::kClperV2u16, clper},
    HandlerRow{Op::kClperV4u8, clper},
    HandlerRow{Op::kClperV2s16, clper},
    HandlerRow{Op::kClperV4s8, clper},
    HandlerRow{Op::kClperU64, clper_wide},
    HandlerRow{Op::kClperS64, clper_wide},
    HandlerRow{Op::kClperS32, clper},
};

}  // namespace

std::span<const HandlerRow> subgroup_handlers() {
    return kRows;
}

}  // namespace terrazzo::mali::sim
