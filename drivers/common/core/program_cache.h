// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decoded programs by address, for vendors whose instructions are words of 64 bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "drivers/common/window/window.h"

namespace terrazzo::core {

/// Program: `words` is a std::vector<uint64_t> with the code in memory that it was decoded from. kDecode
/// decodes up to kMostInstructions from an address; it never returns null.
///
/// A program is decoded again when its words in memory have changed: each find() compares them, or, for
/// callers of begin_job(), the first find() of a job. Not thread-safe.
template <class Program,
          std::shared_ptr<const Program> (*kDecode)(window::Window&, uint64_t va, uint32_t limit),
          uint32_t kMostInstructions>
class ProgramCache {
  public:
    /// The result is valid until the next call.
    const std::shared_ptr<const Program>& find(window::Window& memory, uint64_t va) {
        if (programs_.size() > kMostPrograms) programs_.clear();
        Entry& e = programs_[va];
        if (e.program && job_ && e.job == job_) return e.program;
        memory.space().run_code(va);
        if (!e.program || !is_unchanged(memory, va, *e.program))
            e.program = kDecode(memory, va, kMostInstructions);
        e.job = job_;
        return e.program;
    }
    void begin_job() { ++job_; }

  private:
    static constexpr size_t kMostPrograms = 1024;
    struct Entry {
        std::shared_ptr<const Program> program;
        uint64_t job = 0;  // the last job that compared the words
    };
    static bool is_unchanged(window::Window& memory, uint64_t va, const Program& program) {
        const uint64_t size_B = sizeof(uint64_t) * program.words.size();
        const uint8_t* const bytes = size_B ? memory.at(va, size_B, window::Access::Execute) : nullptr;
        return bytes && std::memcmp(bytes, program.words.data(), size_B) == 0;
    }

    std::unordered_map<uint64_t, Entry> programs_;
    uint64_t job_ = 0;
};

}  // namespace terrazzo::core
