// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texts of reports, from their parts.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "drivers/common/window/window.h"

namespace terrazzo::host {

/// "0x12ab".
inline std::string hex_text(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

inline void append_part(std::string* text, std::string_view part) {
    *text += part;
}
inline void append_part(std::string* text, char part) {
    *text += part;
}
inline void append_part(std::string* text, const window::AccessFault& part) {
    *text += to_string(part);
}
inline void append_part(std::string* text, std::integral auto part) {
    *text += std::to_string(part);
}
/// Texts, characters, integers in decimal and refused accesses, one after the other.
template <class... Part>
std::string text_of(const Part&... part) {
    std::string text;
    (append_part(&text, part), ...);
    return text;
}

}  // namespace terrazzo::host
