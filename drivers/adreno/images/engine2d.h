// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The 2D engine: levels of images as its sources and targets, and fills of rectangles. Copies: copy2d.h,
// blit2d.h.
#pragma once

#include "drivers/adreno/images/target.h"
#include "drivers/adreno/stream/cs_builder.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

struct ClearValue {
    pipe::ClearColor color{};
    float depth = 1;
    uint8_t stencil = 0;
};
/// What is cleared: colour, or parts of a surface with depth and stencil.
enum class ClearPart : uint8_t { Color, Depth, Stencil, DepthStencil };

/// Whether fill() supports the surface: the engine knows its format.
[[nodiscard]] bool can_fill(const Surface& s);
/// Fills the pixels of `area`, not empty, of one layer. For sysmem. The caller syncs the caches.
void fill(CsBuilder& cs, const hw::Chip& chip, const Surface& s, uint32_t layer, const pipe::Scissor& area,
          ClearPart part, const ClearValue& value);

/// One level of an image, as the engine's source or target.
struct Side2d {
    hw::Format format = hw::Format::FMT6_NONE;
    hw::TileMode tile_mode = hw::TileMode::TILE6_LINEAR;
    hw::ColorSwap swap = hw::ColorSwap::WZYX;
    bool srgb = false;
    uint32_t samples = 1;
    uint32_t width = 0, height = 0, pitch_B = 0;
    uint64_t va = 0, z_stride_B = 0;
    uint64_t flags_va = 0, flags_z_stride_B = 0;  // 0: not compressed
    uint32_t flags_pitch_B = 0;
    [[nodiscard]] uint64_t image_va(uint32_t z) const { return va + z * z_stride_B; }
    [[nodiscard]] uint64_t image_flags_va(uint32_t z) const { return flags_va + z * flags_z_stride_B; }
};
/// Sets all members except the formats, which the caller sets.
[[nodiscard]] Side2d side2d(const AdrenoResource& r, uint32_t level, Plane plane = Plane::Main);
/// Whether rows and images begin at multiples of 64 bytes, as the engine requires.
[[nodiscard]] bool is_aligned(const Side2d& side);

/// Describes a layer of a surface as a target of the engine.
[[nodiscard]] Side2d side2d(const Surface& s);
/// Whether an element is two channels of a byte, which are tiled differently from one channel of 16 bits.
[[nodiscard]] bool is_two_bytes(const pipe::FormatInfo& f);
/// The number of samples that form one element. Samples of a pixel are columns, except those of one byte and
/// those of is_two_bytes().
[[nodiscard]] uint32_t joined_samples(const pipe::FormatInfo& f, uint32_t samples);
/// The integer format whose elements have this size. None: the engine has no such format.
[[nodiscard]] pipe::Format integers_of(uint32_t size_B, bool two_bytes);

/// The engine's internal format, and the bytes of depth with stencil that it keeps (RB_2D_UNKNOWN_8C01).
struct Engine2d {
    hw::Ifmt2d ifmt = hw::Ifmt2d::R2D_INT32;
    hw::Rotation rotate = hw::Rotation::ROTATE_0;
    bool is_sint = false, is_uint = false, scissored = false, solid = false;
    uint32_t keep = 0;
};
/// Values of Engine2d::keep.
inline constexpr uint32_t kKeepStencil2d = 0x08000041, kKeepDepth2d = 0x00084001;

void write_engine(CsBuilder& cs, const Engine2d& engine, const Side2d& target);
/// `z`: the layer or slice. `filter`: filters between pixels. `average`: computes the mean of samples;
/// otherwise reads the first one.
void write_source(CsBuilder& cs, const Side2d& source, uint32_t z, bool filter = false, bool average = false);
void write_target(CsBuilder& cs, const Side2d& target, uint32_t z);
/// Both rectangles must not be empty.
void write_rects(CsBuilder& cs, const pipe::Scissor& from, const pipe::Scissor& to);
/// Runs the engine with the registers written before. For sysmem. The caller syncs the caches.
void run_engine(CsBuilder& cs, const hw::Chip& chip);

}  // namespace terrazzo::adreno
