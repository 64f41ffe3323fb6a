// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Names of GL's enums, for messages. They come from gl.xml (gen_commands.py). Values below 0x100 have many
// names (GL_ZERO, GL_POINTS, GL_FALSE) and are printed as numbers.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <span>
#include <string_view>

namespace terrazzo::st {

/// The name that corresponds to `value` in `count` sorted values; empty: the value is not there. `names` has
/// one zero-terminated name per value.
[[nodiscard]] std::string_view name_at(const uint16_t* values, unsigned count, const char* names,
                                       uint32_t value);
/// "GL_RGBA"; empty if the value has no name or several meanings.
[[nodiscard]] std::string_view enum_name(uint32_t value);
/// vsnprintf, but values of the conversion `0x%04x` are printed as names. Text that does not fit is cut off.
/// Does not allocate, since it reports exhausted memory as well.
std::string_view print_with_names(std::span<char> out, const char* format, va_list args);

/// Generated: sorted values, and their zero-terminated names in the same order.
extern const uint16_t kEnumValues[];
extern const unsigned kEnumCount;
extern const char kEnumNames[];

}  // namespace terrazzo::st
