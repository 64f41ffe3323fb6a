// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Objects that EGL lends to the state tracker: surfaces to draw on, and images to share.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "pipe/resource.h"
#include "pipe/state.h"

namespace terrazzo::st {

/// The default framebuffer's storage. EGL's surface owns it; a context in which it is current holds a
/// reference. The buffers may change between frames (resize, a new back buffer). `stamp` changes with them,
/// and the context then acquires them again.
class Drawable : public pipe::RefCounted {
  public:
    pipe::Format color_format = pipe::Format::None;
    pipe::Format depth_stencil_format = pipe::Format::None;  // None: neither
    uint8_t red_bits = 8, green_bits = 8, blue_bits = 8, alpha_bits = 8, depth_bits = 0, stencil_bits = 0;
    uint32_t samples = 1;
    bool double_buffered = true;
    /// True: the first row in memory is GL's top row, as window systems want that show the memory itself.
    /// False: it is the bottom row, as in every other image. A change of this changes `stamp`.
    bool top_down = false;
    uint32_t stamp = 1;
    /// All drawing lies inside this rectangle until the frame's end; (0, 0) is GL's bottom left corner. The
    /// owner sets it.
    pipe::Scissor damage = pipe::kEverywhere;
    /// A context calls this before it draws to the surface or reads from it. Returns the current buffers and
    /// their size. False: out of memory, or the surface is lost; the outputs are then unchanged.
    struct Buffers {
        pipe::Ref<pipe::Resource> color, depth_stencil;
        uint32_t width_px = 0, height_px = 0;
    };
    [[nodiscard]] virtual bool acquire(Buffers* out) = 0;
};

/// The other planes of an image of Y, U and V, whose resource is Y. It has one level and one layer.
struct YuvPlanes {
    /// Two resources: U and V. One: it has both. The first resource has V (or V first) if `v_first`.
    pipe::Ref<pipe::Resource> chroma[2];
    bool v_first = false;
    uint8_t bits = 8;                  // of a channel, the highest ones of its word
    uint8_t x_shift = 0, y_shift = 0;  // 1: U and V have half as many columns or rows
    enum class Space : uint8_t { Bt601, Bt709, Bt2020 } space = Space::Bt601;
    bool full_range = false;
    /// The position of a shared U and V sample, relative to the centre of the first pixel that uses it: 0, or
    /// 0.5 of the distance to the next pixel.
    float x_siting = 0.5f, y_siting = 0.5f;
    [[nodiscard]] unsigned count() const { return chroma[1] ? 2 : 1; }
};

/// An EGLImage: one 2D slice of a resource. `external_only` (YUV) images may only be bound to
/// TEXTURE_EXTERNAL_OES.
class Image : public pipe::RefCounted {
  public:
    pipe::Ref<pipe::Resource> resource;
    pipe::Format format = pipe::Format::None;
    uint32_t level = 0, layer = 0;
    uint32_t width_px = 0, height_px = 0;
    uint32_t gl_internal_format = 0;  // sized or unsized GL name that a texture made from it reports
    bool external_only = false;
    std::optional<YuvPlanes> yuv;  // then `resource` and `format` are Y's

    /// Records the share group of an object that the image was created from, and whether objects of another
    /// group use its storage as well. Export may only move storage if it knows all the objects that use it.
    /// Callable from any thread.
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
