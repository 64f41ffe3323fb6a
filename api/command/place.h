// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The locations of this command and its libraries.
#pragma once

#include <string>

namespace terrazzo::command {

/// Folders, and a file that may not exist.
struct Places {
    std::string drop_in;    // libEGL.so.1, libGLESv2.so.2, ...
    std::string libraries;  // libterrazzo.so.0
    std::string modules;    // libterrazzo-llvm.so
    std::string gbm;        // terrazzo_gbm.so
    std::string vendor;     // the file that describes libEGL_terrazzo.so.0 to libglvnd, by a path
};

/// Finds the places relative to this command, in the build tree or after an installation, which may have been
/// moved. False: there is no libterrazzo.so.0 or libEGL.so.1; `why` says where it searched.
[[nodiscard]] bool find_places(Places* places, std::string* why);

}  // namespace terrazzo::command
