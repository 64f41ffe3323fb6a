// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opens DRM files from descriptors of the program.
#pragma once

#include <memory>
#include <string>

#include "winsys/drm/drm.h"

namespace terrazzo::winsys {

/// As open_drm_node(), on a duplicate of `fd`, which the caller keeps. Null: `*why` is the reason in one
/// line.
[[nodiscard]] std::unique_ptr<Drm> open_drm_fd(int fd, std::string* why);
/// Whether `fd` is a file of the shim's virtual kernel.
[[nodiscard]] bool is_shim_file(int fd);
/// Whether `path` is a node of the shim's virtual kernel. False also if it cannot be opened.
[[nodiscard]] bool is_shim_node(const char* path);

}  // namespace terrazzo::winsys
