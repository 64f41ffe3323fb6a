// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How a compressed image becomes uncompressed while several contexts use it.
// drivers/common/submission/README.md has the rules.
#pragma once

#include <chrono>
#include <thread>

#include "drivers/common/images/stored.h"

namespace terrazzo::images {

/// The longest time that a context waits for others to submit what they recorded.
inline constexpr std::chrono::milliseconds kAwaitedSubmissions{20};

enum class FormChange : uint8_t {
    Done,    // the image now has the other form; this call or an earlier one changed it
    Others,  // another context has recorded writes of the image, and did not submit them in time
};

/// `is_done()`: whether the image has the other form already. change() submits the copy and replaces the
/// storage. Both are called under the image's mutex: work that any context submits later follows the copy and
/// uses the new memory. The caller must have no recorded work, so that no two callers wait for each other.
template <class Done, class Change>
[[nodiscard]] FormChange change_form(StoredResource& r, Done&& is_done, Change&& change) {
    const auto deadline = std::chrono::steady_clock::now() + kAwaitedSubmissions;
    memory::Device* asked = nullptr;
    for (;;) {
        {
            const std::lock_guard guard(r.mutex());
            const pipe::Ref<Bo> memory = r.bo();
            const bool done = is_done();
            if (done || !memory->uses.recorded_writes.load(std::memory_order_acquire)) {
                if (asked) asked->awaited_submissions.fetch_sub(1, std::memory_order_relaxed);
                if (!done) change();
                return FormChange::Done;
            }
            if (!asked) {
                asked = memory->device.get();
                asked->awaited_submissions.fetch_add(1, std::memory_order_relaxed);
            }
        }
        if (std::chrono::steady_clock::now() >= deadline) break;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    asked->awaited_submissions.fetch_sub(1, std::memory_order_relaxed);
    return FormChange::Others;
}

}  // namespace terrazzo::images
