// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/stream/cs_builder.h"

#include <algorithm>

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kSegmentAlign_B = 64;

}  // namespace

void CsBuilder::close_segment() {
    pool_.trim(reinterpret_cast<const uint8_t*>(end_), reinterpret_cast<const uint8_t*>(at_));
    if (at_ != start_) segments_.push_back({start_va_, uint32_t(at_ - start_)});
    finished_dw_ += uint64_t(at_ - start_);
    start_ = at_ = end_ = nullptr;
}

void CsBuilder::open_segment(uint32_t least_dw) {
    close_segment();
    const uint32_t size_dw = std::max(least_dw, chunk_dw_);
    const Pool::Piece piece = pool_.allocate(size_dw * 4, kSegmentAlign_B);
    start_ = at_ = reinterpret_cast<uint32_t*>(piece.cpu);
    end_ = start_ + size_dw;
    start_va_ = piece.va;
}

void CsBuilder::call(std::span<const Segment> segments) {
    uint32_t* out = begin(uint32_t(segments.size()) * 4);
    for (const Segment& s : segments)
        out = put_packet(out, hw::CpIndirectBuffer{.address = s.va, .size_dw = s.size_dw});
    end(out);
}

std::span<const Segment> CsBuilder::finish() {
    close_segment();
    return segments_;
}

void CsBuilder::discard() {
    start_ = at_ = end_ = nullptr;
    finished_dw_ = 0;
    idle_ = false;
    ccu_.reset();
    segments_.clear();
}

}  // namespace terrazzo::adreno
