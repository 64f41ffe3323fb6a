// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/timing.h"

#include <algorithm>

namespace terrazzo::mali::compiler {

unsigned issue_clk(const isa::Instr& i) {
    constexpr unsigned kSpecialFunction = 4;
    const isa::OpInfo& row = i.info();
    if (row.unit == isa::Unit::kSfu) return kSpecialFunction;
    return row.has_dest && row.size == 64 ? 2 : 1;
}

unsigned latency_clk(const isa::Instr& i) {
    switch (i.info().message) {
        case isa::Message::kNone:
            return issue_clk(i);
        case isa::Message::kVarying:
            return 24;
        case isa::Message::kTexture:
        case isa::Message::kVaryingTexture:
            return 80;
        case isa::Message::kAttribute:
        case isa::Message::kLoad:
        case isa::Message::kStore:
        case isa::Message::kAtomic:
            return 40;
        case isa::Message::kTile:
            return 32;
        case isa::Message::kBarrier:
        case isa::Message::kBlend:
        case isa::Message::kAlphaTest:
        case isa::Message::kDepthStencil:
            return 16;
    }
    return 0;
}

uint32_t alone_clk(std::span<const uint64_t> code) {
    constexpr unsigned kSlots = 8;
    uint32_t now = 0, ready[kSlots] = {};
    for (const uint64_t word : code) {
        isa::Instr i;
        if (!isa::decode(word, &i, nullptr)) continue;
        const int slot = i.wait_slot();
        if (slot >= 0) ready[slot] = std::max(ready[slot], now + latency_clk(i));
        now += issue_clk(i);
        for (unsigned s = 0; s < kSlots; s++)
            if (isa::waited_slots(i.flow) >> s & 1) now = std::max(now, ready[s]);
    }
    return now;
}

}  // namespace terrazzo::mali::compiler
