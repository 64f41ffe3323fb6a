// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What EGL lends to the state tracker: surfaces to draw on and images to share.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "pipe/resource.h"
#include "pipe/state.h"

namespace terrazzo::st {

/// The default framebuffer's storage. Owned by EGL's surface; a context that has it current holds a reference.
/// Buffers may change between frames (resize, a fresh back buffer): `stamp` then changes, and the context asks anew.
class Drawable : public pipe::RefCounted {
  public:
    pipe::Format color_format = pipe::Format::None;
    pipe::Format depth_stencil_format = pipe::Format::None;  // None: neither
    uint8_t red_bits = 8, green_bits = 8, blue_bits = 8, alpha_bits = 8, depth_bits = 0, stencil_bits = 0;
    uint32_t samples = 1;
    bool double_buffered = true;
    /// The first row in memory is GL's top row, as window systems want it that show the memory itself. Else it is the bottom
    /// row, as in every other image. Changes with `stamp`.
    bool top_down = false;
    uint32_t stamp = 1;
    /// What is drawn lies in there until the frame's end; (0, 0) is GL's bottom left corner. The owner's to set.
    pipe::Scissor damage = pipe::kEverywhere;
    /// Called by a context before it draws to or reads from the surface: gives the current buffers and their size.
    /// False: out of memory or the surface is lost; the outputs are unchanged then.
    struct Buffers {
        pipe::Ref<pipe::Resource> color, depth_stencil;
        uint32_t width_px = 0, height_px = 0;
    };
    [[nodiscard]] virtual bool acquire(Buffers* out) = 0;
};

/// What an image of Y, U and V has beside Y, its resource. It has one level and one layer.
struct YuvPlanes {
    /// U and V: both in the first, or one each. The first shows V where `v_first`, or has V first.
    pipe::Ref<pipe::Resource> chroma[2];
    bool v_first = false;
    uint8_t bits = 8;                  // of a channel, the highest ones of its word
    uint8_t x_shift = 0, y_shift = 0;  // 1: U and V have half as many columns or rows
    enum class Space : uint8_t { Bt601, Bt709, Bt2020 } space = Space::Bt601;
    bool full_range = false;
    /// Where U and V lie that several pixels share, from the first pixel's centre on: 0, or 0.5 of the way to the next one's.
    float x_siting = 0.5f, y_siting = 0.5f;
    [[nodiscard]] unsigned count() const { return chroma[1] ? 2 : 1; }
};

/// An EGLImage: one 2D slice of a resource. `external_only` (YUV) images may be bound to TEXTURE_EXTERNAL_OES alone.
class Image : public pipe::RefCounted {
  public:
    pipe::Ref<pipe::Resource> resource;
    pipe::Format format = pipe::Format::None;
    uint32_t level = 0, layer = 0;
    uint32_t width_px = 0, height_px = 0;
    uint32_t gl_internal_format = 0;  // sized or unsized GL name that a texture made from it reports
    bool external_only = false;
    std::optional<YuvPlanes> yuv;  // then `resource` and `format` are Y's

    /// The share group whose object it was made of, and whether objects of another one have its storage as well: export may move the
    /// storage where it knows all of them. Thread: any.
    void note_group(const void* group) {
        const void* none = nullptr;
        if (!group_.compare_exchange_strong(none, group) && none != group) several_groups_.store(true);
    }
    [[nodiscard]] bool only_of(const void* group) const {
        return group_.load() == group && !several_groups_.load();
    }

  private:
    std::atomic<const void*> group_{nullptr};
    std::atomic<bool> several_groups_{false};
};

}  // namespace terrazzo::st
