// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A vendor that does not exist, to test drivers/common/backend. It has eight registers r0..r7. The lower four
// are also eight halves: h0 and h1 are r0. An instruction is
//     OPERATION writes <- reads #number -> blockN
// Runs of words are written %4*2. "call" overwrites r0 and r1. "tex" writes its result while it still reads.
// No instruction may pass "fence". Loads may be reordered, stores may not.
#pragma once

#include <doctest/doctest.h>

#include <memory_resource>

#include "tests/common/backend/code_text.h"

namespace terrazzo::backend::testing {

enum ToyFlag : unsigned {
    kEffect = 1,
    kEarly = 2,
    kFence = 4,
    kBranch = 8,
    kAlways = 16,
    kMove = 32,
    kCall = 64,
    kConstant = 128,  // reads nothing that can change
    kMemory = 256,
    kComputes = 512,
};
struct ToyOp {
    const char* name;
    unsigned flags, latency_clk;
};
inline constexpr ToyOp kToyOps[] = {
    {"add", kComputes, 2},
    {"less", kComputes, 2},
    {"mov", kMove, 2},
    {"const", kConstant | kComputes, 2},
    {"widen", kComputes, 2},
    {"tex", kEarly | kComputes, 20},
    {"load", kMemory, 10},
    {"store", kEffect | kMemory, 1},
    {"reload", 0, 10},
    {"spill", kEffect, 1},
    {"fence", kEffect | kFence, 1},
    {"call", kEffect | kFence | kCall, 1},
    {"branch", kEffect | kFence | kBranch, 1},
    {"jump", kEffect | kFence | kBranch | kAlways, 1},
    // For a machine with a stack of execution masks (toy_selector.h).
    {"input", kConstant, 2},
    {"if", kEffect | kFence, 1},
    {"else", kEffect | kFence, 1},
    {"loop", kEffect | kFence, 1},
    {"leave", kEffect | kFence, 1},
    {"resume", kEffect | kFence, 1},
    {"pop", kEffect | kFence, 1},
    {"any", kEffect | kFence | kBranch, 1},
};

inline const ToyOp* find_toy_op(std::string_view name) {
    for (const ToyOp& op : kToyOps)
        if (name == op.name) return &op;
    return nullptr;
}

struct ToyRun {
    Word word = kNoWord;
    uint32_t count = 0;
};
struct ToyInst {
    const ToyOp* op = nullptr;
    ToyRun write, read[3];
    unsigned reads = 0;
    uint32_t number = 0;
    int32_t target = -1;
    [[nodiscard]] bool is(unsigned flag) const { return op->flags & flag; }
};

struct ToyCode;

/// Counts how often passes asked what an instruction reads.
inline uint64_t toy_steps = 0;

struct Toy {
    using Inst = ToyInst;
    using Code = ToyCode;
    static constexpr uint32_t kUnits = 16;
    static constexpr RegisterClass kClasses[] = {{"r", 2, 2, 16}, {"h", 1, 1, 8}};
    static constexpr FixedUnits kFixed{Unit(0), Unit(16), 0};

    template <typename F>
    static void for_each_read(const Inst& i, const F& f) {
        toy_steps++;
        for (unsigned n = 0; n < i.reads; n++)
            f(i.read[n].word, i.read[n].count);
    }
    template <typename F>
    static void for_each_write(const Inst& i, const F& f) {
        if (i.write.count) f(i.write.word, i.write.count);
    }
    /// A call overwrites the first words of ToyCode.
    template <typename F>
    static void for_each_clobber(const Inst& i, const F& f) {
        if (i.is(kCall)) f(Word(0), 2u);
    }
    template <typename R, typename W>
    static void rewrite_words(Inst& i, const R& read, const W& write) {
        for (unsigned n = 0; n < i.reads; n++)
            i.read[n].word = read(i.read[n].word, i.read[n].count);
        if (i.write.count) i.write.word = write(i.write.word, i.write.count);
    }
    static bool has_effect(const Inst& i) { return i.is(kEffect); }
    static bool writes_early(const Inst& i) { return i.is(kEarly); }
    static bool is_move(const Inst& i) { return i.is(kMove); }
    static Word move_dest(const Inst& i) { return i.write.word; }
    static Word move_source(const Inst& i) { return i.read[0].word; }
    static Inst make_move(const Code&, Word to, Word from) {
        Inst i;
        i.op = find_toy_op("mov");
        i.write = {to, 1};
        i.read[i.reads++] = {from, 1};
        return i;
    }
    static bool is_branch(const Inst& i) { return i.is(kBranch); }
    static bool branches_always(const Inst& i) { return i.is(kAlways); }
    static int32_t branch_target(const Inst& i) { return i.target; }

    static bool writes_whole(const Inst&, Word) { return true; }
    template <typename F>
    static void for_each_hidden_read(const Inst&, const F&) {}

