// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending as draws see it: the pipe's state of the context's, and what draws check of it. Found by GL's own state, so that
// what was seen lately costs a comparison and no descriptor.
#pragma once

#include "state_tracker/state/state_cache.h"

namespace terrazzo::st {

struct Blending {
    pipe::BlendState* state = nullptr;
    uint32_t advanced = 0;     // advanced_equations()
    bool two_sources = false;  // some factor is of a second source colour (EXT_blend_func_extended)
};

class BlendStates {
  public:
    /// That of the context's present state; `fb` tells which attachments are drawn to. Null: out of memory. Valid until the next
    /// call; the pipe's state lives until the end of the next one at least, so that the caller may bind one after the other.
    [[nodiscard]] const Blending* get(const Context& ctx, const FramebufferInfo& fb);

  private:
    /// All of GL's state that counts, where all draw buffers have the same functions and masks.
    struct Key {
        BlendTarget functions;
        uint8_t enabled = 0, undrawn = 0;
        bool alpha_to_coverage = false, dither = false;
    };
    struct Recent {
        Key key;
        Blending blending;  // no state: nothing is here
    };
    static bool same(const Key& a, const Key& b);
    [[nodiscard]] bool make(const Context& ctx, const FramebufferInfo& fb, Blending* out);

    StateCache<pipe::BlendDesc, pipe::BlendState> states_;
    uint64_t purges_ = 0;  // of states_, that `recent_` is of
    std::array<Recent, 4> recent_{};
    unsigned next_ = 0;
    Blending uneven_;  // of draw buffers that differ
};

/// GL_SRC1_COLOR_EXT and its kin.
[[nodiscard]] constexpr bool is_second_source(GLenum f) {
    return f == GL_SRC1_COLOR_EXT || f == GL_ONE_MINUS_SRC1_COLOR_EXT || f == GL_SRC1_ALPHA_EXT ||
           f == GL_ONE_MINUS_SRC1_ALPHA_EXT;
}
/// None of an equation that is not KHR_blend_equation_advanced's.
[[nodiscard]] pipe::AdvancedBlend advanced_blend(GLenum equation);
/// The advanced equations that blend: bit n is the n-th after AdvancedBlend::None.
[[nodiscard]] uint32_t advanced_equations(const State& s);
[[nodiscard]] pipe::BlendDesc blend_desc(const Context& ctx, const FramebufferInfo& fb);

}  // namespace terrazzo::st
