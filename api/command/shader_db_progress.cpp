// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/shader_db_progress.h"

#include <unistd.h>

#include "winsys/clock.h"

namespace terrazzo::command::shader_db {

namespace {

constexpr double kBetween_s = 0.1;  // time between two updates of a terminal's line
constexpr int kName_columns = 40;   // together with the numbers less than 80
constexpr const char* kClearLine = "\r\x1b[K";

double now_s() {
    return double(winsys::monotonic_ns()) / winsys::kNsPerSecond;
}

}  // namespace

Progress::Style Progress::style_of_stderr() {
    return isatty(STDERR_FILENO) ? Style::Terminal : Style::Lines;
}

Progress::~Progress() {
    if (style_ == Style::Terminal) std::fprintf(out_, "%s", kClearLine);
}

void Progress::step(std::string_view name, bool skipped, bool failed) {
    std::lock_guard lock(mutex_);
    ++done_;
    skipped_ += skipped;
    failed_ += failed;
    switch (style_) {
        case Style::Silent:
            break;
        case Style::Lines:
            if (done_ % every_ == 0)
                std::fprintf(out_, "terrazzo: shader-db: %zu of %zu programs, %zu skipped, %zu failed\n",
                             done_, total_, skipped_, failed_);
            break;
        case Style::Terminal:
            if (const double now = now_s(); now - last_s_ >= kBetween_s) {
                last_s_ = now;
                std::fprintf(out_, "%s%zu/%zu, %zu skipped, %zu failed  %.*s", kClearLine, done_, total_,
                             skipped_, failed_,
                             int(name.size()) < kName_columns ? int(name.size()) : kName_columns,
                             name.data());
                std::fflush(out_);
            }
            break;
    }
}

}  // namespace terrazzo::command::shader_db
