// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// pipe::Context of Adreno: what draws (passes/draw_context.h), and transfers.
#pragma once

#include "drivers/adreno/passes/draw_context.h"
#include "drivers/adreno/submission/counters.h"

namespace terrazzo::adreno {

struct EngineSide;

class AdrenoContext final : public DrawContext {
  public:
    /// Throws std::bad_alloc.
    AdrenoContext(AdrenoScreen& screen, const pipe::ContextDesc& desc, std::unique_ptr<Queue> queue)
        : DrawContext(screen, desc, std::move(queue)) {}
    ~AdrenoContext() override;

    [[nodiscard]] bool try_blit(const pipe::BlitInfo&) override;

    pipe::PerformanceCounters* counters() override { return &counters_; }

  private:
    [[nodiscard]] bool hand_over() override;
    /// What has its address in it must be: the resource has other memory than when that was packed.
    void touch_memory(images::StoredResource& r) override;

    // --- access.cpp
    /// Outside passes: write(stream, chip) lets the 2D engine read and write these, whose memory and form stay as they are meanwhile.
    /// False: write() did, as it found that the engine cannot; nothing was written.
    template <class F>
    bool run_engine_on(const EngineSide& src, const EngineSide& dst, F&& write);
    void begin_drawing(const pipe::Attachment& a) override;
    void make_odd_views_plain() override;
    [[nodiscard]] pipe::Ref<images::StoredResource> create_staged(const pipe::ResourceDesc& desc,
                                                                  images::StagingMemory& memory) override;
    [[nodiscard]] bool copy_by_device(const images::ImageCopy& copy) override;
    [[nodiscard]] bool copy_bytes_by_device(images::StoredResource& dst, uint64_t dst_B,
                                            images::StoredResource& src, uint64_t src_B,
                                            uint64_t size_B) override;
    [[nodiscard]] bool copies_compressed(const images::StoredResource& r) const override;
    void record_plain_copy(images::StoredResource& from, const Bo& to) override;
    [[nodiscard]] pipe::Mapping map_now(images::StoredResource& r, uint32_t level, const pipe::Box& box,
                                        uint32_t flags) override;
    void unmap_now(images::StoredResource& r, const pipe::Mapping& mapping) override;
    void copy_by_cpu(const images::ImageCopy& copy) override;
    /// False: the engine cannot.
    bool copy_by_engine(const images::ImageCopy& copy);
    /// Within an image, where both may overlap, by way of another one. False: the engine cannot.
    bool copy_by_way_of_aside(const images::ImageCopy& copy);
    [[nodiscard]] bool blit_by_engine(const pipe::BlitInfo& info);
    [[nodiscard]] bool blit_from_aside(const pipe::BlitInfo& info);

    AdrenoCounters counters_{recorder_, [this] { (void)submit(); }};
};

}  // namespace terrazzo::adreno
