// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's access to buffers and images: maps, copies, and the form that images have meanwhile. What the
// CPU writes is written where it shall lie if nobody uses that. What is in use gets new memory if its
// contents may go; else the CPU writes a temporary resource, and the device copies from there in the order of
// commands. So the CPU sees compressed images, too. It waits only to read, and where the device cannot copy.
// Where it cannot copy buffers, a small one that the device only reads gets new memory with the same
// contents.
//
// A vendor's context derives from it, and gives the copies.
#pragma once

#include "drivers/common/context/recording_context.h"
#include "drivers/common/images/form_change.h"
#include "drivers/common/images/staging.h"
#include "drivers/common/images/transfer.h"

namespace terrazzo::images {

/// Boxes of as many blocks of one size, inside their levels and not empty.
struct ImageCopy {
    StoredResource& dst;
    uint32_t dst_level;
    pipe::Box to;  // in pixels of `dst`
    StoredResource& src;
    uint32_t src_level;
    pipe::Box from;
};

class ImageAccess : public contexts::RecordingContext {
  public:
    [[nodiscard]] pipe::Mapping map(pipe::Resource&, uint32_t level, const pipe::Box&, uint32_t flags) final;
    void unmap(pipe::Resource&, const pipe::Mapping&) final;
    void copy_region(pipe::Resource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                     pipe::Resource& src, uint32_t src_level, const pipe::Box& src_box) final;

    // --- for the objects of which a vendor's context consists

    /// The compressed image becomes plain. False: others share it, and expect it as it is (said in the log).
    /// Throws std::bad_alloc, also where another context draws to it and does not submit that (said, too).
    bool make_plain(StoredResource& r);
    /// Whether the device shall copy what it can copy: it is much, or the CPU would have to wait.
    [[nodiscard]] bool device_shall_copy(StoredResource& dst, StoredResource& src, uint64_t size_B,
                                         uint64_t much_B);
    /// A plain image for the pixels of a box on their way, linear where such can be. Throws std::bad_alloc.
    [[nodiscard]] pipe::Ref<StoredResource> create_temporary(const StoredResource& image,
                                                             const pipe::Box& box, bool linear = true);

  protected:
    using RecordingContext::RecordingContext;

    // Overridden for images that transfer.h does not know.
    [[nodiscard]] virtual pipe::Mapping map_now(StoredResource& r, uint32_t level, const pipe::Box& box,
                                                uint32_t flags) {
        return map_resource(r, level, box, flags);
    }
    virtual void unmap_now(StoredResource& r, const pipe::Mapping& mapping) { unmap_resource(r, mapping); }
    virtual void copy_by_cpu(const ImageCopy& c) {
        copy_region_cpu(c.dst, c.dst_level, c.to.x, c.to.y, c.to.z, c.src, c.src_level, c.from);
    }

    /// Whether copy_bytes_by_device() can copy between buffers outside passes.
    [[nodiscard]] virtual bool copies_bytes() const { return false; }
    /// As copy_by_device() between buffers, and whether it is worth it.
    [[nodiscard]] virtual bool copy_bytes_by_device(StoredResource& dst, uint64_t dst_B, StoredResource& src,
                                                    uint64_t src_B, uint64_t size_B) {
        (void)dst, (void)dst_B, (void)src, (void)src_B, (void)size_B;
        return false;
    }
    /// Whether the device shall blit what it can blit: as device_shall_copy().
    [[nodiscard]] bool device_shall_blit(const pipe::BlitInfo& info);
    /// Outside passes: records what the device can do of a blit without a draw. False: nothing of it, and
    /// nothing is recorded. Throws std::bad_alloc.
    [[nodiscard]] virtual bool blit_by_device(const pipe::BlitInfo& info) = 0;

    uint64_t passes_ = 0;  // that have begun: how much the context does between reads of the CPU

  private:
    // --- what a vendor gives

    /// What is packed with the resource's address is stale.
    virtual void touch_memory(StoredResource& r) = 0;
    /// Null: out of memory, or a bad descriptor (said in the device's log).
    [[nodiscard]] virtual pipe::Ref<StoredResource> create_staged(const pipe::ResourceDesc& desc,
                                                                  StagingMemory& memory) = 0;
    /// Outside passes: records the copy, and decides the form of a target that nobody has filled. False: the
    /// device cannot, and nothing is recorded. Throws std::bad_alloc.
    [[nodiscard]] virtual bool copy_by_device(const ImageCopy& copy) = 0;
    /// Less is copied by the CPU where both images are idle and plain.
    [[nodiscard]] virtual uint64_t least_device_copy_B() const { return 0; }
    /// Whether copy_by_device() can have a compressed image's pixels where the CPU reads them.
    [[nodiscard]] virtual bool copies_compressed(const StoredResource&) const { return true; }
    /// Between passes: all that the compressed image holds goes, in the plain form, to memory of
    /// create_plain(), which the caller keeps.
    virtual void record_plain_copy(StoredResource& from, const Bo& to) = 0;

    // --- what follows from that

    struct AsideMap;
    /// Recorded work that stands in the way of a CPU access is submitted.
    void before_access(StoredResource& r, bool write);
    [[nodiscard]] FormChange try_make_plain(StoredResource& r);
    /// Whether the plain form serves the CPU better, which reads it now.
    [[nodiscard]] bool reads_often(StoredResource& r, const pipe::Box& box) const;
    /// Whether the resource got new memory for a map that gives up its contents.
    [[nodiscard]] bool renew(StoredResource& r, const Bo& memory, bool is_recorded);
    /// Whether the buffer got new memory with the same contents: all work that uses the old memory only
    /// reads it.
    [[nodiscard]] bool renew_with_contents(StoredResource& r, const Bo& memory, bool is_recorded);
    /// `reads`: it begins with what the image holds, for which the CPU waits. Null: out of memory (said in
    /// the log).
    [[nodiscard]] pipe::Mapping map_aside(StoredResource& r, uint32_t level, const pipe::Box& box,
                                          uint32_t flags, bool reads);
    void copy_back(StoredResource& r, AsideMap& map);
    /// What the device cannot copy, or has no memory for.
    void copy_back_by_cpu(StoredResource& r, const ImageCopy& copy);

    StagingMemory staging_;
};

}  // namespace terrazzo::images
