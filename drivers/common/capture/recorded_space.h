// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The memory of a recording for a virtual GPU that replays it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "drivers/common/window/window.h"

namespace terrazzo::capture {

/// Buffers of a recording, and zeros where it has none: the kernel only records buffers that the program
/// marked. Pages that are never written cost nothing. find() may be called by any thread; other methods must
/// not run concurrently.
class RecordedSpace final : public window::Space {
  public:
    window::Mapping find(uint64_t va) override;
    /// The mapping without zeros.
    window::Mapping recorded(uint64_t va);
    uint64_t epoch() const override { return epoch_; }

    /// Adds memory: its contents stay, or are zero if it is new. False: it is too large or wraps around.
    [[nodiscard]] bool map(uint64_t va, uint64_t size_B);
    [[nodiscard]] bool put(uint64_t va, std::span<const uint8_t> bytes);
    /// The same with zeros.
    [[nodiscard]] bool put_zeros(uint64_t va, uint64_t size_B);
    /// Whether the recording has this address.
    bool has_contents(uint64_t va) const;
    bool fills_gaps = false;

  private:
    window::Mapping missing(uint64_t va);
    uint8_t* place(uint64_t va, uint64_t size_B);

    struct Free {
        void operator()(uint8_t* p) const { std::free(p); }
    };
    struct Block {
        std::unique_ptr<uint8_t, Free> bytes;
        uint64_t size_B;
    };
    std::mutex mutex_;
    std::map<uint64_t, Block> blocks_;
    std::map<uint64_t, uint64_t> contents_;  // of buffers: begin -> end
    uint64_t total_B_ = 0;
    std::atomic<uint64_t> epoch_{0};
};

}  // namespace terrazzo::capture
