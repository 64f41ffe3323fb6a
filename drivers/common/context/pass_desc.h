// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Changes of a pass's description while the pass is open, for devices that execute it when it ends.
#pragma once

#include <array>
#include <span>

#include "drivers/common/images/stored.h"
#include "pipe/raster/edge.h"
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
    [[nodiscard]] pipe::raster::PixelRect extent() const {
        return {0, 0, int32_t(desc_.width), int32_t(desc_.height)};
    }
    /// The pixels of the extent that are inside of the viewport.
    [[nodiscard]] pipe::raster::PixelRect viewport_px(const pipe::Viewport& v) const;

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

/// A pass that stays open after end_render_pass(), and is drawn when it ends: until its first draw, clears
/// become the contents with which it begins.
class ContinuedPass : public OpenPass {
  public:
    /// Whether draws of `desc` can be added to this pass: it has the same attachments, and continuing loses
    /// no contents.
    [[nodiscard]] bool continues(const pipe::RenderPassDesc& desc) const;
    /// Continues the pass for `desc`, with the clears and store operations of that.
    void go_on(const pipe::RenderPassDesc& desc);
    /// Whether nothing was drawn yet: then a clear can become a load operation.
    [[nodiscard]] bool fresh() const { return draws_ == 0; }
    /// The fresh pass begins with a clear of these attachments (attachment_bit).
    void clear_on_load(const pipe::ClearInfo& info, uint32_t attachments);
    /// Called for each draw of the pass.
    void count_draw() {
        ++draws_;
        discarded_ = 0;
    }
    /// Called for a draw that tests or writes depth or stencil.
    void use_depth_stencil() { uses_depth_stencil_ = true; }
    /// Discards the pass without drawing.
    void drop();

    /// By number of the colour target. Format::None: no attachment. There are `least` formats if the pass has
    /// fewer targets.
    [[nodiscard]] std::span<const pipe::Format> color_formats(uint32_t least = 0) const;
    [[nodiscard]] pipe::Format depth_stencil_format() const {
        return desc_.depth_stencil.resource ? desc_.depth_stencil.format : pipe::Format::None;
    }

  protected:
    /// As OpenPass::open().
    void open(const pipe::RenderPassDesc& desc);

    std::array<pipe::Format, pipe::kMaxColorTargets> formats_{};
    uint32_t draws_ = 0;
    bool uses_depth_stencil_ = false;
};

/// An open pass of a recorder, which outlives it.
template <class Recorder, class Base = OpenPass>
class RecordedPass : public Base {
  public:
    explicit RecordedPass(Recorder& recorder) : recorder_(recorder) {}

  protected:
    /// Recorded work writes the attachments' current memory.
    void write_attachments() {
        for_each_attachment(this->desc_, [&](const pipe::Attachment& a) {
            recorder_.write(static_cast<images::StoredResource&>(*a.resource));
        });
    }

    Recorder& recorder_;
};

/// The contents of these attachments are not used after the pass.
void drop_stores(pipe::RenderPassDesc* pass, uint32_t attachments);
/// The pass begins with the present contents of all attachments.
void load_all(pipe::RenderPassDesc* pass);

}  // namespace terrazzo::contexts
