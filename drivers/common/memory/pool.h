// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory for what a context records between two submissions: descriptors, uniforms, command streams. Pieces
// are allocated from chunks in order; chunks are reused when the submission that read them has completed. One
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/memory/bo.h"

namespace terrazzo::memory {

class Device;

class Pool {
  public:
    struct Piece {
        uint8_t* cpu = nullptr;
        uint64_t va = 0;
    };
    static constexpr uint32_t kChunk_B = 256 * 1024;
    /// `flags`: bo_flag::* of the chunks, which the CPU must be able to write.
    explicit Pool(pipe::Ref<Device> device, uint32_t chunk_B = kChunk_B, uint32_t flags = 0)
        : device_(std::move(device)), chunk_B_(chunk_B), flags_(flags) {}
    [[nodiscard]] Device& device() const { return *device_; }

    /// `align_B`: a power of two up to 4096. The bytes are undefined. Throws std::bad_alloc.
    [[nodiscard]] Piece allocate(uint32_t size_B, uint32_t align_B) {
        const uint32_t at = (used_B_ + align_B - 1) & ~(align_B - 1);
        if (at + size_B > size_B_) [[unlikely]]
            return allocate_in_new_chunk(size_B);
        used_B_ = at + size_B;
        return {cpu_ + at, va_ + at};
    }
    /// The last piece now ends at `end`: the rest of it is free again, unless something else was allocated
    /// since.
    void trim(const uint8_t* last_end, const uint8_t* end) {
        if (cpu_ && last_end == cpu_ + used_B_ && end >= cpu_) used_B_ = uint32_t(end - cpu_);
    }
    /// Appends all chunks that pieces were allocated from since the last call. The submission owns them and
    /// returns them by recycle(). If it throws std::bad_alloc, nothing has changed.
    void detach_chunks(std::vector<pipe::Ref<Bo>>* out);
    /// Returns chunks of a submission that has ended.
    void recycle(std::vector<pipe::Ref<Bo>>&& chunks);

  private:
    [[nodiscard, gnu::cold]] Piece allocate_in_new_chunk(uint32_t size_B);

    const pipe::Ref<Device> device_;
    const uint32_t chunk_B_, flags_;
    uint8_t* cpu_ = nullptr;
    uint64_t va_ = 0;
    uint32_t used_B_ = 0, size_B_ = 0;
    std::vector<pipe::Ref<Bo>> chunks_;  // in use; one of them has the current free space
    std::vector<pipe::Ref<Bo>> spare_;
};

/// Writes a command stream into pool memory. A vendor's builder derives from this.
class PoolWriter {
  public:
    explicit PoolWriter(Pool& pool) : pool_(pool) {}
    PoolWriter(const PoolWriter&) = delete;
    PoolWriter& operator=(const PoolWriter&) = delete;

  protected:
    Pool& pool_;
};

}  // namespace terrazzo::memory
