// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The cost of passes. Four times as much code needs about four times as many steps, for any number of blocks
// and words. Steps are the instructions that passes read; so no clock and no other process disturbs the
// count.
#include "drivers/common/backend/allocate.h"
#include "drivers/common/backend/ready_queue.h"
#include "drivers/common/backend/schedule.h"
#include "drivers/common/backend/spill.h"
#include "drivers/common/backend/value_numbering.h"
#include "tests/common/backend/toy.h"

using namespace terrazzo::backend;
using namespace terrazzo::backend::testing;

namespace {

/// Memory that counts its allocations: memory proportional to blocks times words would be noticed, too.
class CountingMemory final : public std::pmr::memory_resource {
  public:
    uint64_t bytes = 0;

  private:
    void* do_allocate(size_t size, size_t align) override {
        bytes += size;
        return arena_.allocate(size, align);
    }
    void do_deallocate(void*, size_t, size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
    std::pmr::monotonic_buffer_resource arena_;
};

ToyInst inst(const char* op, Word write, std::initializer_list<Word> reads = {}, int32_t target = -1) {
    ToyInst i;
    i.op = find_toy_op(op);
    if (write != kNoWord) i.write = {write, 1};
    for (const Word r : reads)
        i.read[i.reads++] = {r, 1};
    i.target = target;
    return i;
}

/// A ladder of ifs. Each block adds to one of `live` words, which are live through all blocks, and has some
/// words of its own.
void ladder(ToyCode& f, unsigned blocks, unsigned live) {
    std::vector<Word> words;
    f.blocks.emplace_back(f.memory);
    for (unsigned k = 0; k < live; k++) {
        words.push_back(f.add_node(1));
        f.blocks[0].insts.push_back(inst("load", words[k], {Word(0)}));
    }
    for (unsigned b = 0; b < blocks; b++) {
        f.blocks[f.blocks.size() - 1].insts.push_back(
            inst("branch", kNoWord, {words[b % live]}, int32_t(f.blocks.size() + 1)));
        f.blocks.emplace_back(f.memory);
        auto& insts = f.blocks.back().insts;
        const Word a = f.add_node(1), c = f.add_node(1), d = f.add_node(1);
        insts.push_back(inst("load", a, {Word(0)}));
        insts.push_back(inst("add", c, {a, words[(b + 1) % live]}));
        insts.push_back(inst("add", d, {c, a}));
        insts.push_back(inst("add", words[b % live], {words[b % live], c}));
        f.blocks.emplace_back(f.memory);
    }
    for (const Word w : words)
        f.blocks.back().insts.push_back(inst("store", kNoWord, {w}));
    f.link();
}

struct Cost {
    uint64_t steps = 0, bytes = 0;
};

template <typename F>
Cost cost(unsigned blocks, unsigned live, const F& pass) {
    CountingMemory memory;
    ToyCode f(&memory);
    f.max_slots = 1 << 20;
    ladder(f, blocks, live);
    memory.bytes = 0;
    toy_steps = 0;
    pass(f);
    CHECK(f.error == "");
    return {toy_steps, memory.bytes};
}

/// For four times as much code at most five times the work is allowed.
template <typename F>
void check_linear(const char* name, unsigned live, const F& pass) {
    CAPTURE(name);
    const Cost few = cost(500, live, pass), many = cost(2000, live, pass);
    CAPTURE(few.steps);
    CAPTURE(many.steps);
    CHECK(few.steps > 500);
    CHECK(many.steps <= 5 * few.steps);
    CAPTURE(few.bytes);
    CAPTURE(many.bytes);
    CHECK(many.bytes <= 6 * few.bytes + 4096);
    // A budget of steps for each instruction, for any pass. The ladder has about five instructions in a
    // block.
    CHECK(many.steps <= 5 * 2000 * 400);
}

}  // namespace

TEST_CASE("backend work: passes are linear in the code") {
    check_linear("dead code", 4, [](ToyCode& f) { remove_dead(f); });
    check_linear("value numbering", 4, [](ToyCode& f) { number_values<Toy>(f); });
    check_linear("liveness", 4, [](ToyCode& f) { CHECK(live_ranges(f).size() == f.words()); });
    check_linear("scheduling", 4, [](ToyCode& f) { schedule<Toy>(f, {12, 12}); });
    const UnitSet<Toy> limits[] = {0xffff};
    const auto with_spills = [&](ToyCode& f) {
        CHECK(allocate<Toy>(f, limits, [&](uint32_t place, const UnitSet<Toy>& limit, uint32_t room) {
                  return spill<Toy>(f, place, limit, room);
              }) == 0);
    };
    check_linear("allocation", 3, with_spills);
    // 24 words are always live, more than eight registers can hold.
    check_linear("allocation with spills", 24, with_spills);
}

TEST_CASE("backend work: a chain of dead code is removed in a few rounds") {
    // Each word is read only by the next one, which is in another block. The last one is not read.
    CountingMemory memory;
    ToyCode f(&memory);
    constexpr unsigned kBlocks = 1000;
    Word last{0};
    for (unsigned b = 0; b < kBlocks; b++) {
        f.blocks.emplace_back(f.memory);
        const Word word = f.add_node(1);
        f.blocks.back().insts.push_back(inst("add", word, {last}));
        f.blocks.back().insts.push_back(inst("branch", kNoWord, {Word(2)}, int32_t(b + 1)));
        last = word;
    }
    f.blocks.emplace_back(f.memory);
    f.link();
    toy_steps = 0;
    remove_dead(f);
    CHECK(toy_steps < 100 * kBlocks);
    for (unsigned b = 0; b < kBlocks; b++)
        CHECK(f.blocks[b].insts.size() == 1);
}

TEST_CASE("backend spilling: only words that exceed the registers are spilled") {
    CountingMemory memory;
    ToyCode f(&memory);
    ladder(f, 50, 12);
    const UnitSet<Toy> limits[] = {0xffff};
    unsigned rounds = 0;
    CHECK(allocate<Toy>(f, limits, [&](uint32_t place, const UnitSet<Toy>& limit, uint32_t room) {
              rounds++;
              return spill<Toy>(f, place, limit, room);
          }) == 0);
    // Eight registers for twelve words, r0, and the words that a block computes with.
    CHECK(rounds <= 3);
    CHECK(f.spilled_words >= 5);
    CHECK(f.spilled_words <= 9);
}

TEST_CASE(
    "backend ready queue: first what fits, then by earliest start, then by longest path, then by order") {
    std::pmr::monotonic_buffer_resource memory;
    ReadyQueue q(&memory);
    q.begin(6);
    q.add(0, 0, 10, 2);
    q.add(1, 0, 20, 2);
    q.add(2, 0, 20, 2);
    q.add(3, 5, 90, -1);
    // With enough room: the longest path of those that can start; between equal ones, the first.
    CHECK(q.take(0, {.most = 4}).step == 1);
    // Without room: one that does not increase the need, though it starts later.
    const ReadyQueue::Choice later = q.take(1, {.most = 1});
    CHECK(later.step == 3);
    CHECK(later.start_clk == 5);
    // If none fits: the one with the least increase.
    q.change(0, 1);
    CHECK(q.take(6, {.most = 0}).step == 0);
    CHECK(q.has(2));
    q.add(4, 9, 50, 2);
    q.add(5, 8, 5, 2);
    // Those that wait are ordered by their clock, not by their path.
    CHECK(q.take(6, {.most = 4}).step == 2);
    CHECK(q.take(7, {.most = 4}).step == 5);
    CHECK(q.take(9, {.most = 4}).step == 4);
    CHECK(!q.has(4));
}
