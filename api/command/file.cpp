// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "winsys/environment/file_size.h"

namespace terrazzo::command {

bool read_file(const std::string& name, std::string* out, std::string* why, const ReadLimits& limits) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
    if (!file) {
        *why = std::strerror(errno);
        return false;
    }
    const auto too_large = [&] {
        *why = "it is larger than " + std::to_string(limits.most_B >> 20) +
               " MiB, which is the most that is read";
        return false;
    };
    struct stat s {};
    if (fstat(fileno(file.get()), &s) == 0 && S_ISREG(s.st_mode) && uint64_t(s.st_size) > limits.most_B)
        return too_large();
    char piece[kPiece_B];
    const size_t begin = out->size();
    bool is_judged = !limits.judge;
    for (size_t n; (n = std::fread(piece, 1, sizeof piece, file.get())) > 0;) {
        out->append(piece, n);
        const uint64_t read_B = out->size() - begin;
        if (read_B > limits.most_B) return too_large();
        if (!is_judged && !limits.judge(std::string_view(*out).substr(begin), why)) return false;
        is_judged = true;
        if (limits.progress) limits.progress->show("read", read_B >> 20, "MiB");
    }
    if (!std::ferror(file.get())) return true;
    *why = std::strerror(errno);
    return false;
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
