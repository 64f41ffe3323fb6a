// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending: by the fixed-function blender if it has the equation, otherwise by a blend shader
// (internal_shaders.h).
#pragma once

#include <array>
#include <span>

#include "drivers/common/blend/equation.h"
#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/program/program.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// The blending of one target, and its encoding for the blender.
struct BlendForm : blend::Equation {
    uint32_t equation = 0;  // BlendEquation, if fixed_function; with the mask of `desc`
    bool fixed_function = false;
};
[[nodiscard]] BlendForm make_blend_form(const pipe::BlendTargetDesc& d, bool has_alpha);

class MaliBlend final : public pipe::BlendState {
  public:
    explicit MaliBlend(const pipe::BlendDesc& d);
    const pipe::BlendDesc desc;
    const uint64_t id;                                                   // unique in the process, never 0
    std::array<std::array<BlendForm, 2>, pipe::kMaxColorTargets> forms;  // [target][has alpha]
};

struct BlendSummary {
    uint8_t targets_written = 0;  // a bit for each target
    bool reads_destination =
        false;  // of any target; then a fragment must not be dropped when a later one covers it
    bool has_shader = false;
    bool shader_takes_color =
        false;                  // a blend shader reads the blend color, at blend_color_at_dw of the uniforms
    bool replaces_all = false;  // in every attachment: earlier colors do not matter
    bool alpha_zero_keeps = false, alpha_one_replaces = false;  // as BlendForm's, of all targets written
    bool operator==(const BlendSummary&) const = default;
};

/// The offset of the blend color, four floats, in the uniforms of a draw with this fragment shader. It
/// follows the shader's own uniforms, rounded up to one of a few offsets, since each offset requires blend
/// shaders of its own.
[[nodiscard]] uint32_t blend_color_at_dw(const compiler::Info& fragment);

/// Writes a Blend descriptor (4 words) for each target of `formats` (None: no attachment), at least one.
/// Compiles blend shaders where required; they live as long as `shaders`. With several samples the fragment
/// shader must then run for each. Throws std::bad_alloc.
[[nodiscard]] BlendSummary write_blend(BlendShaders& shaders, const MaliBlend& blend,
                                       std::span<const pipe::Format> formats, uint32_t samples,
                                       const float constant[4], const compiler::Info& fragment,
                                       uint32_t* out);
/// Whether write_blend() needs a blend shader for any target.
[[nodiscard]] bool needs_blend_shader(const MaliBlend& blend, std::span<const pipe::Format> formats,
                                      const float constant[4], const compiler::Info& fragment);

}  // namespace terrazzo::mali
