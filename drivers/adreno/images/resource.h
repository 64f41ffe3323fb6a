// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Images are tiled (TILE6_3) where nobody else must understand them, linear otherwise. Stencil beside 32 bits of depth is an
// image of its own behind that of depth: a plane. Images that are drawn into may be compressed (UBWC): layouts have
// room for flags then. What the hardware writes into flags is not public, so that the GPU makes such an image plain for the CPU (access.cpp).
#pragma once

#include <algorithm>
#include <atomic>

#include "drivers/adreno/device.h"
#include "drivers/common/images/staging.h"
#include "drivers/common/images/stored.h"
#include "pipe/layout/a6xx.h"
#include "pipe/screen.h"

namespace terrazzo::adreno {

/// Of a pixel of images and passes.
inline constexpr uint32_t kMaxSamples = 4;

/// What an image consists of: all of it, or stencil that lies apart.
enum class Plane : uint8_t { Main, Stencil };

/// Whether one of the two formats can be read and drawn where memory was compressed as the other.
[[nodiscard]] bool ubwc_compatible(pipe::Format a, pipe::Format b);

/// Levels, and layers or slices, of an image; all of them where nothing is said, and of buffers.
struct ImagePart {
    uint16_t first_level = 0, last_level = 0xffff, first_layer = 0, last_layer = 0xffff;

    [[nodiscard]] static ImagePart of(uint32_t level, uint32_t first_layer, uint32_t layer_count) {
        return {uint16_t(level), uint16_t(level), uint16_t(first_layer),
                uint16_t(first_layer + layer_count - 1)};
    }
    [[nodiscard]] bool overlaps(ImagePart o) const {
        return first_level <= o.last_level && o.first_level <= last_level && first_layer <= o.last_layer &&
               o.first_layer <= last_layer;
    }
    /// The least that has both.
    [[nodiscard]] ImagePart joined(ImagePart o) const {
        return {std::min(first_level, o.first_level), std::max(last_level, o.last_level),
                std::min(first_layer, o.first_layer), std::max(last_layer, o.last_layer)};
    }
    bool operator==(const ImagePart&) const = default;
};
/// Of a box of a level, of an image.
[[nodiscard]] inline ImagePart part_of(uint32_t level, const pipe::Box& box) {
    return box.z < 0 || box.depth < 1 ? ImagePart{}
                                      : ImagePart::of(level, uint32_t(box.z), uint32_t(box.depth));
}

class AdrenoResource final : public images::StoredResource {
  public:
    /// Reads as zero. Null: out of memory, or a bad descriptor (said in the device's log). `flags`: more of its memory's.
    [[nodiscard]] static pipe::Ref<AdrenoResource> create(Device& device, const pipe::ResourceDesc& desc,
                                                          uint32_t flags = 0);
    /// A picture with one of the modifiers, compressed where that is one of them and the format can be. Null: as create().
    [[nodiscard]] static pipe::Ref<AdrenoResource> create_shared(Device& device,
                                                                 const pipe::ResourceDesc& desc,
                                                                 std::span<const uint64_t> modifiers);
    /// Null: `*status` says why.
    [[nodiscard]] static pipe::Ref<AdrenoResource> import(Device& device, const pipe::ResourceDesc& desc,
                                                          const pipe::SharedImage& image,
                                                          pipe::ImportStatus* status);
    /// As create() lays it out, in memory of others, and never compressed. Null: as above.
    [[nodiscard]] static pipe::Ref<AdrenoResource> create_in(Device& device, const pipe::ResourceDesc& desc,
                                                             const pipe::MemoryRange& range,
                                                             pipe::ImportStatus* status);
    /// For images::StagingMemory's pixels: as create() lays it out, in a piece of that. Null: as create().
    [[nodiscard]] static pipe::Ref<AdrenoResource> create_staged(Device& device,
                                                                 const pipe::ResourceDesc& desc,
                                                                 images::StagingMemory& memory);
    /// False: cannot be shared.
    [[nodiscard]] bool export_to(pipe::SharedImage* out);

