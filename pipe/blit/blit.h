// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies between images that scale, mirror, convert, resolve or select an aspect; and mipmap generation.
// blit() uses the first engine that supports the copy: the driver's own (Context::try_blit), an unscaled copy
// (Context::copy_region), engines that the caller passes (a driver's draws), and finally the CPU with maps,
// which supports every valid copy. Rules: OpenGL ES 3.2 section 16.2.1. Call outside render passes, on the
// context's thread. Only std::bad_alloc is thrown; a part of the destination may be written then.
#pragma once

#include <cstdint>
#include <span>

#include "pipe/context.h"

namespace terrazzo::pipe {

enum class BlitStatus : uint8_t {
    Ok,           // done, or nothing to do (empty after clipping)
    Unsupported,  // no conversion between these formats, aspects or sample counts; nothing was written
    OutOfMemory,  // a map failed; a part of the destination may be written
};

/// Another engine, for drivers: with draws or a copy unit.
class BlitEngine {
  public:
    virtual ~BlitEngine() = default;
    /// Whether run() supports the whole copy, exactly as BlitInfo specifies.
    [[nodiscard]] virtual bool can(const BlitInfo& info) const = 0;
    [[nodiscard]] virtual BlitStatus run(Context& context, const BlitInfo& info) = 0;
};

/// The engine that blit() used, for tests and traces.
enum class BlitPath : uint8_t { Nothing, Driver, Copy, Engine, Cpu, Impossible };

/// Copies info.src.box to info.dst.box. A box with a negative width or height is mirrored: it begins at x and
/// extends to the left. Destination pixels are clipped to the level and the scissor. Pixels whose source lies
/// outside the source level are left unchanged. Clipping does not change the scale. Linear filtering clamps
/// to the source level's edge; it is ignored for integers, depth and stencil. A multisampled source is
/// resolved if the destination has one sample: colours are averaged; for integers, depth and stencil the
/// result is sample 0. With equal sample counts each sample is copied (unscaled, one format). The depth of a
/// box counts slices or layers, which are scaled to the nearest. Overlapping source and destination are
/// copied as if through a temporary. `path` (may be null) receives the engine.
[[nodiscard]] BlitStatus blit(Context& context, const BlitInfo& info,
                              std::span<BlitEngine* const> engines = {}, BlitPath* path = nullptr);

/// Copies with the CPU engine.
[[nodiscard]] BlitStatus blit_cpu(Context& context, const BlitInfo& info);

struct MipmapInfo {
    Resource* resource = nullptr;
    Format format = Format::None;  // of the reads and averages: an sRGB format averages linear light
    uint32_t base_level = 0;       // the source
    uint32_t last_level = 0;       // levels (base_level, last_level] are written
    uint32_t first_layer = 0,
             layer_count = 1;  // array layers and cube faces; 3D textures: all slices, whatever is here
};

/// Whether texels of the format can be averaged: float-valued colour, not compressed.
bool can_generate_mipmap(Format format);

/// Writes each level, on the CPU, as the area average of the level above. If a size is not a multiple of 2,
/// the weights are exact.
[[nodiscard]] BlitStatus generate_mipmap(Context& context, const MipmapInfo& info);

}  // namespace terrazzo::pipe
