// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures and samplers as the shader core reads them.
#pragma once

#include <array>
#include <vector>

#include "drivers/mali/resource.h"

namespace terrazzo::mali {

inline constexpr unsigned kTexture_dw = 8, kSampler_dw = 8;

class MaliSamplerView final : public pipe::SamplerView {
  public:
    /// Null: out of memory, or a view that the format or resource does not allow (said in the log).
    [[nodiscard]] static pipe::Ref<MaliSamplerView> create(Device& device, pipe::Ref<pipe::Resource> r,
                                                           const pipe::SamplerViewDesc& desc);
    /// The Texture descriptor. Planes are remade where the resource was renamed. Throws std::bad_alloc.
    const std::array<uint32_t, kTexture_dw>& words();
    MaliResource& image() const { return static_cast<MaliResource&>(*resource); }
    /// The memory of what words() names: must be held, with the view, by whoever reads it.
    const Block& planes() const { return planes_; }
    std::atomic<uint64_t> held_by{0};  // as MaliResource::read_by

  private:
    MaliSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d);
    ~MaliSamplerView() override;
    [[nodiscard]] bool make(Device& device);
    struct Stale {
        Block planes;
        pipe::Ref<Bo> of;
    };
    std::array<uint32_t, kTexture_dw> words_{};
    Block planes_;
    pipe::Ref<Bo> planes_of_;
    std::vector<Stale> stale_;  // planes of memory that the image had before
    uint32_t storage_serial_ = 0;
};

class MaliSampler final : public pipe::SamplerState {
  public:
    explicit MaliSampler(const pipe::SamplerDesc& d);
    const pipe::SamplerDesc desc;
    /// Border colours do not depend on the format here (GLES 2.0 has only what EXT_texture_border_clamp gives
    /// floats).
    std::array<uint32_t, kSampler_dw> words;
};

/// What an unbound unit reads: (0,0,0,1). Of the kinds that GLSL has.
[[nodiscard]] pipe::Ref<MaliSamplerView> create_null_view(Device& device, pipe::ResourceKind kind);

}  // namespace terrazzo::mali
