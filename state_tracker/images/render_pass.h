// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Render passes. A tile-based device pays for every pass with a load and a store of all its planes, so that
// passes are opened as late as possible, and clears that come before any draw become the pass's load
// operations:
//
//   idle --full clear--> pending --draw, partial clear--> open --end_rendering--> idle
//
// While pending or open, `planes` names what the framebuffer was when the first command came; whoever changes
// the framebuffer calls end_rendering before.
#pragma once

#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/sampled_textures.h"

namespace terrazzo::st {

/// The buffers of a surface, asked for anew when its stamp has changed.
struct DrawableCache {
    pipe::Ref<Drawable> drawable;
    uint32_t stamp = 0;
    Drawable::Buffers buffers;
    bool fresh = false;  // of a new frame: depth and stencil are undefined
};

struct Context::RenderPass {
    bool open = false;
    bool resolved = false;   // `planes` is valid: open, or clears or discards are pending
    uint32_t clears = 0;     // attachments (pipe::attachment_bit) that the next pass clears
    uint32_t undefined = 0;  // attachments whose contents the next pass need not load
    uint32_t discards =
        0;  // attachments that nothing has drawn to since they were discarded in the open pass
    std::array<pipe::ClearColor, kMaxColorAttachments> color{};  // what waiting clears clear to
    float depth = 1;
    uint8_t stencil = 0;
    Planes planes;
    FramebufferInfo last_info;  // of the pass before: other sizes and planes change what draws must set
    DrawableCache draw, read;
    /// What emit_textures gave to the pipe last: kept alive, and told again only where it differs.
    struct Bound {
        std::array<SampledRef, pipe::kMaxSamplers> textures;  // null: nothing
        uint32_t count = 0;
        bool told = true;  // the pipe has just these
    };
    std::array<Bound, pipe::kStageCount> textures;
    uint32_t texture_stages = 0;       // bit a stage: it has some
    std::vector<SampledRef> replaced;  // that the pipe may still have
    SampledTextures sampled;
    /// The same of emit_images.
    std::array<std::array<pipe::Ref<pipe::Resource>, kMaxImageUnits>, pipe::kStageCount> images;
};

/// Finds out what the draw framebuffer is made of, unless that is known. False: the error is recorded.
[[nodiscard]] bool resolve_draw_planes(Context& ctx, const char* command);
/// What the read framebuffer is made of, with rendering to it not ended yet. False: the error is recorded.
[[nodiscard]] bool resolve_read_planes(Context& ctx, const char* command, Planes* out);
/// The colour plane that ReadPixels and CopyTexImage read, with all rendering to it ended. False: the error
/// is recorded.
[[nodiscard]] bool resolve_read_plane(Context& ctx, const char* command, Surface* out);
/// Instead of end_rendering() where that failed for want of memory: clears that wait are lost, and the device is told of nothing.
void drop_rendering(Context& ctx);
/// The attachments (pipe::attachment_bit) that `planes` has.
[[nodiscard]] uint32_t present_attachments(const Planes& planes);

}  // namespace terrazzo::st
