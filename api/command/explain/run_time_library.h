// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Libraries of window systems, which the command opens at run time: without them it starts, and reports what
// is missing.
#pragma once

#include <dlfcn.h>

#include <string>

namespace terrazzo::command {

/// Never closed. Null: `why` is the reason.
[[nodiscard]] inline void* open_library(const char* name, std::string* why) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char* const reason = library ? nullptr : dlerror();
    if (!library) *why = reason ? reason : std::string(name) + " cannot be loaded";
    return library;
}

/// A function or a variable of the library. False: it has none with this name.
template <class T>
[[nodiscard]] bool find(void* library, const char* name, T* out) {
    *out = reinterpret_cast<T>(dlsym(library, name));
    return *out;
}

}  // namespace terrazzo::command
