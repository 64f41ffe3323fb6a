// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Views. The planes of a layer's levels are adjacent; layers follow each other.
#include "drivers/mali/images/texture.h"

#include <new>

#include "drivers/mali/device.h"
#include "drivers/mali/images/plane.h"

namespace terrazzo::mali {

namespace {

using pipe::ResourceKind;

constexpr uint32_t kPlaneAlign_B = 64;
constexpr uint32_t kMaxPlanes_B = 64 * 1024;

}  // namespace

const char* MaliSamplerView::refuse(MaliResource& image, const pipe::SamplerViewDesc& d) {
    if (d.kind == ResourceKind::Buffer) return "views of buffers are not supported";
    if (images::view_layers(d) * images::view_levels(d) * hw::Plane::kSize_B > kMaxPlanes_B)
        return "it has too many planes";
    const bool same = afbc_compatible(image.desc.format, d.format);
    if (!same) image.keep_plain();
    if (image.afbc() && !same) return "the image is compressed in another format";
    TexelFormat format;
    return texel_format(image, d.format, d.stencil, &format) ? nullptr
                                                             : "the image cannot be read in that format";
}

pipe::Ref<TextureDescriptors> MaliSamplerView::make() const {
    const MaliResource& r = image();
    const std::lock_guard guard(r.mutex());
    const uint32_t levels = images::view_levels(desc), layers = images::view_layers(desc);
    TexelFormat format;
    if (!texel_format(r, desc.format, desc.stencil, &format)) return nullptr;
    auto d = pipe::Ref<TextureDescriptors>::adopt(new (std::nothrow) TextureDescriptors);
    if (!d) return nullptr;
    d->planes = r.bo()->device->create_block(levels * layers * hw::Plane::kSize_B, kPlaneAlign_B);
    if (!d->planes) return nullptr;
    uint8_t* out = d->planes.cpu;
    for (uint32_t layer = 0; layer < layers; ++layer)
        for (uint32_t level = 0; level < levels; ++level, out += hw::Plane::kSize_B)
            hw::pack(make_plane(r, format, desc.first_level + level, desc.first_layer + layer),
                     reinterpret_cast<uint32_t*>(out));
    hw::Texture t = make_texture(r, format, desc.kind, desc.swizzle, desc.first_level, levels, layers);
    t.surfaces = d->planes.va;
    hw::pack(t, d->words.data());
    d->storage_serial = r.storage_serial();
    return d;
}

TextureDescriptors& MaliSamplerView::remake() {
    const std::lock_guard guard(mutex_);
    if (!made_.empty() && made_.back()->storage_serial == image().storage_serial()) return *made_.back();
    made_.reserve(made_.size() + 1);
    pipe::Ref<TextureDescriptors> d = make();
    if (!d) throw std::bad_alloc();
    // Work in flight holds references to the descriptors that it reads.
    const pipe::Ref<TextureDescriptors> last = made_.empty() ? nullptr : made_.back();
    std::erase_if(made_, [&](const pipe::Ref<TextureDescriptors>& old) { return old->unique(); });
    current_.store(d.get(), std::memory_order_release);
    made_.push_back(std::move(d));
    return *made_.back();
}

pipe::Ref<MaliSamplerView> create_null_view(Device& device, ResourceKind kind) {
    pipe::ResourceDesc d;
    d.kind = kind;
    d.format = pipe::Format::R8G8B8A8_UNORM;
    if (kind == ResourceKind::Cube || kind == ResourceKind::CubeArray) d.layers = 6;
    d.bind = pipe::bind::kSampled;
    pipe::Ref<MaliResource> r = MaliResource::create(device, d);
    if (!r) return nullptr;
    pipe::SamplerViewDesc v;
    v.kind = kind;
    v.format = d.format;
    v.last_layer = uint16_t(d.layers - 1);
    v.swizzle[0] = v.swizzle[1] = v.swizzle[2] = pipe::Swizzle::Zero;
    v.swizzle[3] = pipe::Swizzle::One;
    return MaliSamplerView::create(device, r, v);
}

}  // namespace terrazzo::mali
