// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs by address; and the decoding of programs whose instructions are words of 64 bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "drivers/common/window/window.h"

namespace terrazzo::core {

/// Code from its first instruction to where decoding stopped. Step: a decoded instruction.
template <class Step>
struct WordProgram {
    uint64_t va = 0;
    std::vector<uint64_t> words;
    std::vector<Step> steps;
    std::vector<std::string> reasons;  // why a step must not execute; "" for good ones
};

/// Decodes up to `limit` instructions from program->va. Stops at the program's end that no jump crosses, at
/// the first word that is not mapped, at padding, or at the second invalid word in a row. Invalid words
/// become steps that fault when they are reached. Step::is_target is set for targets of jumps.
///
/// Rules has, for a vendor's instructions:
///     static Step make_step(uint64_t word, std::string* reason);
///     static bool is_known(const Step&);  // false: the word is no instruction
///     static int64_t target_of(const Step&, int64_t at);  // of a jump, in instructions; -1: none
///     static bool ends(const Step&);  // after it, another program's code may follow
///     static bool is_padding(uint64_t word);
template <class Rules, class Program>
void decode_words(window::Window& memory, uint32_t limit, Program* program) {
    bool last_bad = false;
    int64_t reached = 0;  // by jumps
    std::vector<int64_t> targets;
    for (uint32_t i = 0; i < limit; ++i) {
        const uint8_t* const bytes = memory.at(program->va + 8ull * i, 8, window::Access::Execute);
        if (!bytes) break;
        uint64_t word;
        std::memcpy(&word, bytes, 8);
        std::string reason;
        program->steps.push_back(Rules::make_step(word, &reason));
        program->words.push_back(word);
        program->reasons.push_back(std::move(reason));
        const auto& s = program->steps.back();
        const bool known = Rules::is_known(s);
        if (const int64_t target = known ? Rules::target_of(s, i) : -1; target >= 0) {
            targets.push_back(target);
            reached = std::max(reached, target);
        }
        if (known && Rules::ends(s) && int64_t(i) >= reached) break;
        if ((!known && last_bad) || Rules::is_padding(word)) break;
        last_bad = !known;
    }
    for (const int64_t target : targets)
        if (target < int64_t(program->steps.size())) program->steps[size_t(target)].is_target = true;
}

/// Program: `words` is a vector of integers with the code in memory that it was decoded from. kDecode
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
        if (last_ && last_va_ == va && job_ && last_->job == job_) return last_->program;
        if (programs_.size() > kMostPrograms) programs_.clear();
        Entry& e = programs_[va];
        last_ = &e;
        last_va_ = va;
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
        const uint64_t size_B = sizeof(program.words[0]) * program.words.size();
        const uint8_t* const bytes = size_B ? memory.at(va, size_B, window::Access::Execute) : nullptr;
        return bytes && std::memcmp(bytes, program.words.data(), size_B) == 0;
    }

    std::unordered_map<uint64_t, Entry> programs_;
    uint64_t job_ = 0;
    // The entry of the last call: most waves of a job run the same program.
    const Entry* last_ = nullptr;
    uint64_t last_va_ = 0;
};

}  // namespace terrazzo::core
