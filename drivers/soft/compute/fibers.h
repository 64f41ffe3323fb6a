// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Calls that take turns on one thread, each on a stack of its own: how the parts of a workgroup wait for each other at
// barriers, wherever in control flow these stand. A switch costs what a call costs, and no system call (x86-64).
//
// Stacks are mapped once and kept, with a guard below each. Code that may be ours and hostile touches the pages of its
// frame in turn (kMaxFrame_B), so that it meets the guard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace terrazzo::soft {

/// Of one thread.
class Fibers {
  public:
    Fibers();
    ~Fibers();
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;

    /// Stacks for so many calls. Throws std::bad_alloc.
    void reserve(unsigned count);
    /// Calls body(data, n) for each n below `count`, for which there are stacks, in turns; returns when all have returned.
    /// Throws std::bad_alloc where one of them did.
    void run(unsigned count, void (*body)(void* data, unsigned n), void* data);
    /// Within such a call: lets all others that have not returned go on until they wait, too.
    void wait();

  private:
    struct Fiber;
    static void enter(void* fibers);
    void go(Fiber& from, unsigned to);
    void leave();
    void release();

    std::unique_ptr<Fiber[]> fibers_;
    std::unique_ptr<Fiber> outside_;
    uint8_t* map_ = nullptr;
    unsigned stacks_ = 0, current_ = 0;
    bool failed_ = false;
    void (*body_)(void*, unsigned) = nullptr;
    void* data_ = nullptr;
};

}  // namespace terrazzo::soft
