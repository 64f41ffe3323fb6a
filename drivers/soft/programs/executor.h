// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

namespace terrazzo::soft {

/// Lends threads: run() must have task(arg) called once, on another thread or at once, and may be called from
/// any thread. What it lends goes back when there is nothing to do.
struct Executor {
    void (*run)(void* user, void (*task)(void* arg), void* arg) = nullptr;  // null: the driver has its own
    void* user = nullptr;
};

}  // namespace terrazzo::soft
