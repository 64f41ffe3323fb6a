// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory of a recording, as a virtual GPU sees it that runs what was recorded.
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

/// Buffers of a recording, and zeros where it lacks some: the kernel records what a program marked for it
/// alone. Pages that nobody writes cost nothing. find() may be called by any thread; the rest is not for
/// concurrent use.
class RecordedSpace final : public window::Space {
  public:
    window::Mapping find(uint64_t va) override;
    /// Without zeros.
    window::Mapping recorded(uint64_t va);
    uint64_t epoch() const override { return epoch_; }

    /// Memory is there from now on: what it held, or zeros. False: too much of it, or it wraps around.
    [[nodiscard]] bool map(uint64_t va, uint64_t size_B);
    [[nodiscard]] bool put(uint64_t va, std::span<const uint8_t> bytes);
    /// The same with zeros.
    [[nodiscard]] bool put_zeros(uint64_t va, uint64_t size_B);
    /// Whether the recording has what is there.
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
    std::map<uint64_t, uint64_t> contents_;  // of buffers: where they begin and end
    uint64_t total_B_ = 0;
    std::atomic<uint64_t> epoch_{0};
};

}  // namespace terrazzo::capture
