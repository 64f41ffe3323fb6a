// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The progress of a long run, for users.
#pragma once

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string_view>

namespace terrazzo::command::shader_db {

/// On a terminal, one line that is overwritten; elsewhere a new line at intervals. Callable from any thread.
class Progress {
  public:
    enum class Style : char { Silent, Lines, Terminal };
    /// `every`: number of programs between two lines.
    Progress(size_t total, Style style, std::FILE* out, size_t every = 500)
        : total_(total), style_(style), out_(out), every_(every) {}
    /// Erases the line.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Call when a program is done.
    void step(std::string_view name, bool skipped, bool failed);
    /// Terminal if stderr is one, otherwise Lines.
    [[nodiscard]] static Style style_of_stderr();

  private:
    std::mutex mutex_;
    const size_t total_;
    const Style style_;
    std::FILE* const out_;
    const size_t every_;
    size_t done_ = 0, skipped_ = 0, failed_ = 0;
    double last_s_ = 0;
};

}  // namespace terrazzo::command::shader_db
