// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Making an EGLImage of a GL object (EGL_KHR_gl_image; EGL 1.5, 3.9).
#pragma once

#include <string>

#include "state_tracker/context.h"

namespace terrazzo::st {

enum class ImageSource : uint8_t { Texture2D, CubeFace, Texture3D, Renderbuffer };
enum class ImageResult : uint8_t { Ok, BadParameter, BadAccess, BadMatch, OutOfMemory };

/// `name`: the texture or renderbuffer; face 0-5 from positive x; level and z as in the EGL attributes. The GL object becomes
/// a sibling of the image: both show the same storage. On anything but Ok `why` names the rule and `out` is unchanged.
[[nodiscard]] ImageResult export_image(Context& ctx, ImageSource source, GLuint name, unsigned face, unsigned level, unsigned z,
                                       pipe::Ref<Image>* out, std::string* why);

}  // namespace terrazzo::st
