// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace terrazzo::command {

/// While an object exists, this process's environment lacks the variables that make Terrazzo write files or
/// report a value: a command that only tests a device must not report what the program that it starts will
/// report. Do not use it while other threads read the environment.
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
