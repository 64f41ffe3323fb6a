// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Atomic operations, ranges of stores, and where decoding stops.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "drivers/common/core/atomic.h"
#include "drivers/common/core/fault.h"
#include "drivers/common/core/program_cache.h"
#include "drivers/common/core/stored_range.h"

using namespace terrazzo;
using core::AtomicOp;

namespace {

constexpr uint64_t kAt = 0x10000;

class Memory final : public window::Space {
  public:
    window::Mapping find(uint64_t va) override {
        if (va < kAt || va >= kAt + sizeof(words)) return {};
        return {kAt, kAt + sizeof(words), reinterpret_cast<uint8_t*>(words), true, true};
    }
    uint64_t epoch() const override { return 1; }
    void stored(uint64_t va, uint64_t size_B) override { ranges.push_back({va, size_B}); }
    struct Range {
        uint64_t va, size_B;
        bool operator==(const Range&) const = default;
    };
    std::vector<Range> ranges;
    alignas(8) uint64_t words[16] = {};
};

// A word is an instruction if it is below 100; from 50 on it jumps by (word - 60); 7 ends.
struct Step {
    uint64_t word = 0;
    bool is_target = false;
};
struct Rules {
    static Step make_step(uint64_t word, std::string* reason) {
        if (word >= 100) *reason = "unknown";
        return {word, false};
    }
    static bool is_known(const Step& s) { return s.word < 100; }
    static int64_t target_of(const Step& s, int64_t at) {
        return s.word >= 50 ? at + int64_t(s.word) - 60 : -1;
    }
    static bool ends(const Step& s) { return s.word == 7; }
    static bool is_padding(uint64_t word) { return word == 0; }
};
core::WordProgram<Step> decoded(const std::vector<uint64_t>& words, uint32_t limit = 16) {
    Memory space;
    std::copy(words.begin(), words.end(), space.words);
    window::Window memory(space);
    core::WordProgram<Step> p;
    p.va = kAt;
    core::decode_words<Rules>(memory, limit, &p);
    return p;
}

}  // namespace

TEST_CASE("core: the results of atomic operations") {
    struct Case {
        AtomicOp op;
        uint32_t result;
        uint64_t wide;
    };
    constexpr uint32_t kOld = 0xfffffff0, kOperand = 0x18;
    constexpr uint64_t kWideOld = 0xfffffffffffffff0, kWideOperand = 0x100000018;
    for (const Case& c : std::initializer_list<Case>{
             {AtomicOp::Add, 8, 0x100000008},
             {AtomicOp::Sub, 0xffffffd8, 0xfffffffeffffffd8},
             {AtomicOp::Exchange, kOperand, kWideOperand},
             {AtomicOp::CompareExchange, kOld, kWideOld},
             {AtomicOp::MinSigned, kOld, kWideOld},
             {AtomicOp::MaxSigned, kOperand, kWideOperand},
             {AtomicOp::MinUnsigned, kOperand, kWideOperand},
             {AtomicOp::MaxUnsigned, kOld, kWideOld},
             {AtomicOp::And, 0x10, 0x100000010},
             {AtomicOp::Or, 0xfffffff8, 0xfffffffffffffff8},
             {AtomicOp::Xor, 0xffffffe8, 0xfffffffeffffffe8},
         }) {
        CAPTURE(int(c.op));
        Memory space;
        window::Window memory(space);
        window::AccessFault fault;
        std::memcpy(space.words, &kOld, 4);
        space.words[1] = kWideOld;
        uint32_t old = 0;
        uint64_t wide_old = 0;
        REQUIRE(core::update<uint32_t>(memory, kAt, c.op, kOperand, 1, &old, &fault));
        REQUIRE(core::update<uint64_t>(memory, kAt + 8, c.op, kWideOperand, 1, &wide_old, &fault));
        CHECK(old == kOld);
        CHECK(wide_old == kWideOld);
        CHECK(space.words[0] == c.result);  // and the next word did not change
        CHECK(space.words[1] == c.wide);
    }
    CHECK(core::updated<uint32_t>(AtomicOp::CompareExchange, 5, 9, 5) == 9);
}

TEST_CASE("core: atomic operations on unmapped memory and on unaligned addresses") {
    Memory space;
    window::Window memory(space);
    window::AccessFault fault;
    uint64_t old = 0;
    CHECK_FALSE(core::update<uint64_t>(memory, kAt + 4, AtomicOp::Add, 1, 0, &old, &fault));
    CHECK(fault.mapped);
    CHECK(fault.va == kAt + 4);
    CHECK_FALSE(core::update<uint64_t>(memory, kAt - 8, AtomicOp::Add, 1, 0, &old, &fault));
    CHECK_FALSE(fault.mapped);
    CHECK(space.words[0] == 0);
}

TEST_CASE("core: ranges of stores") {
    using Joins = core::StoredRange::Joins;
    const auto ranges = [](Joins joins) {
        Memory space;
        {
            core::StoredRange stored(space, joins);
            stored.add(0x1000, 4), stored.add(0x1004, 4), stored.add(0x1010, 4), stored.add(0x2000, 4);
        }
        return space.ranges;
    };
    CHECK(ranges(Joins::Adjacent) == std::vector<Memory::Range>{{0x1000, 8}, {0x1010, 4}, {0x2000, 4}});
    CHECK(ranges(Joins::Page) == std::vector<Memory::Range>{{0x1000, 0x14}, {0x2000, 4}});
}

TEST_CASE("core: where decoding stops") {
    CHECK(decoded({1, 2, 7, 3}).steps.size() == 3);
    // A jump over the end: decoding continues to the next end.
    const auto jumps = decoded({62, 7, 3, 7, 4});
    REQUIRE(jumps.steps.size() == 4);
    CHECK(jumps.steps[2].is_target);
    CHECK_FALSE(jumps.steps[3].is_target);
    // The second invalid word in a row; padding; the limit; the end of the memory.
    CHECK(decoded({1, 200, 2, 200, 200, 3}).steps.size() == 5);
    CHECK(decoded({1, 200, 2, 200, 200, 3}).reasons[1] == "unknown");
    CHECK(decoded({1, 0, 2}).steps.size() == 2);
    CHECK(decoded(std::vector<uint64_t>(16, 1), 3).steps.size() == 3);
    CHECK(decoded(std::vector<uint64_t>(16, 1), 99).steps.size() == 16);
    // Jumps out of the program mark no instruction.
    const auto leaves = decoded({50, 95, 7});
    REQUIRE(leaves.steps.size() == 4);
    for (const Step& s : leaves.steps)
        CHECK_FALSE(s.is_target);
}

TEST_CASE("core: the text of a fault") {
    core::CoreFault fault;
    fault.pc = 0x1018;
    fault.reason = "r0 was never written";
    fault.lane = 3;
    CHECK(core::to_string(fault, 0x1000) == "shader 0x1000+0x18, lane 3: r0 was never written");
    fault.instruction = "nop";
    CHECK(core::to_string(fault, 0x1000) == "shader 0x1000+0x18, lane 3: r0 was never written (nop)");
}
