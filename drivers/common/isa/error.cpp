// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Reasons of refused words and lines.
#include "drivers/common/isa/error.h"

#include <cstdarg>
#include <cstdio>

namespace terrazzo::isa {

bool refuse(Error* error, const char* format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(error->reason, sizeof(error->reason), format, arguments);
        va_end(arguments);
    }
    return false;
}

}  // namespace terrazzo::isa
