// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Extension functions for programs on libglvnd. eglGetProcAddress returns one function for a name, and the
// program calls it with displays and devices of any vendor. So each of our functions looks up the vendor of
// its first argument, and that vendor's function. Functions without such an argument belong to libEGL.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glvnd/libeglabi.h>

namespace terrazzo::glvnd {

/// The functions that libEGL offers to vendors. Call it before the other functions in this file.
void init_dispatch(const __EGLapiExports* libegl);

/// The function with this name, for all vendors; null: it belongs to libEGL, or Terrazzo does not have it.
[[nodiscard]] void* dispatch_address(const char* name);
/// Sets libEGL's number of the vendors' functions with this name, before the first call of the function.
void set_dispatch_index(const char* name, int index);

[[nodiscard]] bool is_api_current(EGLenum api);
/// Sets the error that eglGetError returns next on this thread.
void set_error(EGLint error);

}  // namespace terrazzo::glvnd
