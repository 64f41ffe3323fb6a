// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Is a pointer that an application gave one of libwayland's objects?
#pragma once

#include <string_view>

#include "winsys/untrusted.h"

namespace terrazzo::winsys {

/// True where `object` is a libwayland proxy of that interface ("wl_surface").
[[nodiscard]] bool is_wayland_object(const void* object, std::string_view interface);

}  // namespace terrazzo::winsys
