// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The memory of resources, and the arena of a pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace terrazzo::soft {

/// Zeroed memory from `upstream`, aligned to 64 bytes. If `upstream` is null, large blocks are mapped pages,
/// which cost nothing until touched. As thread-safe as `upstream`.
class ZeroedMemory final : public std::pmr::memory_resource {
  public:
    explicit ZeroedMemory(std::pmr::memory_resource* upstream = nullptr) : upstream_(upstream) {}

  private:
    void* do_allocate(size_t bytes, size_t alignment) override;
    void do_deallocate(void* p, size_t bytes, size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource& o) const noexcept override { return this == &o; }
    std::pmr::memory_resource* const upstream_;
};

/// Bump allocation for a pass' recorded data; everything is freed at once. Throws std::bad_alloc.
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
    /// Returns the end of the last allocation, from `end` on.
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
    /// Frees everything. Keeps as many chunks as were in use recently. That number falls slowly, since
    /// allocating pages costs more than keeping them.
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
    size_t lately_ = 0;    // recent maximum of current_, decaying
    uint32_t resets_ = 0;  // resets since then that used less
    std::byte *at_ = nullptr, *end_ = nullptr;
    size_t used_ = 0;
};

}  // namespace terrazzo::soft
