// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The one sink of messages: KHR_debug / EGL_KHR_debug callbacks, else a line on stderr. Quiet by default.
#pragma once

#include <string_view>

namespace terrazzo::pipe {

enum class Severity : unsigned char { Info, Performance, Warning, Error };

/// A sink lent to a screen or context by its creator; must outlive it and be callable from any thread.
struct Log {
    void (*write)(void* data, Severity severity, std::string_view message) = nullptr;
    void* data = nullptr;
    void operator()(Severity severity, std::string_view message) const {
        if (write) write(data, severity, message);
    }
};

}  // namespace terrazzo::pipe
