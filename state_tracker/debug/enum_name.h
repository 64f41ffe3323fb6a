// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names of GL's enums, for messages. They come from gl.xml (gen_commands.py). Values below 0x100 have many
// names each (GL_ZERO, GL_POINTS, GL_FALSE) and stay numbers.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <span>
#include <string_view>

namespace terrazzo::st {

/// The name that stands where `value` stands among `count` sorted values; empty: nowhere. Names have a zero
/// after each.
[[nodiscard]] std::string_view name_at(const uint16_t* values, unsigned count, const char* names,
                                       uint32_t value);
/// "GL_RGBA"; empty where the value has no name or more than one meaning.
[[nodiscard]] std::string_view enum_name(uint32_t value);
/// vsnprintf, with names in place of what the format has as `0x%04x`. What does not fit is cut off. Allocates
/// nothing: it tells of exhausted memory, too.
std::string_view print_with_names(std::span<char> out, const char* format, va_list args);

/// Generated: sorted values, and their names in the same order, each with a zero after it.
extern const uint16_t kEnumValues[];
extern const unsigned kEnumCount;
extern const char kEnumNames[];

}  // namespace terrazzo::st
