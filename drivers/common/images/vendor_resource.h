// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Creates a vendor's resources: in memory of their own, shared with other processes, or in imported memory.
// The vendor supplies the layouts.
#pragma once

#include <algorithm>
#include <new>
#include <string>
#include <type_traits>

#include "drivers/common/images/stored.h"
#include "pipe/modifier.h"
#include "pipe/screen.h"

namespace terrazzo::images {

/// The place of a resource in its memory, and its form. A vendor's layout derives from it and from the part
/// that its resource keeps.
struct Placement {
    uint64_t begin_B = 0, size_B = 0;  // size_B: from begin_B on
    Form form = Form::Plain;
};

/// The numbers of samples that pixels of a vendor's images can have, in ascending order. Called, it chooses
/// one: at least `wanted`, or the most.
template <uint32_t... kCounts>
struct SampleCounts {
    static constexpr uint32_t kMost = std::max({kCounts...});
    [[nodiscard]] constexpr uint32_t operator()(uint32_t wanted) const {
        for (const uint32_t count : {kCounts...})
            if (count >= wanted) return count;
        return kMost;
    }
};

/// A part of an image: everything, or everything except stencil (Main), or a separate stencil plane.
enum class Plane : uint8_t { Main, Stencil };

/// The plane of stencil of an image. A vendor's part derives from it. `Layout`: pipe::SurfaceLayout, or a
/// layout with a `surface`.
template <class Layout = pipe::SurfaceLayout>
struct StencilParts {
    /// 0 levels: there is none. Else the image is only depth.
    Layout stencil{};
    /// The plane's offset from the image's first byte.
    uint64_t stencil_begin_B = 0;

    [[nodiscard]] const pipe::SurfaceLayout& stencil_layout() const {
        if constexpr (std::is_same_v<Layout, pipe::SurfaceLayout>)
            return stencil;
        else
            return stencil.surface;
    }
};

/// Whether the image must be linear because the CPU, the display or another device accesses it.
[[nodiscard]] inline bool must_be_linear(const pipe::ResourceDesc& d) {
    return (d.bind & (pipe::bind::kLinear | pipe::bind::kScanout | pipe::bind::kShared)) ||
           d.usage == pipe::Usage::Staging;
}
/// Whether only passes and samplers access the image, so that it may be compressed.
[[nodiscard]] inline bool is_private_target(const pipe::ResourceDesc& d) {
    constexpr uint32_t kTargets = pipe::bind::kColor | pipe::bind::kDepthStencil;
    return !(d.bind & ~(kTargets | pipe::bind::kSampled)) && (d.bind & kTargets) &&
           d.usage == pipe::Usage::Default && d.kind != pipe::ResourceKind::Buffer &&
           d.kind != pipe::ResourceKind::Tex3D;
}

/// The alignment of a picture's offset in shared memory.
struct SharedAlign {
    uint64_t linear_B, tiled_B;
};

/// R: the vendor's resource, which derives from this. D: its device. L: its layouts. They have
///     struct Parts                       a base of L, derived from StencilParts; the resource derives from
///                                        it, too
///     pipe::SurfaceLayout surface        as StoredResource::layout
/// R has:
///     // Whether the format can be used for all of `bind` at once.
///     static bool supported(const Chip&, pipe::Format, pipe::ResourceKind, uint32_t samples, uint32_t bind);
///     // Whether memory compressed as one of the formats can be read and drawn as the other.
///     static bool same_compression(pipe::Format, pipe::Format);
///     // The modifiers of shared images: at most one that is compressed, tiles, linear; and whether shared
///     // images of the format may be compressed; `offered`: as modifiers() reports them. Optional: they may
///     // not.
///     static constexpr pipe::ModifierTable kModifiers;
///     static bool shares_compressed(const D&, pipe::Format, bool offered);
///     // Computes the layout of an image. `own`: the memory holds only this resource. `*why`: may be set to
///     // a text that replaces the status' own.
///     static pipe::LayoutStatus lay_out(const D&, const pipe::ResourceDesc&, bool own, L*,
///                                       const char** why);
///     // What the layout of a shared image depends on: its member `image` is a pipe::LayoutDesc, with the
///     // stride there (0: the driver chooses it).
///     using SharedDesc = ...;
///     // Sets what a modifier means. False: the hardware has no such layout.
///     static bool apply_modifier(uint64_t, SharedDesc*);
///     // Computes the layout, except size_B.
///     static pipe::LayoutStatus compute(const D&, const SharedDesc&, L*);
///     // Either of these. With the second, offsets in the layout begin at that of the memory.
///     static constexpr SharedAlign kSharedAlign;
///     static void place_shared(const pipe::SharedImage&, bool imported, SharedDesc*);
///     // The alignment of a resource's begin in imported memory.
///     static constexpr uint64_t kBufferAlign_B, kImageAlign_B;
///     using VendorResource::VendorResource;
///     // Optional: the image's offset in memory, and the stride that is exported with it if it is tiled.
///     uint64_t shared_at_B() const;
///     uint32_t tiled_stride_B() const;
///     // Optional: other processes may write the memory from now on.
///     void note_others();
template <class R, class D, class L>
class VendorResource : public StoredResource, public L::Parts {
  public:
    VendorResource(D& device, const pipe::ResourceDesc& desc, const L& l, pipe::Ref<Bo> bo)
        : StoredResource(desc, l.surface, std::move(bo), l.begin_B), L::Parts(l), device_(device) {}

