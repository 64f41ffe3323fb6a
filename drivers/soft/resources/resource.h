// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and linear images in process memory or in shared memory.
#pragma once

#include <array>

#include "drivers/soft/binning/pipeline_limits.h"
#include "drivers/soft/passes/kept_bounds.h"
#include "pipe/screen.h"
#include "winsys/memory/shared_memory.h"

namespace terrazzo::soft {

inline constexpr unsigned kMaxLevels = 15;

struct LevelLayout {
    uint64_t offset_B = 0;
    // From one array layer, cube face or depth slice to the next, with all samples.
    uint64_t layer_stride_B = 0;
    uint64_t sample_stride_B = 0;               // from one sample's plane to the next
    uint32_t row_stride_B = 0;                  // from one row of blocks to the next
    uint32_t width = 0, height = 0, depth = 0;  // px
    uint32_t slices = 0;                        // layers, faces or depth slices
};

/// Rows are 64-byte aligned and come in pairs, so that kernels may access whole 4x2 blocks at the right and
/// lower borders. Imported images have their producers' layout; see SoftResource::exact().
struct ImageLayout {
    std::array<LevelLayout, kMaxLevels> levels{};
    uint64_t size_B = 0;
};

/// False: the descriptor is invalid, or the size overflows.
[[nodiscard]] bool layout_image(const pipe::ResourceDesc& desc, ImageLayout* out);

class SoftResource final : public pipe::Resource {
  public:
    /// Null: out of memory or an invalid descriptor.
    [[nodiscard]] static pipe::Ref<pipe::Resource> create(const pipe::ResourceDesc& desc,
                                                          std::pmr::memory_resource* memory);
    /// A single image that export_to() can export. Null: out of memory or an invalid descriptor.
    [[nodiscard]] static pipe::Ref<pipe::Resource> create_shared(const pipe::ResourceDesc& desc);
    /// Null: `*status` is the rule that the image breaks.
    [[nodiscard]] static pipe::Ref<pipe::Resource> import(const pipe::ResourceDesc& desc,
                                                          const pipe::SharedImage& image,
                                                          pipe::ImportStatus* status);
    /// The layout of create(), in imported memory. Null: as above.
    [[nodiscard]] static pipe::Ref<pipe::Resource> create_in(const pipe::ResourceDesc& desc,
                                                             const pipe::MemoryRange& range,
                                                             pipe::ImportStatus* status);
    /// False: it is not shared, or no descriptor is left.
    [[nodiscard]] bool export_to(pipe::SharedImage* out) const;

    [[nodiscard]] uint8_t* data() const { return data_; }
    [[nodiscard]] uint64_t size_B() const { return layout_.size_B; }
    [[nodiscard]] const LevelLayout& level(uint32_t i) const { return layout_.levels[i]; }
    /// The first byte of a level's slice.
    [[nodiscard]] uint8_t* slice(uint32_t level, uint32_t z) const {
        const LevelLayout& l = layout_.levels[level];
        return data_ + l.offset_B + z * l.layer_stride_B;
    }
    /// For passes that draw to its depth.
    [[nodiscard]] KeptBounds& bounds() { return bounds_; }
    /// Every other writer of the image must call this first. Thread: any.
    void forget_bounds() { bounds_.forget(); }
    /// Whether other devices and processes may use its memory.
    [[nodiscard]] bool shared() const { return shared_ != nullptr; }
    /// An imported image, of which only the pixels are ours, not the memory after a row's last pixel or after
    /// the last row. It is never written there. Only texture sampling reads there, up to 15 bytes after a
    /// texel, and ignores the result: winsys::SharedMemory has a page of padding for that.
    [[nodiscard]] bool exact() const { return exact_; }
    /// Null: it is not shared. Before an access to a shared image, ForeignUses waits for other users.
    [[nodiscard]] const winsys::SharedMemory* shared_memory() const { return shared_.get(); }

  private:
    SoftResource(const pipe::ResourceDesc& desc, const ImageLayout& layout, std::pmr::memory_resource* memory,
                 uint8_t* data)
        : Resource(desc), layout_(layout), memory_(memory), data_(data) {}
    SoftResource(const pipe::ResourceDesc& desc, const ImageLayout& layout,
                 std::unique_ptr<winsys::SharedMemory> shared, bool exact, uint64_t begin_B = 0)
        : Resource(desc, shared->not_writable()),
          layout_(layout),
          shared_(std::move(shared)),
          data_(shared_->data() + begin_B),
          exact_(exact) {}
    ~SoftResource() override;

    const ImageLayout layout_;
    std::pmr::memory_resource* const memory_ = nullptr;  // null: the memory is shared_
    const std::unique_ptr<winsys::SharedMemory> shared_;
    uint8_t* const data_;
    const bool exact_ = false;
    KeptBounds bounds_;
};

inline SoftResource& soft(pipe::Resource& r) {
    return static_cast<SoftResource&>(r);
}

}  // namespace terrazzo::soft
