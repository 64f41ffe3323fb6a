// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace terrazzo::command {

/// While one lives, this process' environment lacks the variables by which Terrazzo would write files or
/// report a value: a command that only tries a device must not report what the program that it starts will
/// report. Not for use while other threads read the environment.
class QuietEnvironment {
  public:
    QuietEnvironment();
    ~QuietEnvironment();
    QuietEnvironment(const QuietEnvironment&) = delete;
    QuietEnvironment& operator=(const QuietEnvironment&) = delete;

  private:
    struct Removed {
        const char* name;
        std::string value;
    };
    std::vector<Removed> removed_;
};

}  // namespace terrazzo::command
