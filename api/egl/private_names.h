// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes of eglQueryDisplayAttribEXT, eglQuerySurface and eglQueryString for Terrazzo's own command. They
// may change with every version.
#pragma once

#include <EGL/egl.h>

namespace terrazzo::egl {

/// The number of the process's threads that draw; 0: a device draws.
constexpr EGLint kThreadsTerrazzo = 0x7e44a001;
/// The display's platform, one of EGL_PLATFORM_*.
constexpr EGLint kPlatformTerrazzo = 0x7e44a002;
/// For a window with a frame: whether the window shows the shared image itself, or a copy.
constexpr EGLint kSharedTerrazzo = 0x7e44a003;
/// A text of eglQueryString for users: how the current draw surface's window got its last frame, and why not
/// in a better way. Empty: nothing to report.
constexpr EGLint kWindowTextTerrazzo = 0x7e44a004;

}  // namespace terrazzo::egl
