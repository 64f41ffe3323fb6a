// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Child processes that continue from the parent's current state, each with something changed, and report the
// result as a text.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace terrazzo::test {

class Children {
  public:
    /// Reports a child's text to the parent.
    using Result = std::function<void(const std::string&)>;
    explicit Children(unsigned most) : most_(most ? most : 1) {}
    /// Returns true in the child, false in the parent. The parent continues at once if fewer than `most`
    /// children run.
    [[nodiscard]] bool begin(Result result);
    [[nodiscard]] bool is_child() const { return to_ >= 0; }
    /// Called in a child: reports its text and ends it.
    [[noreturn]] void end(const std::string& text);
    /// Waits until all have ended. Returns an error if a child ended without a text; otherwise "".
    [[nodiscard]] std::string wait();

  private:
    struct Child {
        pid_t process;
        int from;
        Result result;
    };
    void take_first();

    const unsigned most_;
    std::vector<Child> running_;
    int to_ = -1;  // the pipe of a child
    std::string lost_;
};

}  // namespace terrazzo::test
