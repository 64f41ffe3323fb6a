// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The memory of a recording that runs repeatedly. Before each stream the words that the host wrote are
// applied; the replay itself writes what the GPU wrote.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "drivers/common/window/window.h"
#include "tests/common/mutation/recording.h"

namespace terrazzo::test {

class RecordedMemory {
  public:
    /// `more`: memory that the recording lacks. The caller owns the recording.
    RecordedMemory(Recording& recording, const std::vector<Range>& more);
    ~RecordedMemory();
    RecordedMemory(const RecordedMemory&) = delete;

    window::Mapping find(uint64_t va) const;
    /// The 64 bits at an address. Null if there is no memory.
    uint64_t* word(uint64_t va) const;
    /// Sets all memory to zero.
    void begin_run();
    /// Applies the words that the host wrote before the stream. In the first run the recording still contains
    /// the GPU's writes. They are removed from it: words that memory already has, and words for which
    /// `not_hosts` is true.
    void apply(Submission& s, const std::function<bool(uint64_t va)>& not_hosts);
    /// Called when the first run has ended without an error.
    void end_first_run() { pure_ = true; }
    /// A digest of all bytes.
    uint64_t digest() const;

  private:
    class Pages;
    std::vector<std::unique_ptr<Pages>> pages_;
    bool pure_ = false;
};

}  // namespace terrazzo::test
