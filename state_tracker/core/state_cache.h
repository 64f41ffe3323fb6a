// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pipe state objects by descriptor: a state that was seen before costs a lookup. Bounded: a cache that grew
// too large (states with ever new floats) starts anew; the pipe and the caller hold what is bound.
#pragma once

#include <unordered_map>

#include "pipe/state.h"
#include "state_tracker/context.h"

namespace terrazzo::st {

struct DescHash {
    size_t operator()(const pipe::RasterDesc& d) const;
    size_t operator()(const pipe::DepthStencilDesc& d) const;
    size_t operator()(const pipe::BlendDesc& d) const;
    size_t operator()(const pipe::VertexLayoutDesc& d) const;
};

template <class Desc, class State>
class StateCache {
  public:
    /// `create` makes the state where it is new. Null: it could not.
    template <class F>
    [[nodiscard]] pipe::Ref<State> get(const Desc& desc, F&& create) {
        if (auto it = map_.find(desc); it != map_.end()) return it->second;
        pipe::Ref<State> s = create(desc);
        if (!s) return nullptr;
        if (map_.size() >= kMax) map_.clear();
        map_.emplace(desc, s);
        return s;
    }

  private:
    static constexpr size_t kMax = 1024;
    std::unordered_map<Desc, pipe::Ref<State>, DescHash> map_;
};

/// GL_SRC1_COLOR_EXT and its kin (EXT_blend_func_extended).
[[nodiscard]] constexpr bool is_second_source(GLenum f) {
    return f == GL_SRC1_COLOR_EXT || f == GL_ONE_MINUS_SRC1_COLOR_EXT || f == GL_SRC1_ALPHA_EXT ||
           f == GL_ONE_MINUS_SRC1_ALPHA_EXT;
}
/// Whether any blend factor is one of them.
[[nodiscard]] bool blends_two_sources(const State& s);
/// The descriptors of the context's current state; `fb` tells which planes there are.
[[nodiscard]] pipe::RasterDesc raster_desc(const Context& ctx);
[[nodiscard]] pipe::DepthStencilDesc depth_stencil_desc(const Context& ctx, const FramebufferInfo& fb);
[[nodiscard]] pipe::BlendDesc blend_desc(const Context& ctx, const FramebufferInfo& fb);
[[nodiscard]] pipe::Viewport viewport(const Context& ctx);
[[nodiscard]] pipe::Scissor scissor(const Context& ctx);
/// A GL stencil reference as stencil_bits hold it.
[[nodiscard]] uint8_t stencil_ref(GLint ref, unsigned stencil_bits);

}  // namespace terrazzo::st
