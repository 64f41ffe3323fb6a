// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A line on stderr with a command's progress, if stderr is a terminal and the work takes long.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace terrazzo::command {

class FileProgress {
  public:
    /// "terrazzo: decode: FILE: ".
    FileProgress(const char* command, const std::string& file);
    /// Erases the line.
    ~FileProgress();
    FileProgress(const FileProgress&) = delete;
    FileProgress& operator=(const FileProgress&) = delete;
    /// "read 12 MiB". May be called often.
    void show(const char* what, uint64_t count, const char* unit);

  private:
    const std::string prefix_;
    const bool shown_;
    bool any_ = false;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace terrazzo::command
