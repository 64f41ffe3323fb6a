// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "winsys/environment/file_size.h"

namespace terrazzo::command {

bool read_file(const std::string& name, std::string* out, std::string* why) {
    std::FILE* const file = std::fopen(name.c_str(), "rb");
    if (!file) {
        *why = std::strerror(errno);
        return false;
    }
    char chunk[1 << 16];
    for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
        out->append(chunk, n);
    const bool good = !std::ferror(file);
    if (!good) *why = std::strerror(errno);
    std::fclose(file);
    return good;
}

bool write_file(const std::string& name, std::string_view bytes, std::string* why) {
    const winsys::FileSizeSignalBlock no_signal;
    std::FILE* const file = name == "-" ? stdout : std::fopen(name.c_str(), "wb");
    bool good = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    if (file) good &= (file == stdout ? std::fflush(file) : std::fclose(file)) == 0;
    if (!good) *why = std::strerror(errno);
    return good;
}

}  // namespace terrazzo::command
