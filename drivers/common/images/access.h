// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's access to buffers and images: maps, copies, and the changes of an image's form that they need.
// The CPU writes an idle resource in place. A resource in use gets new memory if its contents may be
// discarded; otherwise the CPU writes a temporary resource, and the device copies from there in the order of
// commands. Compressed images are accessed by such copies, too. The CPU waits only to read, and if the device
// cannot copy. A small buffer that the device only reads gets new memory with the same contents: that costs
// less than a copy, which ends the pass.
//
// A vendor's context derives from this class and implements the copies.
#pragma once

#include "drivers/common/context/recording_context.h"
#include "drivers/common/images/form_change.h"
#include "drivers/common/images/stored.h"
#include "drivers/common/images/transfer.h"

namespace terrazzo::images {

/// Two boxes with equal numbers of blocks of the same size, inside of their levels and not empty.
struct ImageCopy {
    StoredResource& dst;
    uint32_t dst_level;
    pipe::Box to;  // in pixels of `dst`
    StoredResource& src;
    uint32_t src_level;
    pipe::Box from;
};

/// A copy of bytes between two buffers. Both ranges are inside, not empty, and do not overlap.
struct BufferCopy {
    StoredResource& dst;
    uint64_t dst_B;
    StoredResource& src;
    uint64_t src_B, size_B;
};

class ImageAccess : public contexts::RecordingContext {
  public:
    [[nodiscard]] pipe::Mapping map(pipe::Resource&, uint32_t level, const pipe::Box&, uint32_t flags) final;
    void unmap(pipe::Resource&, const pipe::Mapping&) final;
    void copy_region(pipe::Resource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                     pipe::Resource& src, uint32_t src_level, const pipe::Box& src_box) final;

    // --- for the parts of a vendor's context

    /// Makes the compressed image uncompressed. False: the image is shared, so its form must not change
    /// (logged). Throws std::bad_alloc, also if another context draws to the image and does not submit in
    /// time (logged, too).
    bool make_plain(StoredResource& r);
    /// Whether the device should copy, if it can: there are at least `much_B` bytes, or the CPU would have to
    /// wait.
    [[nodiscard]] bool device_shall_copy(StoredResource& dst, StoredResource& src, uint64_t size_B,
                                         uint64_t much_B);
    /// The CPU is about to read the buffer for a draw: submits recorded work that writes it, and waits. A
    /// pass that is open continues in a new one.
    void wait_for_writes(StoredResource& r);
    /// An uncompressed image for the pixels of a box during a transfer, linear if that is possible. Throws
    /// std::bad_alloc.
    [[nodiscard]] pipe::Ref<StoredResource> create_temporary(const StoredResource& image,
                                                             const pipe::Box& box, bool linear = true);

  protected:
    using RecordingContext::RecordingContext;

    /// Whether the device should blit, if it can: as device_shall_copy().
    [[nodiscard]] bool device_shall_blit(const pipe::BlitInfo& info);
    /// Called outside of passes: records the blit if the device can execute it without a draw. False: it
    /// cannot, and nothing is recorded. Throws std::bad_alloc.
    [[nodiscard]] virtual bool blit_by_device(const pipe::BlitInfo& info) = 0;

    uint64_t passes_ = 0;  // begun so far: measures the work between two reads by the CPU

  private:
    // --- a vendor's part

    /// The resource has new memory: descriptors with its old address are stale.
    virtual void touch_memory(StoredResource& r) = 0;
    /// Null: out of memory, or an invalid descriptor (logged by the device).
    [[nodiscard]] virtual pipe::Ref<StoredResource> create_staged(const pipe::ResourceDesc& desc,
                                                                  StagingMemory& memory) = 0;
    /// Called outside of passes: records the copy, and decides the form of a target that has no contents yet.
    /// False: the device cannot copy, and nothing is recorded. Throws std::bad_alloc.
    [[nodiscard]] virtual bool copy_by_device(const ImageCopy& copy) = 0;
    /// Called outside of passes: records the copy. False: the device cannot copy. Throws std::bad_alloc.
    [[nodiscard]] virtual bool copy_bytes_by_device(const BufferCopy& copy) = 0;
    /// Copies of fewer bytes are left to the CPU if both images are idle and uncompressed.
    [[nodiscard]] virtual uint64_t least_device_copy_B() const { return 0; }
    /// Whether copy_by_device() can copy a compressed image's pixels to memory that the CPU reads.
    [[nodiscard]] virtual bool copies_compressed(const StoredResource&) const { return true; }
    /// Called between passes: records a copy of the whole compressed image, in uncompressed form, to memory
    /// of create_plain(). The caller keeps that memory alive.
    virtual void record_plain_copy(StoredResource& from, const Bo& to) = 0;

    // --- built on the vendor's part

    struct TemporaryMap;
    /// Records the copy if it is valid and the device should copy. False: the CPU must copy.
    [[nodiscard]] bool try_copy_bytes(const BufferCopy& copy);
    /// Submits recorded work that conflicts with an access by the CPU.
    void before_access(StoredResource& r, bool write);
    [[nodiscard]] FormChange try_make_plain(StoredResource& r);
    /// Whether the CPU, which now reads the box, reads the image so often that the uncompressed form is
    /// better.
    [[nodiscard]] bool reads_often(StoredResource& r, const pipe::Box& box) const;
    /// Replaces the memory for a map that discards the contents. False: not possible.
    [[nodiscard]] bool renew(StoredResource& r, const Bo& memory, bool is_recorded);
    /// Replaces the memory of a buffer by a copy, if all work that uses the old memory only reads it. False:
    /// not possible.
    [[nodiscard]] bool renew_with_contents(StoredResource& r, const Bo& memory, bool is_recorded);
    /// `reads`: the temporary begins with the image's contents, for which the CPU waits. Null: out of memory
    /// (logged).
    [[nodiscard]] pipe::Mapping map_temporary(StoredResource& r, uint32_t level, const pipe::Box& box,
                                              uint32_t flags, bool reads);
    void copy_back(StoredResource& r, TemporaryMap& map);
    /// For copies that the device cannot execute, or has no memory for.
    void copy_back_by_cpu(StoredResource& r, const ImageCopy& copy);

    StagingMemory staging_;
};

// --- images whose stencil is a separate image, of a byte a pixel (planes.cpp)

// The layout and memory of the resource are those of depth, of 32 bits. The CPU sees pixels of
// D32_FLOAT_S8X24_UINT. Called as map_resource().
[[nodiscard]] pipe::Mapping map_planes(StoredResource& r, const StencilPlane& stencil, uint32_t level,
                                       const pipe::Box& box, uint32_t flags);
void unmap_planes(StoredResource& r, const StencilPlane& stencil, const pipe::Mapping& mapping);
/// Copies by the CPU, which waits for both images. The boxes may overlap.
void copy_planes(const ImageCopy& copy, const StencilPlane& dst_stencil, const StencilPlane& src_stencil);

}  // namespace terrazzo::images
