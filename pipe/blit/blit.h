// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One front for copies between images that scale, mirror, convert, resolve or pick an aspect; and mipmap
// generation. The front picks the first engine that can: the driver's own (Context::try_blit), a straight
// copy (Context::copy_region), engines that the caller has (a driver's draws), and the CPU through maps,
// which can do everything that is possible at all. Rules: OpenGL ES 3.2 section 16.2.1. Called outside render
// passes, by the context's thread. Only std::bad_alloc flies; the destination may then be written in part.
#pragma once

#include <cstdint>
#include <span>

#include "pipe/context.h"

namespace terrazzo::pipe {

enum class BlitStatus : uint8_t {
    Ok,           // done, or nothing to do (empty after clipping)
    Unsupported,  // no conversion between these formats, aspects or sample counts; nothing was written
    OutOfMemory,  // a map failed; the destination may be written in part
};

/// Another way to blit, for drivers: by draws or a copy unit.
class BlitEngine {
  public:
    virtual ~BlitEngine() = default;
    /// Whether run() would do all of it, exactly as BlitInfo says.
    [[nodiscard]] virtual bool can(const BlitInfo& info) const = 0;
    [[nodiscard]] virtual BlitStatus run(Context& context, const BlitInfo& info) = 0;
};

/// Which engine blit() takes, for tests and traces.
enum class BlitPath : uint8_t { Nothing, Driver, Copy, Engine, Cpu, Impossible };

/// Copies info.src.box to info.dst.box. Boxes with negative width or height are mirrored: the box begins at x
/// and goes left. Destination pixels are clipped to the level and the scissor; those whose source pixel is
/// outside the source level stay as they are; neither changes the scale. Linear filtering clamps to the
/// source level's edge; it is ignored for integers, depth and stencil. A multisampled source is resolved
/// where the destination has one sample: colours are averaged, of integers, depth and stencil sample 0 is
/// taken; equal sample counts copy each sample (unscaled, one format). Depth of box: slices or layers, scaled
/// to the nearest. Overlapping source and destination are as if copied aside first. `path` (may be null)
/// hears what was done.
[[nodiscard]] BlitStatus blit(Context& context, const BlitInfo& info,
                              std::span<BlitEngine* const> engines = {}, BlitPath* path = nullptr);

/// The CPU engine alone.
[[nodiscard]] BlitStatus blit_cpu(Context& context, const BlitInfo& info);

struct MipmapInfo {
    Resource* resource = nullptr;
    Format format = Format::None;  // how to read and average: the sRGB twin averages linear light
    uint32_t base_level = 0;       // the source
    uint32_t last_level = 0;       // levels (base_level, last_level] are written
    uint32_t first_layer = 0,
             layer_count = 1;  // array layers and cube faces; 3D textures: all slices, whatever is here
};

/// Whether the format can be averaged: float-valued colour, not compressed.
bool can_generate_mipmap(Format format);

/// Writes each level as the area average of the level above; sizes that are not even get exact weights. On
/// the CPU.
[[nodiscard]] BlitStatus generate_mipmap(Context& context, const MipmapInfo& info);

}  // namespace terrazzo::pipe
