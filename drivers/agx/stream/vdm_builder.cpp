// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, agx_state.c (agx_ensure_cmdbuf_has_space: the VDM reads beyond the end of a stream).
#include "drivers/agx/stream/vdm_builder.h"

namespace terrazzo::agx {

namespace {

constexpr uint32_t kChunk_B = 16 << 10, kReadAhead_B = 0x800, kAlign_B = 256;

}  // namespace

void VdmBuilder::open_chunk() {
    const memory::Pool::Piece p = pool_.allocate(kChunk_B, kAlign_B);
    if (at_) {
        hw::VdmStreamLink link;
        link.target_high = uint32_t(p.va >> 32);
        link.target_low = uint32_t(p.va);
        hw::pack(link, at_);
    } else {
        start_va_ = p.va;
    }
    at_ = reinterpret_cast<uint32_t*>(p.cpu);
    end_ = at_ + (kChunk_B - kReadAhead_B - hw::VdmStreamTerminate::kSize_B) / sizeof(uint32_t);
}

uint64_t VdmBuilder::finish() {
    add(hw::VdmStreamTerminate());
    pool_.trim(reinterpret_cast<uint8_t*>(end_) + kReadAhead_B + hw::VdmStreamTerminate::kSize_B,
               reinterpret_cast<uint8_t*>(at_) + kReadAhead_B);
    emitted_B_ += stream_B_;
    const uint64_t va = start_va_;
    drop();
    return va;
}

}  // namespace terrazzo::agx
