// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Parses the values of variables. A function returns false and writes nothing if the text is no valid value.
// The rows of environment.cpp use the same functions for their checks, so they allow exactly the values that
// can be used.
#pragma once

#include <cstdint>
#include <string_view>

namespace terrazzo::winsys {

inline constexpr unsigned kMaxThreads = 256;
/// A number from 1 to kMaxThreads.
[[nodiscard]] bool parse_threads(std::string_view text, unsigned* out);

inline constexpr uint64_t kUnlimited_ns = UINT64_MAX;
/// The limit of a draw of a robust context without TERRAZZO_DRAW_LIMIT, and of waits for other processes.
inline constexpr uint64_t kDrawLimit_ns = 10'000'000'000;
/// Seconds with a fraction, more than 0, or "off": kUnlimited_ns.
[[nodiscard]] bool parse_time_limit(std::string_view text, uint64_t* out_ns);

/// "3.1" is 31. Versions of OpenGL ES from 2.0 on.
[[nodiscard]] bool parse_gles_version(std::string_view text, int* out);

/// The platforms that EGL_PLATFORM can name.
enum class PlatformName : uint8_t { Wayland, X11, Gbm, Surfaceless };
[[nodiscard]] bool parse_platform(std::string_view text, PlatformName* out);

/// "older": true; "current": false.
[[nodiscard]] bool parse_shim_interface(std::string_view text, bool* older);

/// A file descriptor's number.
[[nodiscard]] bool parse_descriptor(std::string_view text, int* out);

}  // namespace terrazzo::winsys
