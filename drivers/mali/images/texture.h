// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures in the form that shader cores read.
#pragma once

#include <array>
#include <vector>

#include "drivers/common/images/sampler_view.h"
#include "drivers/mali/images/plane.h"

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

/// What an image unit shows: one level of an image, or texels in a buffer.
class ImageTexels {
  public:
    /// `view` may have no resource, or one that it does not suit. Then loads return zeros, and stores have no
    /// effect.
    explicit ImageTexels(const pipe::ImageView& view);
    /// Width, height, then slices or layers (of a cube array: cubes).
    [[nodiscard]] const std::array<uint32_t, 3>& size() const { return size_; }
    /// The memory that write() needs in addition to the descriptor.
    [[nodiscard]] uint32_t planes_B() const { return uint32_t(count_ * hw::Plane::kSize_B); }
    static constexpr uint32_t kPlaneAlign_B = 64;
    /// Writes the Texture descriptor, and its planes to memory at `planes_va`. `unbound_va`: 16 bytes that
    /// stores without an image may change.
    void write(uint64_t planes_va, uint64_t unbound_va, uint8_t* planes, uint8_t* descriptor) const;

  private:
    const pipe::ImageView& view_;
    TexelFormat format_;
    std::array<uint32_t, 3> size_{};
    uint32_t count_ = 1;  // of planes
    bool bound_ = false;
};

/// The view that an unbound texture unit reads, with texels (0,0,0,1). `kind`: one that GLSL has.
[[nodiscard]] pipe::Ref<MaliSamplerView> create_null_view(Device& device, pipe::ResourceKind kind);

}  // namespace terrazzo::mali
