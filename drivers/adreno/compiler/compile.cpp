// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/compiler/compile.h"

#include <memory_resource>
#include <span>
#include <tuple>

#include "drivers/adreno/compiler/machine.h"
#include "drivers/adreno/compiler/passes.h"
#include "drivers/adreno/compiler/selector.h"
#include "drivers/adreno/hw/chips.h"
#include "drivers/common/backend/compile_driver.h"
#include "drivers/common/backend/rematerialize.h"
#include "drivers/common/backend/schedule.h"
#include "drivers/common/backend/value_numbering.h"

#include "pipe/debug.h"
#include "shaders/ir/print.h"

namespace terrazzo::adreno::compiler {

namespace {

/// Units that may be live at once, for schedule(). 0: keep the order of instruction selection.
constexpr unsigned kSourceOrder = 0, kUnits = 160;
constexpr unsigned kVec4Units = 8;

/// The order of selection may have so many times more live units than the scheduler's, at the best.
constexpr double kSchedulerSaves = 1.25;

/// Whether the scheduler saves registers while no instruction has to wait for that.
enum class Saving : uint8_t { No, Yes };

struct Strategy {
    unsigned budget;
    bool spills = false;
    /// Fails if the code needs more registers. 0: the limit is that of the stage.
    unsigned most_vec4 = 0;
    Saving saving = Saving::Yes;
    /// Units: values are computed again until no more live. Fails if that does not help. 0: nothing is
    /// computed again.
    unsigned room = 0;
};
/// Tried in this order until one compiles the shader.
constexpr Strategy kStrategies[] = {{kUnits}, {kSourceOrder}, {kSourceOrder, true}};

void count(std::span<const isa::Instr> code, Statistics* s) {
    bool in_preamble = false;
    for (const isa::Instr& i : code) {
        const isa::OpInfo& row = i.info();
        s->words++;
        const uint32_t repeats = 1 + (row.has(isa::Field::kRepeat) ? i.repeat() : 0);
        const uint32_t nop = row.has(isa::Field::kNop) ? i.nop() : 0;
        in_preamble |= i.op == isa::Op::kShps;
        if (in_preamble) {
            s->preamble += repeats + nop;
            in_preamble = i.op != isa::Op::kShpe;
            continue;
        }
        s->instructions += repeats + nop;
        s->nops += nop + (i.op == isa::Op::kNop ? repeats : 0);
        s->cat[row.category] += repeats;
        s->cat[0] += nop;
        s->ss += row.has(isa::Field::kSs) && i.ss();
        s->sy += i.sy();
    }
}

/// The most registers of an invocation, in dwords. Waves of 64 run in pairs.
unsigned register_limit(const ir::Shader& s, const Options& options) {
    constexpr unsigned kPair = 128, kVec4_dw = 4;
    if (s.stage != ir::Stage::Compute || !s.info.uses_barriers) return options.max_registers;
    const uint32_t* size = s.info.workgroup_size;
    const unsigned pairs = std::max(1u, (size[0] * size[1] * size[2] + kPair - 1) / kPair);
    return std::min(options.max_registers, options.register_file_vec4 / pairs * kVec4_dw);
}

/// Selected code, which does not depend on the strategy. Each attempt changes a copy of it.
struct Selected {
    Selected(const ir::Shader& s, const Options& options) {
        if (options.draw_constants) {
            f.uniforms_dw = options.draw_constants->uniforms_dw;
            for (const Param p : options.draw_constants->params)
                f.params.push_back(uint8_t(p));
        }
        backend::Passes<Ir3> passes(f, options.validate);
        passes.begin([&] { Selector(s, options, f, info).run(); });
        passes.clean([&] { backend::number_values<Machine>(f); });
    }
    std::pmr::monotonic_buffer_resource arena;
    Function f{&arena};
    Info info;
};

/// With few live units, all fibers run anyway, so registers are not saved. With many, waits for special
/// functions and memory do not count: other fibers run meanwhile.
backend::Budget budget_of(const Strategy& strategy, const hw::RegisterFile& file) {
    constexpr uint32_t kLongWait_clk = 8;
    const uint32_t all = file.most_for_all_vec4() * kVec4Units;
    if (strategy.saving == Saving::No) return {strategy.budget, strategy.budget};
    return {.least = strategy.budget,
            .most = strategy.budget,
            .eager = all / 2,
            .impatient = all,
            .long_wait_clk = kLongWait_clk};
}

/// A copy of the selected code that is ordered, gets registers and becomes machine code.
struct Attempt {
    Attempt(const Selected& selected, std::pmr::memory_resource* arena)
        : f(selected.f, arena), code(arena), info(selected.info) {}
    void run(const ir::Shader& s, const Options& options, const hw::RegisterFile& file,
             const Strategy& strategy) {
        unsigned registers = register_limit(s, options);
        if (strategy.most_vec4) registers = std::min(registers, strategy.most_vec4 * 4);
        backend::Passes<Ir3> passes(f, options.validate);
        if (strategy.room)
            passes.then("rematerialization", [&] {
                const auto most = uint32_t(kSchedulerSaves * registers * 2);
                if (!backend::rematerialize<Machine>(f, backend::UnitSet<Ir3>().set(), strategy.room, most))
                    return f.fail("adreno: there is nothing to compute again");
                backend::remove_dead(f);
            });
        passes.then("scheduling", [&] {
            if (strategy.budget != kSourceOrder)
                source_units = backend::schedule<Machine>(f, budget_of(strategy, file));
        });
        passes.then("allocation", [&] {
            f.link();
            units_suffice = allocate(f, registers, strategy.spills);
        });
        passes.then("scheduling of registers", [&] { backend::schedule<Machine>(f, {0, 0}); });
        passes.then("legalization", [&] { legalize(f, s.stage, &code); });
    }
    Function f;
    std::pmr::vector<isa::Instr> code;
    Info info;
    uint32_t source_units = 0;  // live at once in the order of selection; 0: not counted
    bool units_suffice = true;  // false: allocation failed since more live at once than there are
};

/// The registers of outputs: those that are read by the end instruction.
void name_outputs(const Function& f, Info* info) {
    const Inst& end = f.blocks.back().insts.back();
    for (size_t k = 0; k < info->outputs.size() && k < end.left.size(); k++)
        info->outputs[k].reg = f.register_of(end.left[k].first).index;
    std::erase_if(info->outputs, [&](const Output& o) {
        if (o.slot != uint8_t(ir::EmitSlot::StripStart)) return false;
        info->system.vertex_flags = o.reg;
        return true;
    });
}

void name_constants(const Function& f, ConstLayout* c) {
    c->uniforms_dw = f.uniforms_dw;
    c->params_at_dw = f.params_at_dw();
    for (uint8_t p : f.params)
        c->params.push_back(Param(p));
    c->immediates_at_dw = f.immediates_at_dw();
    c->immediates.assign(f.immediates.begin(), f.immediates.end());
    c->vec4s = (f.constants_dw() + 3) / 4;
}

Binary finish(const ir::Shader& s, const Options& options, Attempt& a) {
    Binary out;
    out.error = a.f.error;
    if (!out.error.empty()) return out;
    out.info = a.info;
    Info& info = out.info;
    name_outputs(a.f, &info);
    name_constants(a.f, &info.constants);
    info.full_registers = uint8_t(register_footprint(a.f));
    info.early_tests = s.info.early_fragment_tests;
    info.private_B = (a.f.private_B + 15) / 16 * 16;
    info.shared_B = s.info.shared_B;
    std::copy_n(s.info.workgroup_size, 3, info.workgroup_size);
    count(a.code, &info.statistics);
    info.statistics.blocks = uint32_t(a.f.blocks.size());
    info.statistics.spilled_words = a.f.spilled_words;
    info.statistics.full_registers = info.full_registers;
    for (const isa::Instr& i : a.code) {
        isa::Error error;
        uint64_t word = 0;
        if (!isa::encode(i, &word, &error)) {
            out.error = std::string("adreno: ") + error.reason;
            isa::print(i, &(out.error += ": "));
            return out;
        }
        out.code.push_back(word);
    }
    if (options.validate)
        if (const std::string hazard = find_hazard(out.code, info.prefetches); !hazard.empty())
            out.error = "adreno: hazard: " + hazard;
    uint64_t nop = 0;
    if (!isa::encode(isa::make(isa::Op::kNop), &nop, nullptr)) return out;
    out.code.resize((out.code.size() + Binary::kUnit_qw - 1) / Binary::kUnit_qw * Binary::kUnit_qw, nop);
    return out;
}

hw::RegisterFile register_file(const ir::Shader& s, const Options& options) {
    return {options.register_file_vec4, s.stage == ir::Stage::Fragment || s.stage == ir::Stage::Compute};
}

/// Whether `a` is better than `b`: at least as many fibers run, and each percent more instructions lets
/// `price` percent more fibers run.
constexpr uint64_t kPrice = 10, kPriceOfComputing = 15;
bool is_worth(const Binary& a, const Binary& b, const hw::RegisterFile& file, uint64_t price = kPrice) {
    const unsigned before = file.fibers(b.info.full_registers), after = file.fibers(a.info.full_registers);
    if (after < before || a.info.statistics.spilled_words > b.info.statistics.spilled_words) return false;
    const uint64_t more = a.info.statistics.instructions -
                          std::min(a.info.statistics.instructions, b.info.statistics.instructions);
    return more * price * before <= (after - before) * uint64_t(b.info.statistics.instructions);
}

bool is_good(const Binary& b) {
    return b.error.empty();
}

/// A shader, prepared and selected with certain options, and the best code for it.
class Compilation {
  public:
    Compilation(const ir::Shader& shader, const Options& options)
        : options_(options),
          s_(ir::clone(shader)),
          halves_(prepare(*s_, options)),
          file_(register_file(*s_, options)) {
        if (pipe::debug(pipe::DebugWord::Ir))
            pipe::debug_print(pipe::DebugWord::Ir, "adreno, prepared:\n" + ir::print(*s_));
        selected_.emplace(*s_, options);
        backend::try_ways(
            best_, kStrategies, [&](const Strategy& strategy) { return make(strategy); },
            [&](const Binary&, const Binary& b) { return !is_good(b); }, is_good);
    }
    /// Looks for code that lets more fibers run: that has fewer live units.
    void run_more_fibers() {
        constexpr uint32_t kShort = 256;  // instructions of code that may be compiled a third time
        const unsigned all = file_.most_for_all_vec4() * kVec4Units;
        if (!is_good(*best_) || !source_units_ || !all) return;
        const unsigned budgets[] = {all, all / 2};
        const bool is_short = best_->info.statistics.instructions <= kShort;
        backend::try_ways(
            best_, std::span(budgets).first(is_short ? 2 : 1),
            [&](unsigned budget) {
                return make(
                    {.budget = budget, .most_vec4 = file_.most_for_more_vec4(best_->info.full_registers)});
            },
            [&](const Binary& a, const Binary& b) { return is_good(a) && is_worth(a, b, file_); },
            [&](const Binary& b) {
                const unsigned used = b.info.full_registers;
                return used <= file_.most_for_all_vec4() ||
                       source_units_ > file_.most_for_more_vec4(used) * kVec4Units;
            });
        if (!compute_again()) wait_less();
    }
    [[nodiscard]] const Binary& best() const { return *best_; }
    /// Whether any value became a half.
    [[nodiscard]] bool has_halves() const { return halves_; }

