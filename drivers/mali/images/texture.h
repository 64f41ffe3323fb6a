// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures as the shader core reads them.
#pragma once

#include <array>
#include <vector>

#include "drivers/common/images/sampler_view.h"
#include "drivers/mali/images/resource.h"

namespace terrazzo::mali {

inline constexpr unsigned kTexture_dw = 8;

/// What shaders read of a view while its image has one memory. Whoever reads it holds it.
struct TextureDescriptors final : pipe::RefCounted {
    std::array<uint32_t, kTexture_dw> words{};  // the Texture
    Block planes;
    uint32_t storage_serial = 0;
    mutable std::atomic<uint64_t> held_by{0};  // as MaliResource::read_by
};

class MaliSamplerView final : public images::StoredView<MaliSamplerView, MaliResource> {
  public:
    /// As images::StoredView asks for. What is read in another format than memory is compressed in stays plain.
    [[nodiscard]] static const char* refuse(MaliResource& image, const pipe::SamplerViewDesc& desc);
    /// Remade where the image has other memory since. Throws std::bad_alloc.
    TextureDescriptors& descriptors() {
        TextureDescriptors* const d = current_.load(std::memory_order_acquire);
        return d->storage_serial == image().storage_serial() ? *d : remake();
    }

  private:
    friend StoredView;
    MaliSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d)
        : StoredView(std::move(r), d) {
        (void)remake();
    }
    [[nodiscard]] pipe::Ref<TextureDescriptors> make() const;
    [[nodiscard]] TextureDescriptors& remake();

    std::atomic<TextureDescriptors*> current_{nullptr};
    std::mutex mutex_;
    // The last is current; another thread may just be reading the one before.
    std::vector<pipe::Ref<TextureDescriptors>> made_;
};

/// What an unbound unit reads: (0,0,0,1). Of the kinds that GLSL has.
[[nodiscard]] pipe::Ref<MaliSamplerView> create_null_view(Device& device, pipe::ResourceKind kind);

}  // namespace terrazzo::mali
