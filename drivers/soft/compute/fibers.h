// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Calls that take turns on one thread, each on its own stack. So the parts of a workgroup wait for each other
// at barriers anywhere in control flow. On x86-64 a switch costs as much as a call and needs no system call.
//
// Stacks are mapped once and kept, with a guard below each. Generated code may be hostile, but it touches the
// pages of its frame in order (kMaxFrame_B), so it cannot jump over the guard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace terrazzo::soft {

/// Used by one thread.
class Fibers {
  public:
    Fibers();
    ~Fibers();
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;

    /// Allocates stacks for `count` calls. Throws std::bad_alloc.
    void reserve(unsigned count);
    /// Calls body(data, n) for each n below `count`, in turns; returns when all have returned. There must be
    /// stacks for them. Throws std::bad_alloc if one of them did.
    void run(unsigned count, void (*body)(void* data, unsigned n), void* data);
    /// Called inside a call: lets all other calls run until they wait, too, or return.
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