  private:
    /// If not all fibers run: tries code that computes values again, in place of keeping them in registers.
    /// Returns whether that was worth it.
    [[nodiscard]] bool compute_again() {
        // Registers are seldom all used, since runs must be consecutive. With a budget of few registers, the
        // scheduler saves as many as it can.
        constexpr unsigned kUnused = 4, kFew = 6 * kVec4Units;
        constexpr double kComputingSaves = 1.3;  // of the units in the order of selection
        const unsigned used = best_->info.full_registers, most_vec4 = file_.most_for_more_vec4(used);
        if (used <= file_.most_for_all_vec4() || used > kUnits / kVec4Units ||
            source_units_ > kComputingSaves * most_vec4 * kVec4Units)
            return false;
        for (const unsigned room : {most_vec4 * kVec4Units - kUnused, kFew}) {
            Binary small = make({.budget = room, .most_vec4 = most_vec4, .room = room});
            if (!units_suffice_) return false;
            if (!is_good(small) || !is_worth(small, *best_, file_, kPriceOfComputing)) continue;
            best_.emplace(std::move(small));
            return true;
        }
        return false;
    }
    /// If saving registers has led to many nops, and still not all fibers run: tries code that is scheduled
    /// for time alone, and uses it if it has fewer instructions.
    void wait_less() {
        constexpr uint32_t kFewNops_percent = 22;
        const Statistics& n = best_->info.statistics;
        if (n.full_registers <= file_.most_for_all_vec4() ||
            n.nops * 100 <= n.instructions * kFewNops_percent)
            return;
        Binary fast = make({.budget = kUnits, .saving = Saving::No});
        if (!is_good(fast) || fast.info.statistics.instructions >= n.instructions) return;
        if (is_worth(fast, *best_, file_)) best_.emplace(std::move(fast));
    }
    [[nodiscard]] Binary make(const Strategy& strategy) {
        std::pmr::monotonic_buffer_resource arena;
        Attempt a(*selected_, &arena);
        a.run(*s_, options_, file_, strategy);
        source_units_ = std::max(source_units_, a.source_units);
        units_suffice_ = a.units_suffice;
        return finish(*s_, options_, a);
    }

