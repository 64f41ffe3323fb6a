// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending for draws: the pipe's state object, and the facts that draws check. It is looked up by GL's own
// state, so a recently used state costs a comparison, and no descriptor is built.
#pragma once

#include "state_tracker/state/state_cache.h"

namespace terrazzo::st {

struct Blending {
    pipe::BlendState* state = nullptr;
    uint32_t advanced = 0;     // advanced_equations()
    bool two_sources = false;  // a factor is of a second source colour (EXT_blend_func_extended)
};

class BlendStates {
  public:
    /// The blending of the context's current state; `fb` says which attachments are drawn to. Null: out of
    /// memory. The result is valid until the next call. Its pipe state lives at least until the end of the
    /// next call, so the caller may bind the new one before the old one is destroyed.
    [[nodiscard]] const Blending* get(const Context& ctx, const FramebufferInfo& fb);

  private:
    /// All of GL's state that matters while all draw buffers have the same functions and masks.
    struct Key {
        BlendTarget functions;
        uint8_t enabled = 0, undrawn = 0;
        bool alpha_to_coverage = false, dither = false;
    };
    struct Recent {
        Key key;
        Blending blending;  // without a state: the entry is empty
    };
    static bool same(const Key& a, const Key& b);
    [[nodiscard]] bool make(const Context& ctx, const FramebufferInfo& fb, Blending* out);

    StateCache<pipe::BlendDesc, pipe::BlendState> states_;
    uint64_t purges_ = 0;  // the value of states_.purges() for which `recent_` is valid
    std::array<Recent, 4> recent_{};
    unsigned next_ = 0;
    Blending uneven_;  // for draw buffers that differ
};

/// GL_SRC1_COLOR_EXT and the other factors of the second source.
[[nodiscard]] constexpr bool is_second_source(GLenum f) {
    return f == GL_SRC1_COLOR_EXT || f == GL_ONE_MINUS_SRC1_COLOR_EXT || f == GL_SRC1_ALPHA_EXT ||
           f == GL_ONE_MINUS_SRC1_ALPHA_EXT;
}
/// None: the equation does not belong to KHR_blend_equation_advanced.
[[nodiscard]] pipe::AdvancedBlend advanced_blend(GLenum equation);
/// The advanced equations of the draw buffers that blend: bit n is the n-th after AdvancedBlend::None.
[[nodiscard]] uint32_t advanced_equations(const State& s);
[[nodiscard]] pipe::BlendDesc blend_desc(const Context& ctx, const FramebufferInfo& fb);

}  // namespace terrazzo::st
