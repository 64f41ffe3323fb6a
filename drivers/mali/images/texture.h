// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures in the form that shader cores read: Texture and Plane descriptors of parts of a resource, for
// views, image units and load shaders.
#pragma once

#include <array>
#include <vector>

#include "drivers/common/images/sampler_view.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/images/resource.h"

namespace terrazzo::mali {

/// How texels of a resource are read: in the resource's format, or in one with blocks of the same size.
struct TexelFormat {
    uint32_t pixel_format = 0;
    hw::ClumpFormat clump{};
    bool stencil = false;  // reads stencil, or depth of a depth-stencil format: only R is defined
    bool depth = false;
    pipe::Format format = pipe::Format::None;
};
/// False: the hardware cannot read the resource in that format.
[[nodiscard]] bool texel_format(const MaliResource& r, pipe::Format format, bool stencil, TexelFormat* out);

/// Describes one level of a layer, or one level with all slices of a 3D image.
[[nodiscard]] hw::Plane make_plane(const MaliResource& r, const TexelFormat& format, uint32_t level,
                                   uint32_t layer);

/// A Texture descriptor of `levels` levels from `first_level` on, with `layers` layers. The caller sets the
/// address of the planes.
[[nodiscard]] hw::Texture make_texture(const MaliResource& r, const TexelFormat& format,
                                       pipe::ResourceKind kind, const pipe::Swizzle swizzle[4],
                                       uint32_t first_level, uint32_t levels, uint32_t layers);

/// Describes `count` texels at `va`.
[[nodiscard]] hw::Plane make_buffer_plane(uint64_t va, const TexelFormat& format, uint32_t count);
[[nodiscard]] hw::Texture make_buffer_texture(const TexelFormat& format, const pipe::Swizzle swizzle[4],
                                              uint32_t count);

inline constexpr pipe::Swizzle kOwnChannels[4] = {pipe::Swizzle::Channel0, pipe::Swizzle::Channel1,
                                                  pipe::Swizzle::Channel2, pipe::Swizzle::Channel3};

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

}  // namespace terrazzo::mali
