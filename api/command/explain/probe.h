// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A probe looks at one thing that may hang or crash: libraries that others made, servers, kernel drivers. So each runs in a process
// of its own, all at once, and has a time limit. What it has found out by then is kept.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/command/explain/report.h"

namespace terrazzo::command {

/// Where a probe says what it found. Each finding is on its way when add() returns.
class Findings {
  public:
    explicit Findings(int fd) : fd_(fd) {}
    void add(const Finding& finding) const;
    void works(std::string subject, std::string what, std::string file = {}) const {
        add({Level::Works, std::move(subject), std::move(what), std::move(file), {}});
    }
    void unused(std::string subject, std::string what, std::string remedy = {}) const {
        add({Level::Unused, std::move(subject), std::move(what), {}, std::move(remedy)});
    }
    void wrong(std::string subject, std::string what, std::string remedy) const {
        add({Level::Wrong, std::move(subject), std::move(what), {}, std::move(remedy)});
    }

  private:
    const int fd_;
};

struct Probe {
    const char* subject;  // of findings about the probe itself
    void (*run)(const Findings& out);
};

/// What each has found, in their order; a probe that crashed or did not end in time has one more, which says so. What it printed is
/// a finding, too. Must be called where this process has no other threads.
[[nodiscard]] std::vector<std::vector<Finding>> run_probes(std::span<const Probe> probes, int limit_ms);

}  // namespace terrazzo::command
