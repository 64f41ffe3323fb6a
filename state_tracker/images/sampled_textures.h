// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Cached results of a context's draws with textures. While neither the texture nor its sampler changes, a
// draw takes no lock of the share group and counts no atomic references, which would cost more than the rest
// of it.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "state_tracker/images/sampler.h"
#include "state_tracker/images/yuv.h"

namespace terrazzo::st {

/// For an image of Y, U and V: the other planes that shaders sample, and the conversion to colours.
struct YuvSampling {
    pipe::Ref<pipe::SamplerView> chroma[2];  // the second may be null
    YuvConversion conversion;
};

/// A texture with a sampler, prepared for the pipe. It belongs to one context, so its uses are counted
/// without atomics.
struct SampledTexture {
    // The key. The objects are held, so that no other objects get their addresses.
    pipe::Ref<Texture> texture;
    pipe::Ref<Sampler> sampler;  // null: the texture's own parameters
    uint64_t texture_stamp = 0, sampler_stamp = 0;

    pipe::Ref<pipe::SamplerView> view;  // null: sampling gives (0,0,0,1)
    pipe::Ref<pipe::SamplerState> state;
    std::unique_ptr<const YuvSampling>
        yuv;  // for an image of Y, U and V, whose first plane is in `view`; otherwise null

    uint32_t uses = 0;
    [[nodiscard]] bool is_of(const Texture& t, const Sampler* s) const {
        return texture.get() == &t && sampler.get() == s &&
               texture_stamp == t.stamp.load(std::memory_order_relaxed) &&
               (!s || sampler_stamp == s->stamp.load(std::memory_order_relaxed));
    }
};

/// One counted use of a SampledTexture.
class SampledRef {
  public:
    SampledRef() = default;
    explicit SampledRef(SampledTexture* t) : t_(t) {
        if (t_) ++t_->uses;
    }
    SampledRef(const SampledRef& o) : SampledRef(o.t_) {}
    SampledRef& operator=(SampledRef o) noexcept {
        std::swap(t_, o.t_);
        return *this;
    }
    ~SampledRef() {
        if (t_ && --t_->uses == 0) delete t_;
    }
    [[nodiscard]] SampledTexture* get() const { return t_; }
    SampledTexture* operator->() const { return t_; }
    explicit operator bool() const { return t_; }

  private:
    SampledTexture* t_ = nullptr;
};

class SampledTextures {
  public:
    /// The cached result for the pair, if it is valid for its current stamps; null: none.
    [[nodiscard]] SampledTexture* find(const Texture& t, const Sampler* s) const {
        SampledTexture* const kept = kept_[place(t, s)].get();
        return kept && kept->is_of(t, s) ? kept : nullptr;
    }
    void keep(const SampledRef& sampled) {
        kept_[place(*sampled->texture, sampled->sampler.get())] = sampled;
    }
    /// Drops the cache if textures were deleted; `removals` counts deletions.
    void update(uint64_t removals) {
        if (removals == removals_) return;
        kept_ = {};
        removals_ = removals;
    }

  private:
    static constexpr unsigned kBits = 6;
    [[nodiscard]] static size_t place(const Texture& t, const Sampler* s) {
        const uint64_t mixed =
            (uint64_t(reinterpret_cast<uintptr_t>(&t)) * 3 ^ uint64_t(reinterpret_cast<uintptr_t>(s))) *
            0x9e3779b97f4a7c15ull;
        return size_t(mixed >> (64 - kBits));
    }
    std::array<SampledRef, 1u << kBits> kept_;
    uint64_t removals_ = 0;
};

}  // namespace terrazzo::st
