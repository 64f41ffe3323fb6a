// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Creates EGLImages from GL objects (EGL_KHR_gl_image; EGL 1.5, 3.9).
#pragma once

#include <mutex>
#include <span>
#include <string>

#include "state_tracker/context.h"

namespace terrazzo::st {

enum class ImageSource : uint8_t { Texture2D, CubeFace, Texture3D, Renderbuffer };
enum class ImageResult : uint8_t { Ok, BadParameter, BadAccess, BadMatch, OutOfMemory };

/// `name`: the texture or renderbuffer. `face`: 0-5 from positive x. `level` and `z` are those of the EGL
/// attributes. The GL object becomes a sibling of the image: both have the same storage. If the result is not
/// Ok, `why` names the rule and `out` is unchanged.
[[nodiscard]] ImageResult export_image(Context& ctx, ImageSource source, GLuint name, unsigned face,
                                       unsigned level, unsigned z, pipe::Ref<Image>* out, std::string* why);

/// A copy of the image's present state: an export may move `resource` of an image that others use as well.
/// Throws std::bad_alloc.
[[nodiscard]] pipe::Ref<Image> snapshot(const Image& image);
/// Guards moves of all images, since one image moves together with others. Lock order: after
/// ShareGroup::mutex; no other lock of ours may be taken while it is held.
[[nodiscard]] std::mutex& image_move_mutex();

/// Moves the storage of an image of a texture level or renderbuffer into memory that
/// pipe::Screen::export_resource() accepts; does nothing if it is there already. All objects of `ctx`'s share
/// group that use the storage move with it, and so do `other_images` (those of the display that use it). If
/// the result is not Ok, nothing moved, and `why` names the rule.
[[nodiscard]] ImageResult make_exportable(Context& ctx, Image& image,
                                          std::span<const pipe::Ref<Image>> other_images, std::string* why);

}  // namespace terrazzo::st