    /// Of images; `layout` is its surface. With a plane of stencil it is depth's: maps go through map_planes() then.
    const pipe::A6xxLayout image;
    /// Behind it. No levels: there is none.
    const pipe::A6xxLayout stencil;
    [[nodiscard]] bool has_stencil_plane() const { return stencil.surface.levels; }

    [[nodiscard]] const pipe::A6xxLayout& plane(Plane p) const { return p == Plane::Main ? image : stencil; }
    [[nodiscard]] pipe::Format plane_format(Plane p) const { return plane(p).surface.format; }
    /// From the image's first byte.
    [[nodiscard]] uint64_t plane_offset_B(Plane p, uint32_t level, uint32_t z) const {
        return plane(p).surface.image_offset_B(level, z) + (p == Plane::Stencil ? stencil_at_B() : 0);
    }
    [[nodiscard]] uint64_t plane_va(Plane p, uint32_t level, uint32_t z) const {
        return va() + plane_offset_B(p, level, z);
    }
    [[nodiscard]] uint8_t* plane_cpu(Plane p) const {
        return cpu() + (p == Plane::Stencil ? stencil_at_B() : 0);
    }

    [[nodiscard]] bool compresses_alike(pipe::Format format) const override {
        return ubwc_compatible(desc.format, format);
    }
    void before_cpu_write() override {
        keep_plain();
        note_write();
    }
    /// The last step (CacheTracker) in which any context's recording wrote it, at least: saves others looking at their own. Of imported
    /// memory, which several resources may be, it is not known.
    [[nodiscard]] uint64_t last_write_step() const {
        return last_write_step_.load(std::memory_order_relaxed);
    }
    void note_write_step(uint64_t step) {
        uint64_t last = last_write_step();
        while (last < step &&
               !last_write_step_.compare_exchange_weak(last, step, std::memory_order_relaxed)) {
        }
    }
    /// No other image of the process has it, nor had.
    const uint64_t id;
    /// Counts who wrote, or will: the CPU, recorded work.
    [[nodiscard]] uint64_t writes() const { return writes_.load(std::memory_order_relaxed); }
    void note_write() { writes_.fetch_add(1, std::memory_order_relaxed); }

  private:
    /// Where a resource's planes lie, and their bytes. `may_compress`: an image that gains by it.
    [[nodiscard]] static pipe::LayoutStatus lay_out(const Device& device, const pipe::ResourceDesc& desc,
                                                    bool may_compress, pipe::A6xxLayout* main,
                                                    pipe::A6xxLayout* stencil, uint64_t* size_B);
    AdrenoResource(const pipe::ResourceDesc& desc, const pipe::A6xxLayout& image,
                   const pipe::A6xxLayout& stencil, pipe::Ref<Bo> bo, uint64_t id, uint64_t begin_B = 0)
        : StoredResource(desc, image.surface, std::move(bo), begin_B),
          image(image),
          stencil(stencil),
          id(id) {}
    [[nodiscard]] uint64_t stencil_at_B() const { return behind(image); }
    /// Where a plane behind it may begin.
    [[nodiscard]] static uint64_t behind(const pipe::A6xxLayout& l) {
        return (l.surface.size_B + 4095) & ~uint64_t(4095);
    }

    std::atomic<uint64_t> writes_{0}, last_write_step_{0};
};

inline AdrenoResource& adreno(pipe::Resource& r) {
    return static_cast<AdrenoResource&>(r);
}

/// How images of the format can be shared (pipe::Screen::modifiers).
[[nodiscard]] std::span<const pipe::Modifier> shared_modifiers(const Device& device, pipe::Format f);

/// All of `bind` at once. What is not there yet is false as well: stencil alone.
[[nodiscard]] bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind,
                                    uint32_t samples, uint32_t bind);

}  // namespace terrazzo::adreno
