// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Looking at pointers that an application gave without trusting them.
#pragma once

#include <cstddef>
#include <string_view>

namespace terrazzo::winsys {

/// Copies `size_B` (<= 4096) bytes from any address. False: not all of them can be read; `out` is then
/// unspecified.
[[nodiscard]] bool read_untrusted(const void* address, void* out, std::size_t size_B);

/// True where `object` is a libwayland proxy of that interface ("wl_surface").
[[nodiscard]] bool is_wayland_object(const void* object, std::string_view interface);

}  // namespace terrazzo::winsys
