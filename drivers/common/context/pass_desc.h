// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Changes of a pass's description while the pass is open, for devices that execute it when it ends.
#pragma once

#include <array>

#include "pipe/state.h"

namespace terrazzo::contexts {

/// Calls f(attachment) for each attachment that has an image: colours, then depth and stencil.
template <class F>
void for_each_attachment(const pipe::RenderPassDesc& pass, F&& f) {
    for (uint32_t i = 0; i < pass.color_count; ++i)
        if (pass.color[i].resource) f(pass.color[i]);
    if (pass.depth_stencil.resource) f(pass.depth_stencil);
}

/// The state of a pass that all vendors have. A vendor's pass derives from it.
class OpenPass {
  public:
    [[nodiscard]] bool active() const { return active_; }
    [[nodiscard]] const pipe::RenderPassDesc& desc() const { return desc_; }
    /// The present contents of these attachments (attachment_bit) are not used after the pass.
    void discard(uint32_t attachments) { discarded_ |= attachments; }
    [[nodiscard]] bool has_target(const pipe::Resource& r) const;

  protected:
    /// Begins the pass, and takes references to its attachments.
    void open(const pipe::RenderPassDesc& desc);
    /// Releases the attachments. The pass is no longer active.
    void close();

    pipe::RenderPassDesc desc_;
    /// References by number of the colour target; the last one is of depth and stencil.
    std::array<pipe::Ref<pipe::Resource>, pipe::kMaxColorTargets + 1> held_;
    uint32_t discarded_ = 0;  // since the last draw or clear of them
    bool active_ = false;
};

/// As OpenPass, of a recorder, which outlives it.
template <class Recorder>
class RecordedPass : public OpenPass {
  public:
    explicit RecordedPass(Recorder& recorder) : recorder_(recorder) {}

  protected:
    Recorder& recorder_;
};

/// Whether draws of `next` can be added to the pass: it has the same attachments, and continuing loses no
/// contents. `fresh`: nothing was drawn yet.
[[nodiscard]] bool continues(const pipe::RenderPassDesc& pass, const pipe::RenderPassDesc& next, bool fresh);
/// The pass continues as `next`, with the clears and store operations of that.
void go_on(pipe::RenderPassDesc* pass, const pipe::RenderPassDesc& next);
/// The pass, in which nothing was drawn yet, begins with a clear of these attachments (attachment_bit).
void clear_on_load(pipe::RenderPassDesc* pass, const pipe::ClearInfo& info, uint32_t attachments);
/// The contents of these attachments are not used after the pass.
void drop_stores(pipe::RenderPassDesc* pass, uint32_t attachments);
/// The pass begins with the present contents of all attachments.
void load_all(pipe::RenderPassDesc* pass);

}  // namespace terrazzo::contexts
