// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How far a long run is, for whoever watches.
#pragma once

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string_view>

namespace terrazzo::command::shader_db {

/// A terminal has one line that is written over; elsewhere a line comes now and then. Thread: any.
class Progress {
  public:
    enum class Style : char { Silent, Lines, Terminal };
    /// `every`: programs between two lines.
    Progress(size_t total, Style style, std::FILE* out, size_t every = 500)
        : total_(total), style_(style), out_(out), every_(every) {}
    /// The line goes, so that others may write.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// A program is done.
    void step(std::string_view name, bool skipped, bool failed);
    /// Terminal where stderr is one, Lines elsewhere.
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
