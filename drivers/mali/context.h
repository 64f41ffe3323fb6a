// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// pipe::Context of Mali: what draws (passes/draw_context.h), and transfers.
#pragma once

#include "drivers/mali/passes/draw_context.h"

namespace terrazzo::mali {

class MaliContext final : public DrawContext {
  public:
    /// Throws std::bad_alloc.
    MaliContext(MaliScreen& screen, const pipe::ContextDesc& desc, std::unique_ptr<Queues> queues)
        : DrawContext(screen, desc, std::move(queues)) {}
    ~MaliContext() override;

    void begin_render_pass(const pipe::RenderPassDesc&) override;

    [[nodiscard]] bool try_blit(const pipe::BlitInfo& info) override;

  private:
    // --- access.cpp
    [[nodiscard]] bool blit_by_compute(const pipe::BlitInfo& info);
    void touch_memory(images::StoredResource&) override {
        state_.dirty |= kVertexTables | kVertexFau | kFragmentTables;
    }
    [[nodiscard]] pipe::Ref<images::StoredResource> create_staged(const pipe::ResourceDesc& desc,
                                                                  images::StagingMemory& memory) override;
    [[nodiscard]] bool copy_by_device(const images::ImageCopy& copy) override;
    [[nodiscard]] uint64_t least_device_copy_B() const override;
    void record_plain_copy(images::StoredResource& from, const Bo& to) override;
    void after_gpu_copy();
    /// By fragment jobs.
    void copy_by_tiles(const images::ImageCopy& copy);
    /// Attachments that cannot be compressed in this pass.
    void legalize(const pipe::RenderPassDesc& desc);
};

}  // namespace terrazzo::mali
