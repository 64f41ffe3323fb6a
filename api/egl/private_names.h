// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes that only Terrazzo's own command asks eglQueryDisplayAttribEXT, eglQuerySurface and eglQueryString for. They may change with every
// version.
#pragma once

#include <EGL/egl.h>

namespace terrazzo::egl {

/// How many threads of the process draw; 0 where a device does.
constexpr EGLint kThreadsTerrazzo = 0x7e44a001;
/// The display's platform, one of EGL_PLATFORM_*.
constexpr EGLint kPlatformTerrazzo = 0x7e44a002;
/// Of a window whose frame was drawn: whether it is shown as it is, in memory that the window shares with the device, or copied.
constexpr EGLint kSharedTerrazzo = 0x7e44a003;
/// A text for people that eglQueryString has: how the current draw surface's window was shown its last frame, and why not in a better
/// way. Empty: nothing to say.
constexpr EGLint kWindowTextTerrazzo = 0x7e44a004;

}  // namespace terrazzo::egl
