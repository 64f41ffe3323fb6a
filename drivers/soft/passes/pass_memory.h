// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where resources' bytes come from, and the arena of a pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace terrazzo::soft {

/// Zeroed memory, 64-byte aligned, of `upstream`; where that is null, large blocks are pages that cost nothing
/// until touched. Thread-safe as upstream is.
class ZeroedMemory final : public std::pmr::memory_resource {
  public:
    explicit ZeroedMemory(std::pmr::memory_resource* upstream = nullptr) : upstream_(upstream) {}

  private:
    void* do_allocate(size_t bytes, size_t alignment) override;
    void do_deallocate(void* p, size_t bytes, size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource& o) const noexcept override { return this == &o; }
    std::pmr::memory_resource* const upstream_;
};

/// Bump allocation for what a pass records; everything is freed at once. Throws std::bad_alloc.
class Arena {
  public:
    explicit Arena(std::pmr::memory_resource* memory) : memory_(memory) {}
    ~Arena();
    Arena(Arena&& o) noexcept : memory_(o.memory_) { swap(o); }
    Arena& operator=(Arena&& o) noexcept {
        swap(o);
        return *this;
    }

    [[nodiscard]] void* allocate(size_t bytes) {
        bytes = (bytes + kAlign - 1) & ~(kAlign - 1);
        if (bytes > size_t(end_ - at_)) next_chunk(bytes);
        void* p = at_;
        at_ += bytes;
        used_ += bytes;
        return p;
    }
    /// Of what allocate() gave last, all from `end` on was not needed.
    void give_back(std::byte* end) {
        end += (kAlign - reinterpret_cast<uintptr_t>(end) % kAlign) % kAlign;
        used_ -= size_t(at_ - end);
        at_ = end;
    }
    template <class T>
    [[nodiscard]] T* make() {
        static_assert(alignof(T) <= kAlign);
        return new (allocate(sizeof(T))) T();
    }
    /// Forgets all. Keeps chunks for what comes next: as many as were in use lately. That number falls slowly, since pages cost
    /// more to come by than to keep.
    void reset();
    [[nodiscard]] size_t used_B() const { return used_; }
    [[nodiscard]] size_t held_B() const;

  private:
    static constexpr size_t kAlign = 32, kChunk_B = 256 * 1024;
    static constexpr uint32_t kResetsPerFall = 32;
    struct Chunk {
        std::byte* data;
        size_t size_B;
    };
    void next_chunk(size_t bytes);
    void swap(Arena& o) noexcept;

    std::pmr::memory_resource* memory_;
    std::vector<Chunk> chunks_;
    size_t current_ = 0;   // chunks in use
    size_t lately_ = 0;    // what current_ was, falling
    uint32_t resets_ = 0;  // that used less, since
    std::byte *at_ = nullptr, *end_ = nullptr;
    size_t used_ = 0;
};

}  // namespace terrazzo::soft
