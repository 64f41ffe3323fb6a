// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pipe state objects by descriptor. A recently used state costs a comparison, an older one a lookup. The size
// is bounded: a cache that grew too large (such as by many different floats) is emptied.
#pragma once

#include <array>
#include <cstring>
#include <type_traits>
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

template <class Desc>
[[nodiscard]] bool same_desc(const Desc& a, const Desc& b) {
    if constexpr (std::has_unique_object_representations_v<Desc>)
        return std::memcmp(&a, &b, sizeof a) == 0;
    else
        return a == b;
}

template <class Desc, class State>
class StateCache {
  public:
    /// Returns the state; calls `create` if it is new. Null: `create` failed. The returned state lives at
    /// least until the end of the next call, so the caller may bind the new one before the old one is
    /// destroyed.
    template <class F>
    [[nodiscard]] State* get(const Desc& desc, F&& create) {
        for (const Entry* e : recent_)
            if (e && same_desc(e->first, desc)) return e->second.get();
        auto it = map_.find(desc);
        if (it == map_.end()) {
            pipe::Ref<State> s = create(desc);
            if (!s) return nullptr;
            if (map_.size() >= kMax) {
                recent_ = {};
                before_ = std::exchange(map_, {});
                ++purges_;
            }
            it = map_.emplace(desc, std::move(s)).first;
        }
        recent_[next_++ % recent_.size()] = &*it;
        return it->second.get();
    }

    /// How often the cache was emptied. After that, pointers to earlier states may soon dangle.
    [[nodiscard]] uint64_t purges() const { return purges_; }

  private:
    static constexpr size_t kMax = 1024;
    using Map = std::unordered_map<Desc, pipe::Ref<State>, DescHash>;
    using Entry = typename Map::value_type;
    Map map_, before_;
    std::array<const Entry*, 4> recent_{};
    unsigned next_ = 0;
    uint64_t purges_ = 0;
};

/// Bit n: component n is written.
[[nodiscard]] inline uint8_t color_mask_bits(const BlendTarget& t) {
    uint8_t mask = 0;
    for (unsigned c = 0; c < 4; ++c)
        mask |= uint8_t(t.color_mask[c] << c);
    return mask;
}
/// The descriptors of the context's current state; `fb` says which planes exist.
[[nodiscard]] pipe::RasterDesc raster_desc(const Context& ctx);
[[nodiscard]] pipe::DepthStencilDesc depth_stencil_desc(const Context& ctx, const FramebufferInfo& fb);
[[nodiscard]] pipe::Viewport viewport(const Context& ctx, unsigned index = 0);
[[nodiscard]] pipe::Scissor scissor(const Context& ctx, unsigned index = 0);
/// Converts a rectangle from GL's order of rows to that in memory.
[[nodiscard]] pipe::Scissor in_memory(const pipe::Scissor& s, const FramebufferInfo& fb);
/// A GL stencil reference, clamped to stencil_bits.
[[nodiscard]] uint8_t stencil_ref(GLint ref, unsigned stencil_bits);

}  // namespace terrazzo::st
