// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The messages of a screen or a context, for tests.
#pragma once

#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

#include "pipe/log.h"

namespace terrazzo::test {

/// One line for each message. Drivers' threads may write while the test reads.
class Messages {
  public:
    /// Less severe messages than `least` are not kept.
    explicit Messages(pipe::Severity least = pipe::Severity::Info) : least_(least) {}
    Messages(const Messages&) = delete;

    /// Must not be used after this object's end.
    [[nodiscard]] pipe::Log log() {
        return {[](void* data, pipe::Severity severity, std::string_view message) {
                    auto& to = *static_cast<Messages*>(data);
                    if (severity >= to.least_) to.add(message);
                },
                this};
    }
    void add(std::string_view message) {
        const std::lock_guard lock(mutex_);
        text_.append(message) += '\n';
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        text_.clear();
    }
    [[nodiscard]] std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }
    [[nodiscard]] bool has(std::string_view what) const { return text().find(what) != std::string::npos; }
    [[nodiscard]] bool empty() const { return text().empty(); }

    friend bool operator==(const Messages& m, std::string_view text) { return m.text() == text; }
    friend std::ostream& operator<<(std::ostream& out, const Messages& m) { return out << m.text(); }

  private:
    const pipe::Severity least_;
    mutable std::mutex mutex_;
    std::string text_;
};

}  // namespace terrazzo::test
