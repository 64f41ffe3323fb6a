// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes that only Terrazzo's own command asks eglQueryDisplayAttribEXT for. They may change with every
// version.
#pragma once

#include <EGL/egl.h>

namespace terrazzo::egl {

/// How many threads of the process draw; 0 where a device does.
constexpr EGLint kThreadsTerrazzo = 0x7e44a001;
/// The display's platform, one of EGL_PLATFORM_*.
constexpr EGLint kPlatformTerrazzo = 0x7e44a002;

}  // namespace terrazzo::egl
