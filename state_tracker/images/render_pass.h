// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Render passes. A tile-based device pays for every pass with a load and a store of all planes. So a pass is
// opened as late as possible, and clears that precede all draws become the pass's load operations:
//
//   idle --full clear--> pending --draw, partial clear--> open --end_rendering--> idle
//
// While pending or open, `planes` has the framebuffer's planes at the time of the first command. Code that
// changes the framebuffer must call end_rendering() first.
#pragma once

#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/sampled_textures.h"

namespace terrazzo::st {

/// The buffers of a surface, acquired again when its stamp changes.
struct DrawableCache {
    pipe::Ref<Drawable> drawable;
    uint32_t stamp = 0;
    Drawable::Buffers buffers;
    bool fresh = false;  // a new frame began: depth and stencil are undefined
};

struct Context::RenderPass {
    bool open = false;
    bool resolved = false;   // `planes` is valid: open, or clears or discards are pending
    uint32_t clears = 0;     // attachments (pipe::attachment_bit) that the next pass clears
    uint32_t undefined = 0;  // attachments whose contents the next pass need not load
    uint32_t discards =
        0;  // attachments that nothing has drawn to since they were discarded in the open pass
    std::array<pipe::ClearColor, kMaxColorAttachments> color{};  // values of the pending clears
    float depth = 1;
    uint8_t stencil = 0;
    Planes planes;
    FramebufferInfo last_info;  // of the previous pass: if it differs, draws must set more state
    DrawableCache draw, read;
    /// The textures that emit_textures sent to the pipe. They are kept alive, and sent again only if they
    /// change.
    struct Bound {
        std::array<SampledRef, pipe::kMaxSamplers> textures;  // null: nothing
        uint32_t count = 0;
        bool told = true;  // the pipe has these bound
    };
    std::array<Bound, pipe::kStageCount> textures;
    uint32_t texture_stages = 0;       // bit per stage that has textures
    std::vector<SampledRef> replaced;  // replaced textures that the pipe may still use
    SampledTextures sampled;
    /// The images that emit_images sent to the pipe, kept alive.
    std::array<std::array<pipe::Ref<pipe::Resource>, kMaxImageUnits>, pipe::kStageCount> images;
    std::array<pipe::ImageView, kMaxImageUnits> next_images;  // of a stage, being put together
};

/// Resolves the planes of the draw framebuffer if they are not known. False: the error is recorded.
[[nodiscard]] bool resolve_draw_planes(Context& ctx, const char* command);
/// Resolves the planes of the read framebuffer, without ending rendering to it. False: the error is recorded.
[[nodiscard]] bool resolve_read_planes(Context& ctx, const char* command, Planes* out);
/// The colour plane that ReadPixels and CopyTexImage read, after the end of rendering to it. False: the error
/// is recorded.
[[nodiscard]] bool resolve_read_plane(Context& ctx, const char* command, Surface* out);
/// Replaces end_rendering() if that failed for lack of memory: pending clears are lost, and the pipe is not
/// called.
void drop_rendering(Context& ctx);
/// The attachments (pipe::attachment_bit) that `planes` has.
[[nodiscard]] uint32_t present_attachments(const Planes& planes);

}  // namespace terrazzo::st
