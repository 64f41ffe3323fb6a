// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which blocks are shared, when they are translated, limits, and threads.
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "drivers/common/core/block_cache.h"

using namespace terrazzo;
using core::BlockCache;
using core::MicroBlock;
using core::MicroBuilder;
using core::MicroOp;
using core::U32;

namespace {

/// r0 = (r0 + number) ^ r1
MicroBlock sum_of(uint32_t number) {
    MicroBlock block;
    MicroBuilder b(&block);
    b.write(0, b.op(MicroOp::Xor, b.op(MicroOp::Add, b.reg(0), b.constant(number)), b.reg(1)));
    return block;
}

struct Lanes {
    U32 rows[2] = {wave::splat(10), wave::splat(0)};
    uint16_t running = 0xffff;
    core::LaneState state() { return {rows, 1, 1, nullptr, &running}; }
};

void run_until_hot(core::BlockCode& code) {
    Lanes lanes;
    for (uint32_t n = 0; n < core::kGroupsBeforeTranslation; ++n)
        code.run(lanes.state());
}

}  // namespace

TEST_CASE("block cache: blocks with the same micro-operations are shared") {
    BlockCache cache;
    const auto a = cache.prepare(sum_of(1)), same = cache.prepare(sum_of(1)),
               other = cache.prepare(sum_of(2));
    CHECK(a == same);
    CHECK(a != other);
    CHECK(cache.block_count() == 2);
    MicroBlock in_rows = sum_of(1);
    in_rows.row_groups = 4;
    CHECK(cache.prepare(in_rows) != a);
}

TEST_CASE("block cache: TERRAZZO_DEBUG=interpret keeps blocks interpreted") {
    // meson.build runs these cases with and without this word.
    const char* const words = std::getenv("TERRAZZO_DEBUG");
    const bool interprets = words && std::strstr(words, "interpret");
    CHECK(core::can_translate() == (!interprets && core::has_translator(core::VectorWidth::Host)));
}

TEST_CASE("block cache: a block that runs often is translated, and computes the same") {
    BlockCache cache;
    const auto code = cache.prepare(sum_of(3));
    Lanes lanes;
    for (uint32_t n = 0; n + 1 < core::kGroupsBeforeTranslation; ++n)
        code->run(lanes.state());
    CHECK_FALSE(code->is_translated());
    code->run(lanes.state());
    CHECK(code->is_translated() == core::can_translate());
    CHECK((cache.code_B() > 0) == core::can_translate());
    code->run(lanes.state());
    CHECK(uint32_t(lanes.rows[0][15]) == 10 + 3 * (core::kGroupsBeforeTranslation + 1));
}

TEST_CASE("block cache: at the limit of code, unused code is released and used code stays") {
    BlockCache cache(1);  // the first translation fills it
    auto first = cache.prepare(sum_of(1));
    run_until_hot(*first);
    const auto second = cache.prepare(sum_of(2));
    run_until_hot(*second);
    CHECK(first->is_translated() == core::can_translate());
    CHECK_FALSE(second->is_translated());
    CHECK(cache.block_count() == 2);
    first.reset();
    const auto third = cache.prepare(sum_of(3));
    run_until_hot(*third);
    if (core::can_translate()) {
        CHECK(third->is_translated());
        CHECK(cache.block_count() == 2);  // the second, which is in use, and the third
    }
}

TEST_CASE("block cache: blocks over the limit run but are not kept") {
    BlockCache cache(core::kMostCode_B, 1);
    const auto a = cache.prepare(sum_of(1)), b = cache.prepare(sum_of(2));
    CHECK(cache.block_count() == 1);
    CHECK(cache.prepare(sum_of(2)) != b);
    Lanes lanes;
    b->run(lanes.state());
    CHECK(uint32_t(lanes.rows[0][0]) == 12);
}

TEST_CASE("block cache: a block may outlive its cache") {
    std::shared_ptr<core::BlockCode> code;
    {
        BlockCache cache;
        code = cache.prepare(sum_of(1));
    }
    run_until_hot(*code);
    Lanes lanes;
    code->run(lanes.state());
    CHECK(uint32_t(lanes.rows[0][0]) == 11);
}

TEST_CASE("block cache: threads share a block") {
    BlockCache cache;
    std::vector<std::thread> threads;
    std::vector<Lanes> lanes(4);
    for (Lanes& mine : lanes)
        threads.emplace_back([&] {
            for (unsigned n = 0; n < 1000; ++n)
                cache.prepare(sum_of(n % 3))->run(mine.state());
        });
    for (std::thread& t : threads)
        t.join();
    for (const Lanes& l : lanes)
        CHECK(uint32_t(l.rows[0][3]) == 10 + 333 * (0 + 1 + 2));
    CHECK(cache.block_count() == 3);
}

TEST_CASE("block cache: a forked child can use the cache and inherited blocks") {
    const auto code = core::block_cache().prepare(sum_of(1));
    run_until_hot(*code);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        Lanes lanes;
        code->run(lanes.state());
        const auto own = core::block_cache().prepare(sum_of(1));
        own->run(lanes.state());
        _exit(own != code && uint32_t(lanes.rows[0][0]) == 12 ? 0 : 1);
    }
    int status = 1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(core::block_cache().prepare(sum_of(1)) == code);
}
