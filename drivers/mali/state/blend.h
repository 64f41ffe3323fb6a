// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending: by fixed function where the hardware has the equation, by a blend shader (blend_shader.h) where
// not.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "drivers/common/blend/equation.h"
#include "drivers/mali/program/program.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// What blending does to one target, and how the blender is told.
struct BlendForm : blend::Equation {
    uint32_t equation = 0;  // BlendEquation, where fixed_function; its mask is `desc`'s
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

/// Blend shaders of a device, by what they do. Thread: any.
class BlendShaders;
struct DeleteBlendShaders {
    void operator()(BlendShaders*) const;
};
[[nodiscard]] std::unique_ptr<BlendShaders, DeleteBlendShaders> create_blend_shaders(Device& device);

struct BlendSummary {
    uint8_t targets_written = 0;  // bit a target
    bool reads_destination =
        false;  // of any target: a fragment may not be dropped because a later one covers it
    bool has_shader = false;
    bool shader_takes_color = false;  // it must be among the uniforms, at blend_color_at_dw
    bool replaces_all = false;        // every attachment: what lies below a fragment does not matter
    bool alpha_zero_keeps = false, alpha_one_replaces = false;  // BlendForm's, of all that are written
    bool operator==(const BlendSummary&) const = default;
};

/// Where blend shaders find the blend colour, four floats, among the uniforms of a fragment shader that says
/// this of itself: behind its own, at one of few places, as each takes blend shaders of its own.
[[nodiscard]] uint32_t blend_color_at_dw(const compiler::Info& fragment);

/// One Blend descriptor (4 words) a target of `formats` (None: no attachment), at least one. Blend shaders
/// are compiled on the way; they live as long as `shaders`. Throws std::bad_alloc.
[[nodiscard]] BlendSummary write_blend(BlendShaders& shaders, const MaliBlend& blend,
                                       std::span<const pipe::Format> formats, const float constant[4],
                                       const MaliProgram& program, uint32_t* out);
[[nodiscard]] BlendSummary write_blend(BlendShaders& shaders, const MaliBlend& blend,
                                       std::span<const pipe::Format> formats, const float constant[4],
                                       const compiler::Info& fragment, uint32_t* out);

}  // namespace terrazzo::mali
