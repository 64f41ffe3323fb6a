// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A shared library as the loader finds it, and whose it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/command/place.h"

namespace terrazzo::command {

enum class Maker : uint8_t {
    ThisBuild,  // the file that this command's EGL uses
    OtherTerrazzo,
    Glvnd,
    Other,
};

struct LibraryFile {
    void* handle = nullptr;  // null: `why` says the reason
    bool absent = false;     // there is no file of that name, where the loader looks
    std::string why;
    std::string file;  // its path, links followed
    Maker maker = Maker::Other;
};

/// Opens a library by a name, which the loader looks for, or by a path, and never closes it. `own`: where this command's libraries are.
[[nodiscard]] LibraryFile open_library_file(const std::string& name, const Places& own);
[[nodiscard]] bool is_terrazzo(const LibraryFile& library);
/// Those of this command; empty where they are not there.
[[nodiscard]] Places own_places();
/// The path with all links followed; the path itself where that cannot be.
[[nodiscard]] std::string real_path(const std::string& path);
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);
/// Whether the file has these bytes. False, too, where it cannot be read.
[[nodiscard]] bool file_contains(const std::string& file, std::string_view bytes);
/// The folder of a path; empty: it has none.
[[nodiscard]] std::string folder_of(const std::string& path);

}  // namespace terrazzo::command
