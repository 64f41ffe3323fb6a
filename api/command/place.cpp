// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/place.h"

#include <filesystem>
#include <initializer_list>
#include <system_error>

namespace terrazzo::command {

namespace fs = std::filesystem;

std::string library_folder(std::string* why) {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) {
        *why = "cannot find out where this command is: " + error.message();
        return {};
    }
    // build/api/command/terrazzo and build/api/libEGL.so.1; prefix/bin/terrazzo and
    // prefix/<libdir>/libEGL.so.1.
    for (const char* from_here : {"..", TERRAZZO_LIBDIR, "../lib", "../lib64"}) {
        const fs::path folder = (self.parent_path() / from_here).lexically_normal();
        // libterrazzo, not libEGL: the system's folder has a libEGL of others.
        if (fs::exists(folder / "libterrazzo.so.0", error) && fs::exists(folder / "libEGL.so.1", error))
            return folder.has_filename() ? folder.string() : folder.parent_path().string();
    }
    *why = "libterrazzo.so.0 and libEGL.so.1 are not where " + self.string() +
           " expects them (.., " TERRAZZO_LIBDIR ")";
    return {};
}

}  // namespace terrazzo::command
