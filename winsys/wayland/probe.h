// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where is a Wayland server, and is a pointer that an application gave one of libwayland's objects?
#pragma once

#include <string>
#include <string_view>

#include "winsys/process/untrusted.h"

namespace terrazzo::winsys {

/// True where `object` is a libwayland proxy of that interface ("wl_surface").
[[nodiscard]] bool is_wayland_object(const void* object, std::string_view interface);

/// The descriptor number in $WAYLAND_SOCKET, which wl_display_connect prefers; -1: none.
[[nodiscard]] int inherited_wayland_socket();
/// The socket that $WAYLAND_DISPLAY names, or its default; empty: $XDG_RUNTIME_DIR does not say in which folder.
[[nodiscard]] std::string wayland_socket_path();
/// 0: a server answers there; else the errno of connect(2).
[[nodiscard]] int connect_and_close(const std::string& path);

}  // namespace terrazzo::winsys
