// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A probe tests one thing that may hang or crash: foreign libraries, servers, kernel drivers. So all probes
// run concurrently, in separate processes with a time limit. Findings that a probe reported before the limit
// are kept.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/command/explain/report.h"

namespace terrazzo::command {

/// The output of a probe. add() sends a finding before it returns.
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
    const char* subject;  // subject of findings about the probe itself
    void (*run)(const Findings& out);
};

/// The findings of each probe, in their order. A probe that crashed or exceeded its time has an additional
/// finding that says so. The text that it printed is a finding, too. Call while this process has no other
/// threads.
[[nodiscard]] std::vector<std::vector<Finding>> run_probes(std::span<const Probe> probes, int limit_ms);

}  // namespace terrazzo::command
