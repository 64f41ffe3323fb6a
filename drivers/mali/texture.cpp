// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Views: planes level by level in each layer, layers after each other.
#include "drivers/mali/texture.h"

#include <new>
#include <string>

#include "drivers/mali/device.h"
#include "drivers/mali/plane.h"

namespace terrazzo::mali {

namespace {

using pipe::ResourceKind;

constexpr uint32_t kPlaneAlign_B = 64;
constexpr uint32_t kMaxPlanes_B = 64 * 1024;

bool is_cube(ResourceKind k) {
    return k == ResourceKind::Cube || k == ResourceKind::CubeArray;
}

uint32_t view_levels(const pipe::SamplerViewDesc& d) {
    return uint32_t(d.last_level) - d.first_level + 1;
}
uint32_t view_layers(const pipe::SamplerViewDesc& d) {
    return d.kind == ResourceKind::Tex3D ? 1 : uint32_t(d.last_layer) - d.first_layer + 1;
}

// Null, or what is wrong.
const char* check(const MaliResource& r, const pipe::SamplerViewDesc& d) {
    if (d.kind == ResourceKind::Buffer || r.desc.kind == ResourceKind::Buffer) return "it is of a buffer";
    if (d.first_level > d.last_level || d.last_level >= r.desc.levels)
        return "it names levels that are not there";
    if ((d.kind == ResourceKind::Tex3D) != (r.desc.kind == ResourceKind::Tex3D))
        return "it makes layers of slices";
    if (d.kind == ResourceKind::Tex3D) return nullptr;
    if (d.first_layer > d.last_layer || d.last_layer >= r.desc.layers)
        return "it names layers that are not there";
    if (is_cube(d.kind) && (view_layers(d) % 6 || r.desc.width != r.desc.height))
        return "it makes a cube of what is none";
    if (view_layers(d) * view_levels(d) * hw::Plane::kSize_B > kMaxPlanes_B) return "it has too many planes";
    return nullptr;
}

}  // namespace

pipe::Ref<MaliSamplerView> MaliSamplerView::create(Device& device, pipe::Ref<pipe::Resource> r,
                                                   const pipe::SamplerViewDesc& desc) {
    const auto complain = [&](const char* why) {
        device.log()(pipe::Severity::Error, std::string("mali: cannot create a sampler view: ") + why);
        return nullptr;
    };
    if (!r) return complain("it is of nothing");
    MaliResource& image = mali(*r);
    if (const char* why = check(image, desc)) return complain(why);
    if (!afbc_compatible(image.desc.format, desc.format)) image.keep_plain();
    if (image.afbc() && !afbc_compatible(image.desc.format, desc.format))
        return complain("the image is compressed in another format");
    TexelFormat format;
    if (!texel_format(image, desc.format, desc.stencil, &format))
        return complain("the image cannot be read in that format");
    auto view = pipe::Ref<MaliSamplerView>::adopt(new (std::nothrow) MaliSamplerView(std::move(r), desc));
    if (!view || !view->make(device)) return complain("out of memory");
    return view;
}

MaliSamplerView::MaliSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d)
    : SamplerView(std::move(r), d) {
    image().views.fetch_add(1, std::memory_order_relaxed);
}

MaliSamplerView::~MaliSamplerView() {
    image().views.fetch_sub(1, std::memory_order_relaxed);
}

bool MaliSamplerView::make(Device& device) {
    const MaliResource& r = image();
    const uint32_t levels = view_levels(desc), layers = view_layers(desc);
    TexelFormat format;
    if (!texel_format(r, desc.format, desc.stencil, &format)) return false;
    Block planes = device.create_block(levels * layers * hw::Plane::kSize_B, kPlaneAlign_B);
    if (!planes) return false;
    uint8_t* out = planes.cpu;
    for (uint32_t layer = 0; layer < layers; ++layer)
        for (uint32_t level = 0; level < levels; ++level, out += hw::Plane::kSize_B)
            hw::pack(make_plane(r, format, desc.first_level + level, desc.first_layer + layer),
                     reinterpret_cast<uint32_t*>(out));
    hw::Texture t = make_texture(r, format, desc.kind, desc.swizzle, desc.first_level, levels, layers);
    t.surfaces = planes.va;
    hw::pack(t, words_.data());
    planes_ = std::move(planes);
    planes_of_ = r.bo();
    storage_serial_ = r.storage_serial();
    return true;
}

const std::array<uint32_t, kTexture_dw>& MaliSamplerView::words() {
    if (storage_serial_ != image().storage_serial()) [[unlikely]] {
        // Unfinished work reads the old planes as long as it holds the memory that they tell of; nobody but
        // the only view and such work does.
        std::erase_if(stale_, [](const Stale& s) { return s.of->unique() && !s.of->uses.busy(true); });
        stale_.reserve(stale_.size() + 1);
        Block old = std::move(planes_);
        pipe::Ref<Bo> old_of = planes_of_;
        if (!make(*image().bo()->device)) {
            planes_ = std::move(old);
            throw std::bad_alloc();
        }
        stale_.push_back({std::move(old), std::move(old_of)});
    }
    return words_;
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
