// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A shared library that the loader finds, and its maker.
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
    void* handle = nullptr;  // null: `why` is the reason
    bool absent = false;     // the loader finds no file with that name
    std::string why;
    std::string file;  // its path without links
    Maker maker = Maker::Other;
};

/// Opens a library by a name, for which the loader searches, or by a path, and never closes it. `own`: this
/// command's libraries.
[[nodiscard]] LibraryFile open_library_file(const std::string& name, const Places& own);
[[nodiscard]] bool is_terrazzo(const LibraryFile& library);
/// The places of this command's libraries; empty if they do not exist.
[[nodiscard]] Places own_places();
/// The path without links; the path itself if that fails.
[[nodiscard]] std::string real_path(const std::string& path);
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);
/// Whether the file contains these bytes. Also false if it cannot be read.
[[nodiscard]] bool file_contains(const std::string& file, std::string_view bytes);
/// The folder of a path; empty: it has none.
[[nodiscard]] std::string folder_of(const std::string& path);

}  // namespace terrazzo::command
