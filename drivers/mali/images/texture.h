// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures in the form that shader cores read.
#pragma once

#include <array>
#include <vector>

#include "drivers/common/images/sampler_view.h"
#include "drivers/mali/images/resource.h"

namespace terrazzo::mali {

inline constexpr unsigned kTexture_dw = 8;

/// The descriptors of a view for one storage of its image. Work that reads them must hold them.
struct TextureDescriptors final : pipe::RefCounted {
    std::array<uint32_t, kTexture_dw> words{};  // the packed Texture
    Block planes;
    uint32_t storage_serial = 0;
    mutable std::atomic<uint64_t> held_by{0};  // as StoredResource::read_by
};

class MaliSamplerView final : public images::StoredView<MaliSamplerView, MaliResource> {
  public:
    /// Required by images::StoredView. An image that is read in a format of another encoding is never
    /// compressed.
    [[nodiscard]] static const char* refuse(MaliResource& image, const pipe::SamplerViewDesc& desc);
    /// Packs new descriptors if the image's memory was replaced. Throws std::bad_alloc.
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
    // The last entry is current. Another thread may still read the one before it.
    std::vector<pipe::Ref<TextureDescriptors>> made_;
};

/// The view that an unbound texture unit reads, with texels (0,0,0,1). `kind`: one that GLSL has.
[[nodiscard]] pipe::Ref<MaliSamplerView> create_null_view(Device& device, pipe::ResourceKind kind);

}  // namespace terrazzo::mali
