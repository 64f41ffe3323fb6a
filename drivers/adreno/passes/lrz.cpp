// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, docs/drivers/freedreno/hw/lrz.rst, tu_lrz.cc (fast clears), fd6_emit.cc
// (compute_lrz_state), fd6_zsa.cc, fd6_blitter.cc (fd6_clear_lrz), freedreno_lrz_layout.h.
#include "drivers/adreno/passes/lrz.h"

#include <algorithm>

#include "drivers/adreno/images/engine2d.h"

namespace terrazzo::adreno {

LrzUse LrzTracker::add(const LrzDraw& d) {
    using pipe::Compare;
    if (!valid_) return {};
    const bool writes = d.depth_test && d.depth_write;
    const bool overwrites = d.covers_colors || (!d.writes_colors && !has_colors_);
    Direction direction = Direction::Unknown;
    switch (d.compare) {
        case Compare::Less:
        case Compare::LessEqual:
            direction = Direction::Less;
            break;
        case Compare::Greater:
        case Compare::GreaterEqual:
            direction = Direction::Greater;
            break;
        // Fragments that pass have the stored depth, or none passes: depths do not change.
        case Compare::Equal:
        case Compare::Never:
            break;
        case Compare::NotEqual:
        case Compare::Always:
            if (writes) end();
            break;
    }
    has_colors_ |= d.writes_colors;
    if (!d.depth_test) return {};
    if (direction != Direction::Unknown && direction_ != Direction::Unknown && direction != direction_) {
        if (writes) end();
        direction = Direction::Unknown;
    }
    const bool tests = valid_ && direction != Direction::Unknown && !d.has_effects && !d.own_depth;
    const LrzUse use{tests, tests && writes && open_ && overwrites && !d.may_leave_out,
                     direction == Direction::Greater};
    if (d.has_effects || (writes && !overwrites)) open_ = false;
    if (direction != Direction::Unknown) direction_ = direction;
    return tests ? use : LrzUse{};
}

LrzLayout lrz_layout(const hw::Chip& chip, uint32_t w_px, uint32_t h_px, uint32_t samples) {
    constexpr uint32_t kBlock_sa = 8, kAlign = 32;
    const auto blocks = [](uint32_t sa) {
        return ((sa + kBlock_sa - 1) / kBlock_sa + kAlign - 1) / kAlign * kAlign;
    };
    LrzLayout out{blocks(samples >= 4 ? 2 * w_px : w_px), blocks(samples >= 2 ? 2 * h_px : h_px)};
    constexpr uint32_t kGroup = 16 * 4;
    out.has_fast_clear =
        chip.generation.has_lrz_fast_clear && out.pitch * out.rows <= LrzLayout::kGroups * kGroup;
    return out;
}

void clear_lrz(CsBuilder& cs, const hw::Chip& chip, const LrzLayout& layout, uint64_t va, float depth) {
    const Surface s{.pipe_format = pipe::Format::D16_UNORM,
                    .format = hw::Format::FMT6_16_UNORM,
                    .depth_format = hw::DepthFormat::DEPTH6_16,
                    .va = va,
                    .pitch_B = layout.pitch * 2,
                    .width_px = layout.pitch,
                    .height_px = layout.rows};
    fill(cs, chip, s, 0, {0, 0, int32_t(layout.pitch), int32_t(layout.rows)}, ClearPart::Depth,
         {.depth = depth});
}

void flush_lrz(CsBuilder& cs, bool fast) {
    // Fast-clear bits are flushed only while they are enabled.
    if (fast) cs.write(hw::GRAS_LRZ_CNTL{.enable = true, .fc_enable = true});
    cs.event(hw::EventType::LRZ_FLUSH);
}

void clear_lrz_fast(CsBuilder& cs, const LrzLayout& layout, uint64_t va) {
    write_lrz_buffer(cs, layout, va, true);
    cs.write(hw::GRAS_LRZ_CNTL{.enable = true, .fc_enable = true});
    cs.event(hw::EventType::LRZ_CLEAR);
    cs.event(hw::EventType::LRZ_FLUSH);
}

void write_lrz_buffer(CsBuilder& cs, const LrzLayout& layout, uint64_t va, bool fast) {
    cs.write(hw::GRAS_LRZ_BUFFER_BASE{va}, hw::GRAS_LRZ_BUFFER_PITCH{.pitch = va ? layout.pitch : 0},
             hw::GRAS_LRZ_FAST_CLEAR_BUFFER_BASE{va && fast ? va + layout.blocks_B() : 0});
}

}  // namespace terrazzo::adreno
