// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/jit/estimate.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "shaders/ir/memory.h"

namespace terrazzo::soft::jit {

namespace {

using ir::Op;

/// Counts instructions in program order and records the last use of each value.
class Meter {
  public:
    explicit Meter(const ir::Shader& s) : ends_(s.value_count()) {
        region(*s.body);
        work_.longest = std::max(work_.longest, run_);
        find_live();
    }
    [[nodiscard]] const LlvmWork& work() const { return work_; }

  private:
    void region(const ir::Region& r) {
        for (unsigned n = 0; n < r.arg_count; ++n)
            define(r.args[n]);
        for (const ir::Instr* i = r.first; i; i = i->next) {
            for (unsigned n = 0; n < i->operand_count; ++n)
                ends_[i->operand(n)->id] = at_;
            if (i->op != Op::Const) {
                ++at_;
                ++run_;
                work_.textures += i->op == Op::Tex;
                // A load of a block with an offset per lane costs as many loads as one of an array.
                if (i->op == Op::LoadBuffer || i->op == Op::LoadImage) work_.indexed += i->result_count;
                work_.indexed += ir::writes_memory(i->op);
                work_.indexed += (i->op == Op::LoadVar && i->operand_count > 0) ||
                                 (i->op == Op::StoreVar && i->operand_count > 1);
            }
            if (i->region_count) end_run();
            if (i->op == Op::Loop) work_.carried += i->regions[0]->arg_count + i->result_count;
            for (unsigned n = 0; n < i->region_count; ++n) {
                ++work_.regions;
                region(*i->regions[n]);
                end_run();
            }
            for (unsigned n = 0; n < i->result_count; ++n)
                if (i->op != Op::Const) define(i->result(n));
        }
        work_.instructions = at_;
    }
    void define(const ir::Value* v) { defined_.emplace_back(at_, v->id); }
    void end_run() {
        work_.longest = std::max(work_.longest, run_);
        run_ = 0;
    }
    void find_live() {
        std::vector<int32_t> change(size_t(at_) + 2);
        for (const auto& [at, id] : defined_) {
            if (ends_[id] <= at) continue;
            ++change[at];
            --change[ends_[id]];
        }
        int32_t live = 0;
        for (const int32_t c : change)
            work_.live = std::max(work_.live, uint32_t(live += c));
    }

    LlvmWork work_;
    std::vector<uint32_t> ends_;  // by ir::Value::id
    std::vector<std::pair<uint32_t, uint32_t>> defined_;
    uint32_t at_ = 0, run_ = 0;
};

}  // namespace

LlvmWork measure_llvm_work(const ir::Shader& lowered) {
    return Meter(lowered).work();
}

/// An upper bound of the times in bench_llvm (LLVM 19.1, a Xeon of 2023), for up to some seconds.
/// Instructions in a row, calls and blocks have quadratic costs: scheduling, liveness and alias analysis. So
/// have values carried by loops: nested loops have phis of phis.
double estimate_llvm_s(const LlvmWork& w) {
    const double n = w.instructions, row = w.longest, t = w.textures, r = w.regions, x = w.indexed,
                 c = w.carried;
    return 3e-5 * n + 2e-8 * row * row + 1e-3 * t + 7e-7 * t * t + 1.2e-6 * t * r + 3.5e-4 * r +
           3.5e-7 * r * r + 5e-4 * double(w.live) + 1e-4 * x + 3e-7 * x * x + 3e-7 * c * c;
}

size_t memory_for_llvm_B(const LlvmWork& w) {
    constexpr size_t kAlways_B = size_t(16) << 20, kInstruction_B = 12288;
    return kAlways_B + w.instructions * kInstruction_B;
}

bool has_room(size_t bytes) {
    void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return false;
    munmap(p, bytes);
    return true;
}

std::string print(const LlvmWork& w) {
    return std::to_string(w.instructions) + " instructions, " + std::to_string(w.longest) + " in a row, " +
           std::to_string(w.textures) + " texture fetches, " + std::to_string(w.indexed) +
           " accesses of arrays, " + std::to_string(w.regions) + " regions, " + std::to_string(w.carried) +
           " values carried by loops, " + std::to_string(w.live) + " at once";
}

}  // namespace terrazzo::soft::jit
