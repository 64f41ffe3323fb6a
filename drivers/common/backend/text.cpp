// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/text.h"

#include <charconv>

#include "drivers/common/isa/text.h"

namespace terrazzo::backend {

bool take_number(std::string_view* text, uint32_t* number) {
    const auto got = std::from_chars(text->data(), text->data() + text->size(), *number);
    if (got.ec != std::errc()) return false;
    text->remove_prefix(size_t(got.ptr - text->data()));
    return true;
}

bool take_prefix(std::string_view* text, std::string_view prefix) {
    if (!text->starts_with(prefix)) return false;
    text->remove_prefix(prefix.size());
    return true;
}

bool take_line(std::string_view* text, unsigned* number, std::string_view* line) {
    while (isa::next_part(text, '\n', line)) {
        ++*number;
        if (!line->empty()) return true;
    }
    return false;
}

}  // namespace terrazzo::backend
