// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory of a recording that runs again and again: what the host wrote before each stream is written there, what the GPU wrote the replay writes itself.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "drivers/common/window/window.h"
#include "tests/common/mutation/recording.h"

namespace terrazzo::test {

class RecordedMemory {
  public:
    /// `more`: memory that the recording lacks. The recording stays the caller's.
    RecordedMemory(Recording& recording, const std::vector<Range>& more);
    ~RecordedMemory();
    RecordedMemory(const RecordedMemory&) = delete;

    window::Mapping find(uint64_t va) const;
    /// The 64 bits around an address; null: no memory is there.
    uint64_t* word(uint64_t va) const;
    /// Everything is zeros.
    void begin_run();
    /// What the host wrote before the stream. In the first run the recording still has what the GPU wrote, too: words that are there already are taken out of
    /// it, and those that `not_hosts` knows.
    void apply(Submission& s, const std::function<bool(uint64_t va)>& not_hosts);
    /// The first run has ended well.
    void end_first_run() { pure_ = true; }
    /// Of all bytes.
    uint64_t digest() const;

  private:
    class Pages;
    std::vector<std::unique_ptr<Pages>> pages_;
    bool pure_ = false;
};

}  // namespace terrazzo::test
