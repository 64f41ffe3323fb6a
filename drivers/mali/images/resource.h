// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Images are U-interleaved where nobody else must understand them, linear
// otherwise: these are the plain forms, which the CPU reaches. What is drawn into before anybody has filled
// it becomes AFBC (compression.h), and plain again for the CPU: the context copies it then.
#pragma once

#include <atomic>
#include <optional>

#include "drivers/common/images/vendor_resource.h"
#include "drivers/mali/device.h"
#include "drivers/mali/images/compression.h"
#include "drivers/mali/stream/jobs.h"
#include "pipe/layout/layout.h"

namespace terrazzo::mali {

/// Checksums, and the compressed form, of images whose memory is their own.
struct MaliLayout : images::Placement {
    pipe::SurfaceLayout surface;
    CrcLayout crc;
    std::optional<pipe::AfbcLayout> afbc;
};

/// All of `bind` at once. `chip`: compressed formats are the chip's choice.
[[nodiscard]] bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind,
                                    uint32_t samples, uint32_t bind);

class MaliResource final : public images::VendorResource<MaliResource, Device, MaliLayout> {
  public:
    // --- what images::VendorResource asks for

    static constexpr pipe::ModifierTable<2> kModifiers{{pipe::kModArmInterleaved, pipe::kModifierLinear}, 0};
    static constexpr auto& supported = format_supported;
    static constexpr auto& same_compression = afbc_compatible;
    static constexpr uint64_t kBufferAlign_B = 64, kImageAlign_B = 64;
    /// Nothing here packs AFBC.
    [[nodiscard]] static bool shares_compressed(const Device&, pipe::Format, bool) { return false; }
    [[nodiscard]] static pipe::LayoutStatus lay_out(const Device& device, const pipe::ResourceDesc& desc,
                                                    bool own, MaliLayout* out, const char** why);
    [[nodiscard]] static pipe::LayoutStatus lay_out_shared(const Device& device,
                                                           const pipe::ResourceDesc& desc,
                                                           const pipe::SharedImage& at, bool imported,
                                                           MaliLayout* out);
    MaliResource(Device& device, const pipe::ResourceDesc& desc, const MaliLayout& layout, pipe::Ref<Bo> bo);
    [[nodiscard]] uint64_t modifier() const {
        return layout.tiling == pipe::Tiling::Interleaved ? pipe::kModArmInterleaved : pipe::kModifierLinear;
    }
    [[nodiscard]] uint64_t shared_at_B() const { return offset_B(); }
    [[nodiscard]] uint32_t shared_stride_B() const;

    /// Null: the memory is as `layout` says.
    const pipe::AfbcLayout* afbc() const { return is_compressed() ? &*afbc_ : nullptr; }
    /// Before anybody but fragment jobs writes into the plain image.
    void write_plainly() {
        keep_plain();
        forget_crc();
    }

    /// Checksums of the tiles, behind the image; row stride 0: it has none. They are right where crc_valid(),
    /// for fragment jobs of the same tile size.
    const CrcLayout crc;
    uint64_t crc_va() const;
    [[nodiscard]] bool crc_valid(uint32_t tile_px) const {
        return crc_valid_.load(std::memory_order_relaxed) == crc_stamp(tile_px);
    }
    /// They are what a fragment job with such tiles writes from now on.
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
    /// The image's bytes in the present form, and with the checksums behind them.
    [[nodiscard]] uint64_t image_B(bool compressed) const;
    [[nodiscard]] uint64_t storage_B(bool compressed) const { return image_B(compressed) + crc.size_B; }

    [[nodiscard]] uint64_t crc_stamp(uint32_t tile_px) const {
        return uint64_t(tile_px) << 32 | device_.losses.load(std::memory_order_relaxed);
    }
    Device& device_;
    const std::optional<pipe::AfbcLayout> afbc_;  // none: never compressed
    std::atomic<uint64_t> crc_valid_{0};          // a crc_stamp()
};

/// mali(resource): the resource as ours.
inline constexpr images::Downcast<MaliResource> mali;

}  // namespace terrazzo::mali
