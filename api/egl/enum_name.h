// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names of EGL's enums, for messages; they come from egl.h and eglext.h (gen_egl.py).
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "state_tracker/debug/enum_name.h"

namespace terrazzo::egl {

/// Generated: sorted values, and their zero-terminated names in the same order.
extern const uint16_t kEnumValues[];
extern const unsigned kEnumCount;
extern const char kEnumNames[];

/// "EGL_RENDERABLE_TYPE", or "0x1234" if the value has no name.
[[nodiscard]] inline std::string enum_text(int64_t value) {
    if (value >= 0 && value <= UINT32_MAX)
        if (const auto name = st::name_at(kEnumValues, kEnumCount, kEnumNames, uint32_t(value));
            !name.empty())
            return std::string(name);
    char text[24];
    std::snprintf(text, sizeof text, "0x%04llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace terrazzo::egl