    /// Stores stay in order. Loads do not pass stores.
    struct Order {
        explicit Order(std::pmr::memory_resource*) {}
        void begin() {}
        template <typename F>
        void add(const Inst* insts, uint32_t n, const F& edge) {
            for (uint32_t k = 0; k < n && insts[n].is(kMemory); k++)
                if (insts[k].is(kMemory) && (insts[k].is(kEffect) || insts[n].is(kEffect))) edge(k, 1u);
        }
    };
    static bool is_fence(const Inst& i) { return i.is(kFence); }
    static unsigned issue_clk(const Inst&) { return 1; }
    static unsigned latency_clk(const Inst& i) { return i.op->latency_clk; }
    /// A store reads a result earlier than other instructions.
    static unsigned latency_clk(const Inst& from, const Inst& to) {
        return to.is(kEffect) ? 1 : from.op->latency_clk;
    }
    static void finish_block(std::pmr::vector<Inst>&) {}

    class SpillHome;
    static constexpr size_t kSpillsAtOnce = 1;
    static constexpr uint32_t kAccessUnits = 0;
    static bool is_repeatable(const Inst& i) { return i.is(kConstant); }
    static bool has_room(const Code& f);

    static constexpr uint32_t kShareWithin = 3;
    static bool is_computed(const Inst& i) { return i.is(kComputes); }
    static uint64_t hash_operation(const Inst& i) { return uint64_t(i.op->name[0]) << 32 | i.number; }
    static bool is_same_operation(const Inst& a, const Inst& b) {
        return a.op == b.op && a.number == b.number;
    }

    static const char* name(const Inst& i) { return i.op->name; }
};

struct ToyCode : Function<Toy> {
    using Function<Toy>::Function;
    uint32_t slots = 0, max_slots = 64;
};

inline bool Toy::has_room(const Code& f) {
    return f.slots < f.max_slots;
}

/// Each slot has one word. "spill" and "reload" have the number of the slot.
class Toy::SpillHome {
  public:
    SpillHome(Code& f, const Node& node) : slot_(f.slots + 1) { f.slots += node.count; }
    void access(bool store, Word temporary, uint32_t index, uint32_t count, std::pmr::vector<Inst>& out) {
        for (uint32_t k = 0; k < count; k++) {
            Inst i;
            i.op = find_toy_op(store ? "spill" : "reload");
            i.number = slot_ + index + k;
            i.reads = store;
            (store ? i.read[0] : i.write) = ToyRun{temporary + k, 1};
            out.push_back(i);
        }
    }

  private:
    const uint32_t slot_;
};

inline void print_inst(const ToyCode& f, const ToyInst& i, std::string* out) {
    const auto run = [&](const char* before, const ToyRun& r) {
        *out += before + name_of(f, r.word);
        if (r.count > 1) *out += "*" + std::to_string(r.count);
    };
    *out += i.op->name;
    if (i.write.count) run(" ", i.write);
    for (unsigned n = 0; n < i.reads; n++)
        run(n ? ", " : " <- ", i.read[n]);
    if (i.number) *out += " #" + std::to_string(i.number);
    if (i.target >= 0) *out += " -> block" + std::to_string(i.target);
}

inline bool parse_inst(ToyCode& f, std::string_view line, ToyInst* out, std::string* why) {
    const std::string_view name = line.substr(0, line.find(' '));
    out->op = find_toy_op(name);
    if (!out->op) return *why = "no operation", false;
    line.remove_prefix(name.size());
    const auto run = [&](ToyRun* r) {
        r->count = 1;
        return take_word(f, &line, &r->word) && (!take_prefix(&line, "*") || take_number(&line, &r->count));
    };
    const std::string_view rest = line;
    if (!take_prefix(&line, " ") || !run(&out->write)) {
        line = rest;
        out->write = {};
    }
    for (bool more = take_prefix(&line, " <- "); more; more = take_prefix(&line, ", "))
        if (out->reads == 3 || !run(&out->read[out->reads++])) return *why = "no word", false;
    uint32_t target = 0;
    if (take_prefix(&line, " #") && !take_number(&line, &out->number)) return *why = "no number", false;
    if (take_prefix(&line, " -> block")) {
        if (!take_number(&line, &target)) return *why = "no block", false;
        out->target = int32_t(target);
    }
    if (out->is(kBranch) != (out->target >= 0) || !line.empty())
        return *why = "too much or too little", false;
    return true;
}

/// A function parsed from text.
struct Parsed {
    explicit Parsed(std::string_view text) {
        const bool good = parse<Toy>(text, &f, &why);
        INFO(why);
        REQUIRE(good);
    }
    [[nodiscard]] std::string text() const { return print<Toy>(f); }
    std::string why;
    std::pmr::monotonic_buffer_resource arena;
    ToyCode f{&arena};
};

}  // namespace terrazzo::backend::testing
