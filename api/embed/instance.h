// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The objects of terrazzo.h's handles. Instances and contexts are counted: a context holds its instance, and
// a thread holds its current context.
#pragma once

#include <atomic>
#include <memory>
#include <memory_resource>
#include <new>

#include "api/embed/target.h"
#include "api/terrazzo.h"
#include "pipe/screen.h"
#include "state_tracker/context.h"

namespace terrazzo::embed {

/// The caller's allocator as a std::pmr memory resource. Throws std::bad_alloc.
class CallerMemory final : public std::pmr::memory_resource {
  public:
    explicit CallerMemory(const terrazzo_allocator& a) : allocator_(a) {}
    [[nodiscard]] const terrazzo_allocator& allocator() const { return allocator_; }

  private:
    void* do_allocate(size_t bytes, size_t alignment) override;
    void do_deallocate(void* p, size_t bytes, size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource& o) const noexcept override { return this == &o; }
    const terrazzo_allocator allocator_;
};

/// The caller's log function. Thread-safe if that is.
struct Sink {
    terrazzo_log write = nullptr;
    void* user = nullptr;
    void operator()(terrazzo_severity severity, const char* format, ...) const
        __attribute__((format(printf, 3, 4)));
    /// For the rooms below; `this` must outlive them.
    [[nodiscard]] pipe::Log as_log() const;
};

}  // namespace terrazzo::embed

/// Allocated in the caller's memory; release() frees it.
struct terrazzo_instance {
    terrazzo_instance(const terrazzo_allocator& a, const terrazzo::embed::Sink& s) : memory(a), sink(s) {}
    void add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
    void release();

    terrazzo::embed::CallerMemory memory;
    const terrazzo::embed::Sink sink;
    bool shader_cache = false;
    std::unique_ptr<terrazzo::pipe::Screen> screen;

  private:
    ~terrazzo_instance() = default;
    std::atomic<uint32_t> count_{1};
};

struct terrazzo_context {
    explicit terrazzo_context(terrazzo_instance& i) : instance(i) { i.add_ref(); }
    void add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
    void release();

    terrazzo_instance& instance;
    std::unique_ptr<terrazzo::st::Context> gl;
    terrazzo::pipe::Format depth_stencil_format = terrazzo::pipe::Format::None;
    uint8_t depth_bits = 0, stencil_bits = 0;
    terrazzo::pipe::Ref<terrazzo::embed::TargetDrawable> drawable;  // null: no target
    terrazzo_target target{};
    /// The thread that has it current (an address in the thread's storage); null: none.
    std::atomic<const void*> owner{nullptr};

  private:
    ~terrazzo_context();
    std::atomic<uint32_t> count_{1};
};
