// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// DRM files that a program has opened itself.
#pragma once

#include <memory>
#include <string>

#include "winsys/drm/drm.h"

namespace terrazzo::winsys {

/// As open_drm_node(), on a duplicate of the descriptor, which stays the caller's. Null: `*why` says the reason in one line.
[[nodiscard]] std::unique_ptr<Drm> open_drm_fd(int fd, std::string* why);
/// Whether the descriptor is a file of the shim's virtual kernel, and not of a real one.
[[nodiscard]] bool is_shim_file(int fd);
/// Likewise, of a node. False: it cannot be opened.
[[nodiscard]] bool is_shim_node(const char* path);

}  // namespace terrazzo::winsys
