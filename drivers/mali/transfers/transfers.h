// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's copies and blits by the GPU: by fragment jobs what is compressed (tile_copy.h), else by
// compute jobs (copy.h).
#pragma once

#include "drivers/common/images/access.h"
#include "drivers/mali/passes/pass.h"
#include "drivers/mali/screen.h"

namespace terrazzo::mali {

class Transfers {
  public:
    /// The CPU copies less between idle images: that costs it less than a submission does. (It reads
    /// slowly what the GPU
    /// has written.)
    static constexpr uint64_t kLeastCopy_B = 16 << 10;

    /// Objects of the context, which outlives this.
    Transfers(images::ImageAccess& context, Recorder& recorder, Pass& pass, MaliScreen& screen)
        : context_(context), recorder_(recorder), pass_(pass), shaders_(screen.internal_shaders()) {}

    // --- what contexts::VendorContext asks for; all end the pass, and throw std::bad_alloc

    [[nodiscard]] bool copy(const images::ImageCopy& copy);
    /// What changes formats, and mipmaps whose levels are half of those before.
    [[nodiscard]] bool blit(const pipe::BlitInfo& info);
    void record_plain_copy(images::StoredResource& from, const Bo& to);

  private:
    /// Ends the pass that may still be open after end_render_pass().
    void leave_pass() {
        if (pass_.active()) context_.end_pass();
    }
    /// By fragment jobs.
    void copy_by_tiles(const images::ImageCopy& copy);
    void after_copy();

    images::ImageAccess& context_;
    Recorder& recorder_;
    const Pass& pass_;
    InternalShaders& shaders_;
};

}  // namespace terrazzo::mali
