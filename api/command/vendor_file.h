// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The files that describe vendors to libglvnd. Source: libglvnd's src/EGL/icd_enumeration.md and
// libeglvendor.c.
#pragma once

#include <string>

#include "api/command/place.h"

namespace terrazzo::command {

/// The library in a description: a name for the loader, or a path, which is relative to the description's
/// folder unless it is absolute. Empty: `why` says what is wrong with the description.
[[nodiscard]] std::string vendor_library(const std::string& file, std::string* why);
/// The library as a path that can be opened; a name without folder is returned unchanged.
[[nodiscard]] std::string vendor_library_path(const std::string& file, const std::string& library);

/// Loads Terrazzo's vendor library as a test, since libglvnd skips a vendor that it cannot load, without a
/// message. False: `why` says what is wrong.
[[nodiscard]] bool check_own_vendor(const Places& places, std::string* why);

}  // namespace terrazzo::command
