// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Child processes that go on from where the parent is, each with something changed, and say in a text what
// came of it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace terrazzo::test {

class Children {
  public:
    /// Tells the parent what a child said.
    using Result = std::function<void(const std::string&)>;
    explicit Children(unsigned most) : most_(most ? most : 1) {}
    /// True in the child, false in the parent, which goes on at once where fewer than `most` run.
    [[nodiscard]] bool begin(Result result);
    [[nodiscard]] bool is_child() const { return to_ >= 0; }
    /// Of a child.
    [[noreturn]] void end(const std::string& text);
    /// Until all have ended. What went wrong with them: a child that ended without a word; "": nothing.
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
    int to_ = -1;  // a child's pipe
    std::string lost_;
};

}  // namespace terrazzo::test
