// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A fragment job's framebuffer, decoded once.
#pragma once

#include <vector>

#include "drivers/common/units/edges.h"
#include "drivers/mali/sim/fragment/color.h"
#include "drivers/mali/sim/state/read.h"
#include "pipe/raster/edge.h"

namespace terrazzo::mali::sim {

inline constexpr unsigned kMaxTargets = 8;
/// Work is divided into areas of 32x32 pixels, which are whole tiles of any size.
inline constexpr int kArea_px = 32;
inline constexpr int kTile_px = 16;

struct TargetState {
    hw::RenderTarget d;
    TileFormat tile;
    unsigned pixel_B = 4;  // in memory
    bool writes = false;
    uint8_t clear[16] = {};
};

struct FramebufferState {
    hw::FramebufferParameters p;
    hw::ZsCrcExtension zs;
    bool has_zs = false;
    std::vector<TargetState> targets;
    pipe::raster::PixelRect bounds;  // the pixels that may be written
    unsigned tile_w_px = 16, tile_h_px = 16;
    unsigned samples = 1;  // of a pixel
    units::SamplePattern pattern;
    units::DepthFormat depth_format = units::DepthFormat::Float32;
    uint32_t depth_clear = 0;
};

bool load_framebuffer(Window& memory, const hw::FramebufferPointer& pointer, FramebufferState* out,
                      Fault* fault);

}  // namespace terrazzo::mali::sim
