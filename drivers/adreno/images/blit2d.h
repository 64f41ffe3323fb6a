// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine: blits that convert, scale, mirror, filter and resolve.
#pragma once

#include "drivers/adreno/images/side2d.h"
#include "pipe/context.h"

namespace terrazzo::adreno {

struct Blit2d {
    Side2d src, dst;
    Engine2d engine;
    bool filter = false, average = false;
    pipe::Scissor from, to;  // pixels, not mirrored
    pipe::Scissor clip;      // where engine.scissored
    uint32_t src_z = 0, dst_z = 0, count = 1;
};
/// False: the engine cannot, or there is nothing to do. What pipe::blit() says of a blit holds. Of images with a plane of stencil each plane is a blit.
[[nodiscard]] bool plan_blit2d(const pipe::BlitInfo& info, Blit2d* out, Plane plane = Plane::Main);
/// All of a level's image of one sample becomes each sample of another image, whose samples are columns. False: the engine cannot.
[[nodiscard]] bool plan_spread2d(const pipe::BlitInfo& info, Blit2d* out);
/// In sysmem; caches are the caller's.
void write_blit2d(CsBuilder& cs, const hw::Chip& chip, const Blit2d& blit);

}  // namespace terrazzo::adreno
