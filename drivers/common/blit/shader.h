// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fragment shader of blits, built as IR. It fetches texels and computes their positions in integers, as
// pipe/blit/blit_axis.h, so that results do not depend on the rounding of a device's sampler.
#pragma once

#include <array>
#include <compare>
#include <memory>

#include "pipe/blit/blit_axis.h"
#include "shaders/ir/ir.h"

namespace terrazzo::blits {

struct ShaderKey {
    enum class Value : uint8_t { Float, Integer, Depth, Stencil, DepthStencil };
    Value value = Value::Float;
    bool volume = false;  // the source is a 3D texture
    bool scaled = false;
    bool linear = false;                              // for scaled floats
    std::array<uint8_t, 4> component = {0, 1, 2, 3};  // of the texel, for each component of the target
    bool operator==(const ShaderKey&) const = default;
};

/// One dimension: k = pixel - dst, n = (2 k + 1) src_size + add; the texel is base + sign floor(n / divisor),
/// filtered with the one before. Unscaled: base + sign k.
struct AxisUniforms {
    int32_t dst, src_size, add, divisor, base, sign, last;
};
struct Uniforms {
    AxisUniforms axis[2];
    int32_t z;  // for a 3D texture
};

/// The largest size: n has 32 bits.
inline constexpr int64_t kMaxSize_px = 1 << 15;
[[nodiscard]] AxisUniforms axis_uniforms(int64_t src, int64_t src_size, int64_t dst, int64_t dst_size,
                                         int32_t src_limit, bool linear);

/// Texture 0 is the colour, the depth, or the stencil; if both depth and stencil are copied, stencil is
/// texture 1.
[[nodiscard]] std::unique_ptr<ir::Shader> fragment_shader(const ShaderKey& key);

}  // namespace terrazzo::blits