    [[nodiscard]] bool has_stencil_plane() const { return this->stencil_layout().levels != 0; }
    [[nodiscard]] std::optional<StencilPlane> stencil_plane() const final {
        if (!has_stencil_plane()) return std::nullopt;
        return StencilPlane{this->stencil_layout(), cpu() + this->stencil_begin_B};
    }

    [[nodiscard]] const pipe::SurfaceLayout& plane(Plane p) const {
        return p == Plane::Main ? layout : this->stencil_layout();
    }
    [[nodiscard]] pipe::Format plane_format(Plane p) const { return plane(p).format; }
    /// The offset from the image's first byte.
    [[nodiscard]] uint64_t plane_offset_B(Plane p, uint32_t level, uint32_t z) const {
        return plane(p).image_offset_B(level, z) + (p == Plane::Stencil ? this->stencil_begin_B : 0);
    }
    [[nodiscard]] uint64_t plane_va(Plane p, uint32_t level, uint32_t z) const {
        return va() + plane_offset_B(p, level, z);
    }

    /// Reads as zero. Null: out of memory, or an invalid descriptor (logged). `flags`: additional bo_flags of
    /// its memory.
    [[nodiscard]] static pipe::Ref<R> create(D& device, const pipe::ResourceDesc& desc, uint32_t flags = 0) {
        L layout;
        if (!lay_out(device, desc, true, &layout)) return nullptr;
        const bool shared = desc.bind & (pipe::bind::kShared | pipe::bind::kScanout);
        return place_in(device, desc, layout,
                        device.create_bo(layout.size_B, flags | (shared ? memory::bo_flag::kShareable : 0)),
                        kCreate);
    }
    /// As create(), with undefined contents, in a piece of staging memory.
    [[nodiscard]] static pipe::Ref<R> create_staged(D& device, const pipe::ResourceDesc& desc,
                                                    StagingMemory& memory) {
        L layout;
        if (!lay_out(device, desc, false, &layout)) return nullptr;
        StagingMemory::Piece piece = memory.allocate(device, layout.size_B);
        layout.begin_B = piece.offset_B;
        return place_in(device, desc, layout, std::move(piece.bo), kCreate);
    }
    /// Whether shared images can have the format, with these uses.
    [[nodiscard]] static bool shares(const D& device, pipe::Format f, uint32_t bind) {
        return R::supported(device.chip(), f, pipe::ResourceKind::Tex2D, 1, pipe::bind::kShared | bind);
    }
    /// As Screen::modifiers.
    [[nodiscard]] static std::span<const pipe::Modifier> modifiers(const D& device, pipe::Format f) {
        if (!shares(device, f, pipe::bind::kSampled)) return {};
        return R::kModifiers.rows(shares(device, f, pipe::bind::kSampled | pipe::bind::kColor),
                                  R::shares_compressed(device, f, true));
    }
    /// A picture with the first of the allowed modifiers that is possible. Null: as create().
    [[nodiscard]] static pipe::Ref<R> create_shared(D& device, const pipe::ResourceDesc& desc,
                                                    std::span<const uint64_t> allowed) {
        constexpr const char* kWhat = "create a shared image";
        if (!pipe::is_single_picture(desc)) return report(device, kWhat, "it is not a single 2D picture");
        for (const pipe::Modifier& m : modifiers(device, desc.format)) {
            if (!pipe::allows_modifier(allowed, m.value)) continue;
            L layout;
            pipe::SharedImage wanted;
            wanted.modifier = m.value;
            const pipe::LayoutStatus status = lay_out_at(device, desc, wanted, false, &layout);
            if (status != pipe::LayoutStatus::Ok)
                return report(device, kWhat, pipe::layout_status_text(status));
            pipe::Ref<R> r = place_in(device, desc, layout,
                                      device.create_bo(layout.size_B, memory::bo_flag::kShareable), kWhat);
            if (!r) return nullptr;
            if (r->place().modifier != m.value) continue;  // the image is too small for this modifier
            r->pins = 1;                                   // its memory and form must not change
            return r;
        }
        return report(device, kWhat, "none of the allowed modifiers is possible for this image");
    }
    /// Null: `*status` has the reason.
    [[nodiscard]] static pipe::Ref<R> import(D& device, const pipe::ResourceDesc& desc,
                                             const pipe::SharedImage& image, pipe::ImportStatus* status) {
        using enum pipe::ImportStatus;
        pipe::SharedImage at = image;
        if (at.modifier == pipe::kModifierInvalid) at.modifier = pipe::kModifierLinear;
        if (!R::kModifiers.has(at.modifier, R::shares_compressed(device, desc.format, false)))
            return refuse(Modifier, status);
        if (!pipe::is_single_picture(desc)) return refuse(Kind, status);
        L layout;
        const pipe::LayoutStatus laid_out = lay_out_at(device, desc, at, true, &layout);
        if (laid_out == pipe::LayoutStatus::BadAlignment) return refuse(Offset, status);
        if (laid_out == pipe::LayoutStatus::BadStride) {
            const bool small = at.stride_B < pipe::format_row_B(desc.format, desc.width);
            return refuse(small ? StrideTooSmall : StrideUnsuited, status);
        }
        if (laid_out != pipe::LayoutStatus::Ok) return refuse(Kind, status);
        return place_in_others(device, desc, layout, image.fd, UINT64_MAX, status);
    }
    /// As create(), in imported memory, and never compressed. Null: `*status` has the reason.
    [[nodiscard]] static pipe::Ref<R> create_in(D& device, const pipe::ResourceDesc& desc,
                                                const pipe::MemoryRange& range, pipe::ImportStatus* status) {
        using enum pipe::ImportStatus;
        L layout;
        const char* why = nullptr;
        if (lay_out_any(device, desc, false, &layout, &why) != pipe::LayoutStatus::Ok)
            return refuse(Kind, status);
        if (range.offset_B % (desc.kind == pipe::ResourceKind::Buffer ? R::kBufferAlign_B : R::kImageAlign_B))
            return refuse(Offset, status);
        layout.begin_B = range.offset_B;
        return place_in_others(device, desc, layout, range.fd, range.size_B, status);
    }
    /// False: the resource cannot be shared. From now on neither its memory nor its form may change, since
    /// the other side may keep it for ever.
    [[nodiscard]] bool export_to(pipe::SharedImage* out) {
        if (desc.kind != pipe::ResourceKind::Tex2D || desc.levels != 1) return false;
        keep_plain();
        {
            const std::lock_guard guard(mutex());
            pins.fetch_add(1, std::memory_order_relaxed);
        }
        const pipe::Ref<Bo> memory = bo();
        const int fd = memory->device->export_bo(*memory);
        if (fd < 0) {
            pins.fetch_sub(1, std::memory_order_relaxed);
            return false;
        }
        // If this process imports it, there are two resources of this memory.
        static_cast<R*>(this)->note_others();
        *out = static_cast<R*>(this)->place();
        out->fd = fd;
        return true;
    }

