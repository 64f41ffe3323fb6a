// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How the shim replaces functions of the C library and calls the originals. Each replacement is declared
// under a name of ours and exported as the symbol it replaces. So it does not conflict with the system's
// headers (exception specifications, large-file redirections, fortified inlines).
#pragma once

#include <dlfcn.h>

#include <cerrno>

/// Defines and exports `name`: SHIM_EXPORT(int, close, (int fd)) { ... }
#define SHIM_EXPORT(result, name, arguments)                                                          \
    extern "C" [[gnu::visibility("default"), gnu::used]] result shim_##name arguments __asm__(#name); \
    result shim_##name arguments

/// The next function `name` in the program's search order: SHIM_REAL(int (*)(int), close)(fd).
#define SHIM_REAL(type, name)                                                      \
    ([]() -> type {                                                                \
        static const auto found = reinterpret_cast<type>(dlsym(RTLD_NEXT, #name)); \
        return found;                                                              \
    }())

namespace terrazzo::winsys::shim {

/// Converts a kernel's 0 or -errno to the C library's form.
inline int result_of(int error) {
    if (error >= 0) return error;
    errno = -error;
    return -1;
}

}  // namespace terrazzo::winsys::shim
