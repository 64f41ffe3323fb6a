// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Atomic operations, ranges of stores, and where decoding stops.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "drivers/common/core/atomic.h"
#include "drivers/common/core/fault.h"
#include "drivers/common/core/lane_memory.h"
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

TEST_CASE("core: loads and stores of any size and alignment") {
    Memory space;
    window::Window memory(space);
    auto* const bytes = reinterpret_cast<uint8_t*>(space.words);
    for (const unsigned size_B : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u})
        for (unsigned at = 0; at < 8; ++at) {
            CAPTURE(size_B);
            CAPTURE(at);
            for (unsigned i = 0; i < sizeof(space.words); ++i)
                bytes[i] = uint8_t(i * 7);
            const uint32_t data[4] = {0x04030201, 0x08070605, 0x0c0b0a09, 0x100f0e0d};
            uint32_t loaded[4] = {~0u, ~0u, ~0u, ~0u};
            REQUIRE(memory.load(kAt + at, loaded, size_B));
            CHECK(std::memcmp(loaded, bytes + at, size_B) == 0);
            CHECK((size_B == 16 || reinterpret_cast<uint8_t*>(loaded)[size_B] == 0xff));
            REQUIRE(memory.store(kAt + at, data, size_B));
            for (unsigned i = 0; i < 32; ++i)
                CHECK(bytes[i] == (i - at < size_B ? uint8_t(i - at + 1) : uint8_t(i * 7)));
        }
    uint32_t v[4] = {};
    CHECK_FALSE(memory.load(kAt + sizeof(space.words) - 4, v, 8));
    CHECK_FALSE(memory.store(kAt + sizeof(space.words), v, 4));
}

TEST_CASE("core: lanes load and store elements, and the first refused lane is named") {
    using core::Direction;
    Memory space;
    window::Window memory(space);
    auto* const bytes = reinterpret_cast<uint8_t*>(space.words);
    for (unsigned i = 0; i < sizeof(space.words); ++i)
        bytes[i] = uint8_t(i);
    uint64_t va[wave::kLanes];
    for (unsigned n = 0; n < wave::kLanes; ++n)
        va[n] = kAt + 8 * (wave::kLanes - 1 - n);
    for (unsigned round = 0; round < 2; ++round) {  // without and with a mapping that was used before
        wave::U32 v[4] = {};
        REQUIRE(core::move_lanes<Direction::Load>(memory, va, 0x8001, {v, 2, 4, 2}) == -1);
        CHECK(uint32_t(v[0][0]) == 0x7978);
        CHECK(uint32_t(v[2][0]) == 0x7b7a);
        CHECK(uint32_t(v[2][15]) == 0x0302);
        CHECK(uint32_t(v[0][1]) == 0);
    }
    wave::U32 words[2] = {wave::splat(0xaabbccdd), wave::splat(0x11223344)};
    REQUIRE(core::move_lanes<Direction::Store>(memory, va, 0x4000, {words, 1, 6, 4}) == -1);
    CHECK(space.words[1] == 0x0f0e3344aabbccdd);
    CHECK(space.words[2] == 0x1716151413121110);
    CHECK(core::move_lanes<Direction::Load>(memory, va, 0, {words, 1, 4, 4}) == -1);
    va[3] = kAt + sizeof(space.words);
    CHECK(core::move_lanes<Direction::Load>(memory, va, 0xffff, {words, 1, 4, 4}) == 3);
    CHECK(memory.fault().va == va[3]);
    CHECK(core::move_lanes<Direction::Store>(memory, va, 0xfff0, {words, 1, 4, 4}) == -1);
}

TEST_CASE("core: a lane whose access wraps around is refused, also if address 0 is mapped") {
    struct Low final : window::Space {
        window::Mapping find(uint64_t va) override {
            if (va >= 64) return {};
            return {0, 64, reinterpret_cast<uint8_t*>(words + 2), true, true};
        }
        uint64_t epoch() const override { return 1; }
        void stored(uint64_t, uint64_t) override {}
        alignas(16) uint64_t words[10] = {1, 2};
    } space;
    window::Window memory(space);
    uint32_t word = 0;
    REQUIRE(memory.load(0, &word, 4));  // now the mapping is known
    uint64_t va[wave::kLanes] = {0, ~uint64_t(3)};
    wave::U32 v[2] = {};
    CHECK(core::move_lanes<core::Direction::Load>(memory, va, 3, {v, 1, 8, 4}) == 1);
    CHECK(core::move_lanes<core::Direction::Store>(memory, va, 3, {v, 1, 8, 4}) == 1);
    CHECK((space.words[0] == 1 && space.words[1] == 2));
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
