// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where a Wayland server is, and whether an application's pointer is one of libwayland's objects.
#pragma once

#include <string>
#include <string_view>

#include "winsys/process/untrusted.h"

namespace terrazzo::winsys {

/// True if `object` is a libwayland proxy of that interface ("wl_surface").
[[nodiscard]] bool is_wayland_object(const void* object, std::string_view interface);

/// The descriptor number in $WAYLAND_SOCKET, which wl_display_connect prefers; -1: none.
[[nodiscard]] int inherited_wayland_socket();
/// The socket that $WAYLAND_DISPLAY names, or its default; empty: it is relative and $XDG_RUNTIME_DIR is
/// unset.
[[nodiscard]] std::string wayland_socket_path();
/// 0: a server answers there; otherwise the errno of connect(2).
[[nodiscard]] int connect_and_close(const std::string& path);

}  // namespace terrazzo::winsys
