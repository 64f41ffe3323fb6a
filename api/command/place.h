// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where this command is, and where its libraries are.
#pragma once

#include <string>

namespace terrazzo::command {

/// Folders, and a file that need not be there.
struct Places {
    std::string drop_in;    // libEGL.so.1, libGLESv2.so.2, ...
    std::string libraries;  // libterrazzo.so.0
    std::string modules;    // libterrazzo-llvm.so
    std::string gbm;        // terrazzo_gbm.so
    std::string vendor;     // the file that describes libEGL_terrazzo.so.0 to libglvnd, by a path
};

/// As they are in the build tree, or were installed, from where this command is: the whole may be moved. False: there is no
/// libterrazzo.so.0 or no libEGL.so.1; `why` says where it looked.
[[nodiscard]] bool find_places(Places* places, std::string* why);

}  // namespace terrazzo::command