    const Options options_;
    const std::unique_ptr<ir::Shader> s_;
    const bool halves_;
    const hw::RegisterFile file_;
    std::optional<Selected> selected_;
    std::optional<Binary> best_;
    uint32_t source_units_ = 0;  // that live at once in the order of selection; 0: not counted
    bool units_suffice_ = true;  // of the last attempt
};

}  // namespace

Binary compile(const ir::Shader& shader, const Options& options) {
    Binary out;
    if (options.variant == Variant::Binning && shader.stage != ir::Stage::Vertex) {
        out.error = "adreno: only vertex shaders have a binning variant";
        return out;
    }
    if (options.sample_shading && shader.stage != ir::Stage::Fragment) {
        out.error = "adreno: only fragment shaders run for each sample";
        return out;
    }
    if (options.advanced_blend.equation != pipe::AdvancedBlend::None && shader.stage != ir::Stage::Fragment) {
        out.error = "adreno: only fragment shaders blend";
        return out;
    }
    Compilation first(shader, options);
    Compilation* best = &first;
    std::optional<Compilation> second;
    if (first.has_halves()) {
        Options wide = options;
        wide.halves = false;
        second.emplace(shader, wide);
        const bool is_better = backend::is_better(second->best(), first.best(), [](const Binary& b) {
            const Statistics& n = b.info.statistics;
            return std::tuple(n.spilled_words, n.instructions, n.full_registers);
        });
        if (is_better) best = &*second;
    }
    best->run_more_fibers();
    return best->best();
}

}  // namespace terrazzo::adreno::compiler
