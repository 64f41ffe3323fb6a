// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Making an EGLImage of a GL object (EGL_KHR_gl_image; EGL 1.5, 3.9).
#pragma once

#include <mutex>
#include <span>
#include <string>

#include "state_tracker/context.h"

namespace terrazzo::st {

enum class ImageSource : uint8_t { Texture2D, CubeFace, Texture3D, Renderbuffer };
enum class ImageResult : uint8_t { Ok, BadParameter, BadAccess, BadMatch, OutOfMemory };

/// `name`: the texture or renderbuffer; face 0-5 from positive x; level and z as in the EGL attributes. The GL object becomes
/// a sibling of the image: both show the same storage. On anything but Ok `why` names the rule and `out` is unchanged.
[[nodiscard]] ImageResult export_image(Context& ctx, ImageSource source, GLuint name, unsigned face,
                                       unsigned level, unsigned z, pipe::Ref<Image>* out, std::string* why);

/// An image as it is now: an export may move `resource` of images that others have as well. Throws std::bad_alloc.
[[nodiscard]] pipe::Ref<Image> snapshot(const Image& image);
/// Guards moves; of all images, since one moves with others. Taken after ShareGroup::mutex, and no lock of ours within.
[[nodiscard]] std::mutex& image_move_mutex();

/// Brings the storage of an image of a level of a texture, or of a renderbuffer, into memory that pipe::Screen::export_resource()
/// knows; where it is there already, nothing happens. All objects of `ctx`'s share group that have the storage move with it,
/// and `other_images` (those of the display that have it) too. Anything but Ok: nothing moved, `why` names the rule.
[[nodiscard]] ImageResult make_exportable(Context& ctx, Image& image,
                                          std::span<const pipe::Ref<Image>> other_images, std::string* why);

}  // namespace terrazzo::st
