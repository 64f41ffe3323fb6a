// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks of a draw. Their buffers may change once the draw has returned, and the fragment stage runs
// later. So it gets copies, as of the default block. The vertex and compute stages read the buffers
// themselves. Draws with unchanged blocks share a copy.
#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/soft/context/context.h"

namespace terrazzo::soft {

namespace {

/// How many bytes code reads of a block without checking its size.
uint32_t readable_B(const CompiledShader& s, uint32_t slot) {
    return std::max(s.block_reach_B[slot], kLeastUniformBlock_B);
}

/// Copies `from` and appends zeros up to copy_B.
ir::MemoryRange copy_padded(const ir::MemoryRange& from, uint8_t* to, uint32_t copy_B) {
    if (from.size_B) std::memcpy(to, from.data, from.size_B);
    std::memset(to + from.size_B, 0, copy_B - from.size_B);
    return {to, from.size_B};
}

}  // namespace

/// Not longer than the part that the shader may read.
ir::MemoryRange SoftContext::bound_block(pipe::Stage stage, uint32_t slot) const {
    const pipe::BufferRange& b = constant_buffers_[stage][slot];
    if (!b.resource || b.offset_B % 4) return {};
    const SoftResource& r = soft(*b.resource);
    if (b.offset_B >= r.size_B()) return {};
    const CompiledShader& s = *program_->stage(stage);
    const uint64_t size_B = std::min({b.size_B, r.size_B() - b.offset_B, uint64_t(s.block_extent_B[slot])});
    return {r.data() + b.offset_B, uint32_t(size_B) & ~3u};
}

void SoftContext::keep_fragment_blocks() {
    const CompiledShader& s = *program_->fragment;
    const auto is_kept = [&](uint32_t slot, const ir::MemoryRange& now) {
        const ir::MemoryRange& kept = kept_blocks_[slot];
        return kept.data && kept.size_B == now.size_B &&
               (!now.size_B || std::memcmp(kept.data, now.data, now.size_B) == 0);
    };
    // Another program may read further into a block than the one that the copy was made for.
    bool fresh = !kept_blocks_ || kept_program_ != program_;
    for (uint32_t rest = s.blocks; rest && !fresh; rest &= rest - 1) {
        const auto slot = uint32_t(std::countr_zero(rest));
        fresh = !is_kept(slot, bound_block(pipe::Stage::Fragment, slot));
    }
    if (!fresh) return;
    auto* const ranges =
        static_cast<ir::MemoryRange*>(pass_.arena().allocate(sizeof(ir::MemoryRange[ir::kMaxUniformBlocks])));
    std::fill_n(ranges, ir::kMaxUniformBlocks, ir::MemoryRange());
    for (uint32_t rest = s.blocks; rest; rest &= rest - 1) {
        const auto slot = uint32_t(std::countr_zero(rest));
        const ir::MemoryRange now = bound_block(pipe::Stage::Fragment, slot);
        if (kept_blocks_ && kept_program_ == program_ && is_kept(slot, now)) {
            ranges[slot] = kept_blocks_[slot];
            continue;
        }
        const uint32_t copy_B = std::max(now.size_B, readable_B(s, slot));
        ranges[slot] = copy_padded(now, static_cast<uint8_t*>(pass_.arena().allocate(copy_B)), copy_B);
    }
    kept_blocks_ = ranges;
    draw_state_ = nullptr;
}

/// For a stage that runs before its draw or dispatch returns: the buffers themselves.
const ir::MemoryRange* SoftContext::padded_blocks(pipe::Stage stage, const CompiledShader& s) {
    for (uint32_t rest = s.blocks; rest; rest &= rest - 1) {
        const auto slot = uint32_t(std::countr_zero(rest));
        const ir::MemoryRange now = bound_block(stage, slot);
        const uint32_t least_B = readable_B(s, slot);
        std::vector<uint8_t>& copy = block_copies_[stage][slot];
        if (now.size_B < least_B && copy.size() < least_B) copy.resize(least_B);
        blocks_[stage][slot] = now.size_B >= least_B ? now : copy_padded(now, copy.data(), least_B);
    }
    return blocks_[stage].data();
}

}  // namespace terrazzo::soft
