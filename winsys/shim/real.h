// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The C library's functions that the shim stands in front of. An exported function is declared under a name
// of ours with the symbol that it replaces, so that the system's headers (exception specifications,
// large-file redirections, fortified inlines) do not matter.
#pragma once

#include <dlfcn.h>

#include <cerrno>

/// Defines and exports `name`: SHIM_EXPORT(int, close, (int fd)) { ... }
#define SHIM_EXPORT(result, name, arguments)                                                          \
    extern "C" [[gnu::visibility("default"), gnu::used]] result shim_##name arguments __asm__(#name); \
    result shim_##name arguments

/// A call of the next `name` in the program: SHIM_REAL(int (*)(int), close)(fd).
#define SHIM_REAL(type, name)                                                      \
    ([]() -> type {                                                                \
        static const auto found = reinterpret_cast<type>(dlsym(RTLD_NEXT, #name)); \
        return found;                                                              \
    }())

namespace terrazzo::winsys::shim {

/// A kernel's 0 or -errno as the C library returns it.
inline int result_of(int error) {
    if (error >= 0) return error;
    errno = -error;
    return -1;
}

}  // namespace terrazzo::winsys::shim
