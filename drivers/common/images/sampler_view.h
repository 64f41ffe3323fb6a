// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sampler views: the checks that all devices need, and their creation.
#pragma once

#include <new>
#include <string>

#include "drivers/common/images/part.h"
#include "drivers/common/images/stored.h"
#include "pipe/state.h"

namespace terrazzo::images {

[[nodiscard]] constexpr bool is_cube(pipe::ResourceKind k) {
    return k == pipe::ResourceKind::Cube || k == pipe::ResourceKind::CubeArray;
}
[[nodiscard]] constexpr uint32_t view_levels(const pipe::SamplerViewDesc& d) {
    return uint32_t(d.last_level) - d.first_level + 1;
}
/// A 3D image has one layer, which contains all slices.
[[nodiscard]] constexpr uint32_t view_layers(const pipe::SamplerViewDesc& d) {
    return d.kind == pipe::ResourceKind::Tex3D ? 1 : uint32_t(d.last_layer) - d.first_layer + 1;
}
/// The channel of a texel that a view's swizzle shows. Depth and stencil are read as red; the adjacent bits
/// in memory are not visible. Zero and One are constants, which also replace channels that the format lacks.
[[nodiscard]] constexpr pipe::Swizzle texel_channel(const pipe::FormatInfo& f, pipe::Swizzle s) {
    using enum pipe::Swizzle;
    if (s == Zero || s == One) return s;
    if (f.is_depth_stencil()) return s == Channel0 ? s : s == Channel3 ? One : Zero;
    const pipe::Swizzle own = f.swizzle[unsigned(s)];
    return own == Zero || own == One ? own : s;
}
/// Null, or what is wrong: levels or layers outside of the resource, or a kind that does not match it.
[[nodiscard]] const char* check_view(const StoredResource& r, const pipe::SamplerViewDesc& d);

/// `View` is the vendor's class, which derives from this one; `R` is its resource. View has
///   // Null, or the reason why the hardware cannot read the view. check_view() has accepted it.
///   static const char* refuse(R& resource, const pipe::SamplerViewDesc&)
///   View(pipe::Ref<pipe::Resource>, const pipe::SamplerViewDesc&)     may throw std::bad_alloc
template <class View, class R>
class StoredView : public pipe::SamplerView {
  public:
    /// Null: out of memory, or a view that the format or resource does not allow (logged).
    [[nodiscard]] static pipe::Ref<View> create(const memory::Device& device, pipe::Ref<pipe::Resource> r,
                                                const pipe::SamplerViewDesc& desc) {
        const auto report = [&](const char* why) {
            device.log()(pipe::Severity::Error,
                         std::string(device.vendor) + ": cannot create a sampler view: " + why);
            return nullptr;
        };
        if (!r) return report("it has no resource");
        R& resource = static_cast<R&>(*r);
        if (const char* why = check_view(resource, desc)) return report(why);
        if (const char* why = View::refuse(resource, desc)) return report(why);
        try {
            return pipe::Ref<View>::adopt(new View(std::move(r), desc));
        } catch (const std::bad_alloc&) {
            return report("out of memory");
        }
    }
    /// The view that an unbound texture unit reads: texels are (0, 0, 0, 1). `kind`: one that GLSL has. Null:
    /// as create().
    [[nodiscard]] static pipe::Ref<View> create_null(auto& device, pipe::ResourceKind kind) {
        pipe::ResourceDesc d;
        d.kind = kind;
        d.format = pipe::Format::R8G8B8A8_UNORM;
        if (is_cube(kind)) d.layers = 6;
        d.bind = pipe::bind::kSampled;
        pipe::Ref<R> r = R::create(device, d);
        if (!r) return nullptr;
        pipe::SamplerViewDesc v;
        v.kind = kind;
        v.format = d.format;
        v.last_layer = uint16_t(d.layers - 1);
        v.swizzle[0] = v.swizzle[1] = v.swizzle[2] = pipe::Swizzle::Zero;
        v.swizzle[3] = pipe::Swizzle::One;
        return create(device, std::move(r), v);
    }
    [[nodiscard]] R& image() const { return static_cast<R&>(*resource); }
    /// Whether the view can read the image in compressed form. If it cannot, and the image has no form yet,
    /// the image stays uncompressed.
    const bool reads_compressed;
    /// For Recording::hold().
    mutable std::atomic<uint64_t> held_by{0};

  protected:
    StoredView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d)
        : SamplerView(std::move(r), d),
          reads_compressed(d.kind == pipe::ResourceKind::Buffer || image().compresses_alike(d.format)) {
        image().views.fetch_add(1, std::memory_order_relaxed);
        if (!reads_compressed) image().keep_plain();
    }
    ~StoredView() override { image().views.fetch_sub(1, std::memory_order_relaxed); }
};

}  // namespace terrazzo::images
