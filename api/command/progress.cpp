// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/progress.h"

#include <unistd.h>

#include <cstdio>

namespace terrazzo::command {

namespace {

constexpr std::chrono::milliseconds kFirst{500}, kStep{200};

}  // namespace

FileProgress::FileProgress(const char* command, const std::string& file)
    : prefix_(std::string("terrazzo: ") + command + ": " + file + ": "),
      shown_(isatty(STDERR_FILENO) != 0),
      next_(std::chrono::steady_clock::now() + kFirst) {}

FileProgress::~FileProgress() {
    if (any_) std::fputs("\r\033[K", stderr);
}

void FileProgress::show(const char* what, uint64_t count, const char* unit) {
    if (!shown_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + kStep;
    any_ = true;
    std::fprintf(stderr, "\r%s%s %llu %s\033[K", prefix_.c_str(), what,
                 static_cast<unsigned long long>(count), unit);
}

}  // namespace terrazzo::command
