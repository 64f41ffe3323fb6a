// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The sink of messages: KHR_debug or EGL_KHR_debug callbacks, otherwise a line on stderr. Default: no
// messages.
#pragma once

#include <string_view>

namespace terrazzo::pipe {

enum class Severity : unsigned char { Info, Performance, Warning, Error };

/// A sink that the creator of a screen or context lends to it. It must outlive the object, and must be
/// callable from any thread.
struct Log {
    void (*write)(void* data, Severity severity, std::string_view message) = nullptr;
    void* data = nullptr;
    void operator()(Severity severity, std::string_view message) const {
        if (write) write(data, severity, message);
    }
};

}  // namespace terrazzo::pipe