    /// The place of the image: all members but the file descriptor.
    [[nodiscard]] pipe::SharedImage place() const {
        const R& self = static_cast<const R&>(*this);
        const auto& modifiers = R::kModifiers.drawn;
        pipe::SharedImage out;
        out.modifier = modifiers[is_compressed()                         ? 0
                                 : layout.tiling == pipe::Tiling::Linear ? modifiers.size() - 1
                                                                         : R::kModifiers.compressed]
                           .value;
        out.offset_B = uint32_t(self.shared_at_B());
        out.stride_B =
            layout.tiling == pipe::Tiling::Linear ? layout.level[0].row_stride_B : self.tiled_stride_B();
        return out;
    }
    [[nodiscard]] bool compresses_alike(pipe::Format format) const final {
        return R::same_compression(desc.format, format);
    }

  protected:
    void note_others() {}
    [[nodiscard]] uint64_t shared_at_B() const { return offset_B() + layout.level[0].offset_B; }
    [[nodiscard]] uint32_t tiled_stride_B() const { return layout.level[0].row_stride_B; }
    [[nodiscard]] static bool shares_compressed(const D&, pipe::Format, bool) { return false; }

    D& device_;

  private:
    static constexpr const char* kCreate = "create a resource";
    static std::nullptr_t report(const D& device, const char* what, const char* why) {
        device.log()(pipe::Severity::Error, std::string(device.vendor) + ": cannot " + what + ": " + why);
        return nullptr;
    }
    static std::nullptr_t refuse(pipe::ImportStatus why, pipe::ImportStatus* status) {
        *status = why;
        return nullptr;
    }
    static bool lay_out(const D& device, const pipe::ResourceDesc& desc, bool own, L* layout) {
        const char* why = nullptr;
        const pipe::LayoutStatus status = lay_out_any(device, desc, own, layout, &why);
        if (status == pipe::LayoutStatus::Ok) return true;
        report(device, kCreate, why ? why : pipe::layout_status_text(status));
        return false;
    }
    static pipe::LayoutStatus lay_out_any(const D& device, const pipe::ResourceDesc& desc, bool own,
                                          L* layout, const char** why) {
        if (desc.kind != pipe::ResourceKind::Buffer) return R::lay_out(device, desc, own, layout, why);
        pipe::LayoutDesc d = pipe::layout_desc_of(desc);
        d.width = std::max(1u, d.width);
        const pipe::LayoutStatus status = pipe::layout_compute(d, &layout->surface);
        layout->size_B = layout->surface.size_B;
        return status;
    }
    static pipe::LayoutStatus lay_out_at(const D& device, const pipe::ResourceDesc& desc,
                                         const pipe::SharedImage& at, bool imported, L* layout) {
        typename R::SharedDesc d;
        d.image = pipe::layout_desc_of(desc);
        d.image.row_stride_B = at.stride_B;
        if (!R::apply_modifier(at.modifier, &d)) return pipe::LayoutStatus::BadTiling;
        if constexpr (requires { R::kSharedAlign; }) {
            const bool linear = d.image.tiling == pipe::Tiling::Linear;
            if (at.offset_B % (linear ? R::kSharedAlign.linear_B : R::kSharedAlign.tiled_B))
                return pipe::LayoutStatus::BadAlignment;
            layout->begin_B = at.offset_B;
        } else {
            R::place_shared(at, imported, &d);
        }
        const pipe::LayoutStatus status = R::compute(device, d, layout);
        layout->size_B = layout->surface.size_B;
        return status;
    }
    /// `bo` may be null.
    static pipe::Ref<R> place_in(D& device, const pipe::ResourceDesc& desc, const L& layout, pipe::Ref<Bo> bo,
                                 const char* what) {
        pipe::Ref<R> r;
        if (bo) r = pipe::Ref<R>::adopt(new (std::nothrow) R(device, desc, layout, std::move(bo)));
        if (!r) return report(device, what, "out of memory");
        r->set_form(layout.form);
        return r;
    }
    static pipe::Ref<R> place_in_others(D& device, const pipe::ResourceDesc& desc, const L& layout, int fd,
                                        uint64_t most_B, pipe::ImportStatus* status) {
        using enum pipe::ImportStatus;
        pipe::Ref<Bo> bo = device.import_bo(fd);
        if (!bo) return refuse(NotShared, status);
        if (layout.size_B > most_B || layout.begin_B > bo->size_B ||
            layout.size_B > bo->size_B - layout.begin_B)
            return refuse(TooSmall, status);
        auto r = pipe::Ref<R>::adopt(new (std::nothrow) R(device, desc, layout, std::move(bo)));
        if (!r) return refuse(OutOfMemory, status);
        r->pins = 1;
        r->note_others();
        r->set_form(layout.form);
        return r;
    }
};

}  // namespace terrazzo::images
