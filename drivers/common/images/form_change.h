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

/// So long at most a context waits for others to submit what they recorded.
inline constexpr std::chrono::milliseconds kAwaitedSubmissions{20};

enum class FormChange : uint8_t {
    Done,    // the image has the other form, by this call or before it
    Others,  // another context has recorded work that writes the image, and did not submit it in time
};

/// `is_done()`: the image has the form already. change() submits the copy and replaces the storage. Both are
/// called under the image's mutex: from the copy's submission on, work of all contexts comes after it and
/// goes to the new memory. The caller has nothing recorded, so that no two callers wait for each other.
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
