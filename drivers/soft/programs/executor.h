// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

namespace terrazzo::soft {

/// Provides threads: run() must cause task(arg) to be called once, on another thread or at once. run() may be
/// called from any thread. The task returns when there is no more work.
struct Executor {
    // Null: the driver uses its own threads.
    void (*run)(void* user, void (*task)(void* arg), void* arg) = nullptr;
    void* user = nullptr;
};

}  // namespace terrazzo::soft
