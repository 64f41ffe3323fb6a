// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A context's copies and blits by the GPU: fragment jobs for compressed images (tile_copy.h), compute jobs
// for others (copy.h).
#pragma once

#include "drivers/common/images/access.h"
#include "drivers/mali/passes/draw_state.h"

namespace terrazzo::mali {

class Transfers : contexts::ContextPart<StateTypes> {
  public:
    /// Smaller copies between idle images are left to the CPU: a submission costs more. (The CPU reads slowly
    /// what the GPU has written.)
    static constexpr uint64_t kLeastCopy_B = 16 << 10;

    using ContextPart::ContextPart;

    // --- required by contexts::VendorContext; all functions end the pass and throw std::bad_alloc

    [[nodiscard]] bool copy(const images::ImageCopy& copy);
    [[nodiscard]] bool copy_bytes(const images::BufferCopy& copy);
    /// Converts formats, and generates mipmaps whose levels are half of those before.
    [[nodiscard]] bool blit(const pipe::BlitInfo& info);
    void record_plain_copy(images::StoredResource& from, const Bo& to);

  private:
    /// Ends the pass, which may still be open after end_render_pass().
    void leave_pass() {
        if (pass_.active()) context_.end_pass();
    }
    /// Resolves samples by fragment jobs. False: they do not support it.
    [[nodiscard]] bool resolve(const pipe::BlitInfo& info);
    /// Copies by fragment jobs.
    void copy_by_tiles(const images::ImageCopy& copy);
    void after_copy();

    InternalShaders& shaders_ = screen_.internal_shaders();
};

}  // namespace terrazzo::mali
