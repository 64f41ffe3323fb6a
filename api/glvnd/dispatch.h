// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Extension functions for programs on libglvnd: eglGetProcAddress gives a program one function by a name, and the program
// calls that with displays and devices of any vendor. So each of ours finds the vendor of its first argument, and that
// vendor's function. Functions without such an argument are libEGL's own.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glvnd/libeglabi.h>

namespace terrazzo::glvnd {

/// What libEGL offers to vendors. Before any other function here.
void init_dispatch(const __EGLapiExports* libegl);

/// The function of that name, for all vendors; null: it is libEGL's own, or Terrazzo has none.
[[nodiscard]] void* dispatch_address(const char* name);
/// The number by which libEGL knows vendors' functions of that name. Called before anybody calls the function.
void set_dispatch_index(const char* name, int index);

[[nodiscard]] bool is_api_current(EGLenum api);
/// What eglGetError gives next, in this thread.
void set_error(EGLint error);

}  // namespace terrazzo::glvnd
