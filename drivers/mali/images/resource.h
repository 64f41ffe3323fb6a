// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Uncompressed images are U-interleaved, or linear if others must
// understand them; the CPU can access both. An image that is drawn into before it has contents becomes AFBC
// (compression.h). For CPU accesses that need it, the context copies it back to the uncompressed form.
#pragma once

#include <atomic>
#include <optional>

#include "drivers/common/images/vendor_resource.h"
#include "drivers/mali/device.h"
#include "drivers/mali/images/compression.h"
#include "drivers/mali/stream/jobs.h"
#include "pipe/layout/layout.h"

namespace terrazzo::mali {

/// What an image may have in addition to its uncompressed layout: a stencil plane, checksums and a compressed
/// form. An image with a plane of stencil is never compressed and has no checksums.
struct MaliForms : images::StencilParts<> {
    /// The checksums of tiles, which are stored after the image; row stride 0: there are none. If
    /// crc_valid(), they match the image, for fragment jobs with the same tile size.
    CrcLayout crc;
    std::optional<pipe::AfbcLayout> afbc_form;  // nullopt: never compressed
};
struct MaliLayout : images::Placement, MaliForms {
    using Parts = MaliForms;
    pipe::SurfaceLayout surface;
};

/// The hardware has no pattern of 2 samples; of 16 only the number is known. Each sample of an image is a
/// surface of its own (pipe::SurfaceLayout::sample_stride_B).
inline constexpr images::SampleCounts<1, 4, 8> samples_of;
inline constexpr uint32_t kMaxSamples = samples_of.kMost;
/// The most texels of a view of a buffer: the limit of Texture::width.
inline constexpr uint32_t kMaxBufferTexels = 1 << 16;

/// Whether the format can be used for all of `bind` at once. Chips differ in the compressed formats that they
/// support.
[[nodiscard]] bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind,
                                    uint32_t samples, uint32_t bind);

class MaliResource final : public images::VendorResource<MaliResource, Device, MaliLayout> {
  public:
    // --- required by images::VendorResource

    static constexpr pipe::ModifierTable<2> kModifiers{{pipe::kModArmInterleaved, pipe::kModifierLinear}, 0};
    static constexpr auto& supported = format_supported;
    static constexpr auto& same_compression = afbc_compatible;
    static constexpr uint64_t kBufferAlign_B = 64, kImageAlign_B = 64;
    [[nodiscard]] static pipe::LayoutStatus lay_out(const Device& device, const pipe::ResourceDesc& desc,
                                                    bool own, MaliLayout* out, const char** why);
    struct SharedDesc {
        pipe::LayoutDesc image;  // row_stride_B: of rows of pixels
    };
    [[nodiscard]] static bool apply_modifier(uint64_t modifier, SharedDesc* d);
    [[nodiscard]] static pipe::LayoutStatus compute(const Device& device, const SharedDesc& d,
                                                    MaliLayout* out);
    static constexpr images::SharedAlign kSharedAlign{kImageAlign_B, kImageAlign_B};
    using VendorResource::VendorResource;
    [[nodiscard]] uint32_t tiled_stride_B() const;

    /// Null: the memory is as `layout` says.
    const pipe::AfbcLayout* afbc() const { return is_compressed() ? &*afbc_form : nullptr; }
    /// Called before anything but a fragment job writes into the uncompressed image.
    void write_plainly() {
        keep_plain();
        forget_crc();
    }

    [[nodiscard]] uint64_t stencil_va(uint32_t level, uint32_t z) const {
        return va() + stencil_begin_B + stencil.image_offset_B(level, z);
    }

    uint64_t crc_va() const;
    [[nodiscard]] bool crc_valid(uint32_t tile_px) const {
        return crc_valid_.load(std::memory_order_relaxed) == crc_stamp(tile_px);
    }
    /// From now on the checksums are those that a fragment job with this tile size writes.
    void set_crc_valid(uint32_t tile_px) {
        if (crc.row_stride_B) crc_valid_.store(crc_stamp(tile_px), std::memory_order_relaxed);
    }
    void forget_crc() { crc_valid_.store(0, std::memory_order_relaxed); }
    void before_cpu_write() override { write_plainly(); }
    LastJobs jobs;

  private:
    [[nodiscard]] pipe::Ref<Bo> create_compressed() const override;
    [[nodiscard]] uint64_t plain_B() const override { return storage_B(false); }
    void storage_changed(bool form) override;
    /// The bytes of the image in the given form, rounded up to the begin of the checksums.
    [[nodiscard]] uint64_t image_B(bool compressed) const;
    [[nodiscard]] uint64_t storage_B(bool compressed) const { return image_B(compressed) + crc.size_B; }

    [[nodiscard]] uint64_t crc_stamp(uint32_t tile_px) const {
        return uint64_t(tile_px) << 32 | device_.losses.load(std::memory_order_relaxed);
    }
    std::atomic<uint64_t> crc_valid_{0};  // the crc_stamp() for which the checksums match the image
};

/// mali(resource) casts to MaliResource.
inline constexpr images::Downcast<MaliResource> mali;

}  // namespace terrazzo::mali
