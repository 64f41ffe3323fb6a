// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blits by the 2D engine: it converts, scales, mirrors, filters and resolves.
#pragma once

#include "drivers/adreno/images/engine2d.h"
#include "pipe/context.h"

namespace terrazzo::adreno {

struct Blit2d {
    Side2d src, dst;
    Engine2d engine;
    bool filter = false, average = false;
    pipe::Scissor from, to;  // in pixels, not mirrored
    pipe::Scissor clip;      // if engine.scissored
    uint32_t src_z = 0, dst_z = 0, count = 1;
};
/// False: the engine cannot blit this, or there is nothing to do. `info` must be valid for pipe::blit().
/// Images with a stencil plane need a blit for each plane.
[[nodiscard]] bool plan_blit2d(const pipe::BlitInfo& info, Blit2d* out, Plane plane = Plane::Main);
/// Copies a level with one sample to every sample of an image whose samples are columns. False: the engine
/// cannot.
[[nodiscard]] bool plan_spread2d(const pipe::BlitInfo& info, Blit2d* out);
/// For sysmem. The caller syncs the caches.
void write_blit2d(CsBuilder& cs, const hw::Chip& chip, const Blit2d& blit);

}  // namespace terrazzo::adreno
