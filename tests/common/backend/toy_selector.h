// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Selection for the toy (toy.h) on two machines that differ only in control flow, and an executor for the
// code of both. On the first machine threads branch: "branch" jumps if the condition is zero. The second
// machine executes all threads in step and has a counter for each: a thread executes while its counter is 0.
// Otherwise the counter is the number of pops that it still sleeps.
//   if <- c      a thread that executes and whose c is zero gets 1; sleeping threads add 1 to their counters
//   else         swaps 0 and 1
//   pop #n       decreases counters by n, to 0 at least
//   loop         sleeping threads add 2 to their counters: one for breaks (the outer), one for continues
//   leave #n     a thread that executes gets n
//   resume       1 becomes 0: threads that continued execute again
//   any          a branch, taken if any thread executes
#pragma once

#include <array>
#include <unordered_map>

#include "drivers/common/backend/branch_regions.h"
#include "tests/common/backend/toy.h"

namespace terrazzo::backend::testing {

struct ToyRef {
    Word index = kNoWord;
    enum class Kind : uint8_t { None, Word } kind = Kind::None;
    bool neg = false, abs = false;
    [[nodiscard]] Word as_word() const { return index; }
    [[nodiscard]] static bool rearranged() { return false; }
};

/// Supports constants, inputs, additions, comparisons and stores of outputs.
template <typename Self, typename Base>
class ToySelector : protected Base {
  public:
    ToySelector(ToyCode& f, const ir::Shader& s) : Base(f, s.value_count()), s_(s) {}
    void run() {
        this->begin_block();
        this->region(s_.body);
    }

  protected:
    friend Base;
    using Base::f_;
    struct Given {
        Word word;
        ToyRef value;
    };
    Word word_of(const ir::Value* v) {
        const auto [it, is_new] = words_.try_emplace(v);
        if (is_new) it->second = f_.add_node(1);
        return it->second;
    }
    void emit(const char* op, Word to, std::initializer_list<Word> from, uint32_t number = 0) {
        ToyInst i;
        i.op = find_toy_op(op);
        if (to != kNoWord) i.write = {to, 1};
        for (const Word w : from)
            i.read[i.reads++] = {w, 1};
        i.number = number;
        f_.blocks[this->block_].insts.push_back(i);
    }
    void give(ir::Value* const* to, const ir::Instr& from) {
        std::pmr::vector<Given> all(f_.memory);
        for (unsigned k = 0; k < from.operand_count; k++)
            all.push_back({word_of(to[k]), {word_of(from.operand(k)), ToyRef::Kind::Word}});
        this->move_together(
            all, [&](Word word, const Given& g) { emit("mov", word, {g.value.index}); },
            [&](const Given&) {
                return ToyRef{f_.add_node(1), ToyRef::Kind::Word};
            });
    }
    bool takes_in(const ir::Instr&, const ir::Use&) const { return false; }
    void store_output(const ir::Instr& i) {
        emit("store", kNoWord, {word_of(i.operand(0))}, i.u.io.component);
    }
    void load_input(const ir::Instr& i) { emit("input", word_of(i.result()), {}, i.u.io.component); }
    void alu_op(const ir::Instr& i) {
        if (i.op == ir::Op::Const) return emit("const", word_of(i.result()), {}, uint32_t(i.u.bits));
        emit(i.op == ir::Op::ILt ? "less" : "add", word_of(i.result()),
             {word_of(i.operand(0)), word_of(i.operand(1))});
    }

  private:
    const ir::Shader& s_;
    std::unordered_map<const ir::Value*, Word> words_;
};

class BranchToy : public ToySelector<BranchToy, BranchRegions<BranchToy, ToyCode, ToyRef>> {
    friend BranchRegions;
    friend Regions;

  public:
    using ToySelector::ToySelector;

  private:
    Branch branch_unless(const ir::Value* condition) {
        emit("branch", kNoWord, {word_of(condition)});
        return last();
    }
    Branch jump() {
        emit("jump", kNoWord, {});
        return last();
    }
};

class MaskToy : public ToySelector<MaskToy, RegionSelector<MaskToy, ToyCode, ToyRef>> {
    friend RegionSelector;

  public:
    using ToySelector::ToySelector;

  private:
    // Added to the counters of the ifs inside the loop.
    static constexpr uint32_t kContinued = 1, kBroke = 2;

    void begin_if(const ir::Instr& i) { emit("if", kNoWord, {word_of(i.operand(0))}); }
    void begin_else(bool) { emit("else", kNoWord, {}); }
    void end_if() { emit("pop", kNoWord, {}, 1); }
    void begin_loop() {
        emit("loop", kNoWord, {});
        heads_.push_back(begin_block());
    }
    void break_loop(unsigned ifs) { emit("leave", kNoWord, {}, ifs + kBroke); }
    void continue_loop(unsigned ifs) { emit("leave", kNoWord, {}, ifs + kContinued); }
    void end_loop() {
        emit("resume", kNoWord, {});
        emit("any", kNoWord, {});
        f_.blocks[block_].insts.back().target = heads_.back();
        heads_.pop_back();
        begin_block();
        emit("pop", kNoWord, {}, kBroke);
    }
    std::vector<int32_t> heads_;
};

/// The stores of all threads: number (thread * 16 + component) and value, thread by thread.
struct ToyStores {
    static constexpr unsigned kThreads = 8;
    std::array<std::vector<std::pair<uint32_t, uint32_t>>, kThreads> by_thread;
    bool ended = false;  // within the limit of steps
    bool operator==(const ToyStores&) const = default;
};

/// Executes code for the threads `first` to `last` together. An input is the thread's number times the
/// component, plus 1.
inline void execute(const ToyCode& f, unsigned first, unsigned last, uint64_t steps, ToyStores* out) {
    using Lanes = std::array<uint32_t, ToyStores::kThreads>;
    ByWord<Lanes> words(f.words());
    Lanes sleeps{};
    size_t block = 0, at = 0;
    out->ended = false;
    while (block < f.blocks.size()) {
        if (!steps--) return;
        if (at == f.blocks[block].insts.size()) {
            block++, at = 0;
            continue;
        }
        const ToyInst& i = f.blocks[block].insts[at++];
        const std::string_view op = i.op->name;
        bool any = false;
        for (unsigned t = first; t < last; t++) {
            const auto read = [&](unsigned n) { return words[i.read[n].word][t]; };
            uint32_t& sleep = sleeps[t];
            if (op == "if") {
                sleep = sleep ? sleep + 1 : !read(0);
            } else if (op == "else") {
                sleep = sleep < 2 ? 1 - sleep : sleep;
            } else if (op == "pop") {
                sleep -= std::min(sleep, i.number);
            } else if (op == "loop") {
                sleep += sleep ? 2 : 0;
            } else if (op == "resume") {
                sleep = sleep == 1 ? 0 : sleep;
            } else if (!sleep) {
                if (op == "leave") sleep = i.number;
                if (op == "const") words[i.write.word][t] = i.number;
                if (op == "input") words[i.write.word][t] = t * (i.number + 1);
                if (op == "mov") words[i.write.word][t] = read(0);
                if (op == "add") words[i.write.word][t] = read(0) + read(1);
                if (op == "less") words[i.write.word][t] = int32_t(read(0)) < int32_t(read(1));
                if (op == "store") out->by_thread[t].emplace_back(i.number, read(0));
                any |= op == "any" || op == "jump" || (op == "branch" && !read(0));
            }
        }
        if (any) block = size_t(i.target), at = 0;
    }
    out->ended = true;
}

}  // namespace terrazzo::backend::testing
