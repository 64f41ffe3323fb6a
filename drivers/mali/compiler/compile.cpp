// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/compile.h"

#include <algorithm>
#include <memory>
#include <memory_resource>
#include <optional>
#include <tuple>

#include "drivers/common/backend/compile_driver.h"
#include "drivers/common/backend/schedule.h"
#include "drivers/common/backend/value_numbering.h"

#include "drivers/mali/compiler/machine.h"
#include "drivers/mali/compiler/passes.h"
#include "drivers/mali/compiler/selector.h"
#include "drivers/mali/compiler/timing.h"
#include "pipe/debug.h"
#include "shaders/ir/memory.h"
#include "shaders/ir/print.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/pair_halves.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/reassociate_products.h"
#include "shaders/passes/walk.h"

namespace terrazzo::mali::compiler {

namespace {

bool is_position(const ir::Instr& store) {
    const auto slot = ir::VaryingSlot(store.u.io.slot);
    return slot == ir::VaryingSlot::Position || slot == ir::VaryingSlot::PointSize ||
           slot == ir::VaryingSlot::Layer;
}

/// Removes the stores of the other part, and the operations that only they need.
void keep_part(ir::Shader& s, Part part) {
    ir::for_each(s.body, [&](ir::Instr* i) {
        if (i->op == ir::Op::StoreOutput && is_position(*i) != (part == Part::Position)) ir::erase(i);
    });
    ir::dce(s);
}

void count(const std::pmr::vector<uint64_t>& code, Statistics* s) {
    for (uint64_t word : code) {
        isa::Instr i;
        if (!isa::decode(word, &i, nullptr)) continue;
        s->instructions++;
        const isa::Cost c = isa::cost(i);
        // By isa::Unit; kVt counts as kV and as kT.
        uint32_t* const by_unit[] = {&s->fma, &s->cvt, &s->sfu, &s->v, &s->ls, &s->t, &s->v};
        if (c.unit != isa::Unit::kNone) *by_unit[size_t(c.unit)] += c.amount;
        if (c.unit == isa::Unit::kVt) s->t += c.amount;
    }
}

constexpr unsigned kFewRegisters = 32, kAllRegisters = 64;

/// The budget of schedule() in live words; 0: the order of selection is kept.
constexpr unsigned kSourceOrder = 0, kWords = 28, kFewWords = 20;

using backend::Share;

struct Way {
    Share share;  // constants and uniforms are kept in registers
    unsigned budget;
    Spill spill = Spill::No;
};
/// Tried in order until the shader needs 32 registers. Otherwise the first one that compiles is used.
constexpr Way kWays[] = {{Share::Yes, kWords},
                         {Share::Yes, kFewWords},
                         {Share::Yes, kSourceOrder},
                         {Share::No, kFewWords},
                         {Share::No, kSourceOrder}};
/// Tried if all of kWays need more than 32 registers: the one that spills least is used.
constexpr Way kSpillingWays[] = {{Share::No, kFewWords, Spill::Yes}, {Share::No, kSourceOrder, Spill::Yes}};

/// The input of all attempts.
struct Job {
    const ir::Shader& shader;
    Selection selection;
    bool validate;
};

/// One run of the passes.
struct Attempt {
    /// Fails if the code needs more than `most_registers`.
    void run(const Job& job, const Way& way, unsigned most_registers) {
        const bool blend = job.selection.blend;
        const Kind kind = blend                                  ? Kind::Blend
                          : job.selection.part == Part::Fragment ? Kind::Fragment
                                                                 : Kind::Vertex;
        backend::Passes<Valhall> passes(f, job.validate);
        f.has_uniforms = !blend;
        const ir::ShaderInfo& all = job.shader.info;
        info.shared_B = all.shared_B;
        info.uses_barriers = all.uses_barriers;
        info.early_tests = all.early_fragment_tests;
        std::ranges::copy(all.workgroup_size, info.workgroup_size);
        info.uniform_blocks = all.uniform_blocks_read;
        info.storage_buffers = all.buffers_read | all.buffers_written;
        info.written_buffers = all.buffers_written;
        info.images = all.images_read | all.images_written;
        info.written_images = all.images_written;
        passes.begin([&] { Selector(job.shader, job.selection, f, info).run(); });
        passes.clean([&] { backend::number_values<Machine>(f, way.share); });
        passes.then("scheduling", [&] {
            if (way.budget != kSourceOrder) {
                const auto overrun = way.spill == Spill::Yes ? backend::Budget::Overrun::Bounded
                                                             : backend::Budget::Overrun::Free;
                backend::schedule<Machine>(f, {way.budget, way.budget, overrun});
            }
        });
        passes.then("allocation",
                    [&] { allocate(f, blend, way.spill, most_registers, &info.work_registers); });
        passes.then("slots", [&] { assign_slots(f); });
        passes.then("flow", [&] { insert_flow(f, kind); });
        passes.then("last uses", [&] { mark_last_uses(f, blend); });
        passes.then("packing", [&] { pack(f, &code); });
    }
    [[nodiscard]] bool has_code() const { return f.error.empty(); }
    std::unique_ptr<std::pmr::monotonic_buffer_resource> arena =
        std::make_unique<std::pmr::monotonic_buffer_resource>();
    Function f{arena.get()};
    std::pmr::vector<uint64_t> code{arena.get()};
    Info info;
};

Binary finish(Attempt& a) {
    Binary out;
    if (!a.f.error.empty()) {
        out.error = a.f.error;
        return out;
    }
    out.info = a.info;
    out.info.tls_B = (a.f.private_B + 15) / 16 * 16;
    out.info.statistics.spilled_words = a.f.spilled_words;
    count(a.code, &out.info.statistics);
    out.info.statistics.alone_clk = alone_clk(a.code);
    out.info.statistics.blocks = uint32_t(a.f.blocks.size());
    // A zero instruction separates adjacent shaders. Code is fetched 128 bytes at a time.
    constexpr size_t kUnit_qw = Binary::kUnit_qw;
    a.code.resize((a.code.size() + 2 + kUnit_qw - 1) / kUnit_qw * kUnit_qw);
    out.code.assign(a.code.begin(), a.code.end());
    if (a.f.fau.size() % 2) a.f.fau.push_back({UniformWord::Kind::Constant, 0});
    out.info.fau.assign(a.f.fau.begin(), a.f.fau.end());
    return out;
}

Binary attempt_all(const Job& job) {
    std::optional<Attempt> best;
    const auto make = [&](const Way& way) {
        Attempt a;
        // Once an attempt succeeded with all registers, only fewer registers are an improvement.
        a.run(job, way, best && best->has_code() ? kFewRegisters : kAllRegisters);
        return a;
    };
    const auto has_few = [](const Attempt& a) {
        return a.has_code() && a.info.work_registers <= kFewRegisters;
    };
    backend::try_ways(
        best, kWays, make,
        [](const Attempt& a, const Attempt& b) {
            return a.has_code() && (!b.has_code() || a.info.work_registers < b.info.work_registers);
        },
        has_few);
    if (has_few(*best)) return finish(*best);
    backend::try_ways(
        best, kSpillingWays, make,
        [](const Attempt& a, const Attempt& b) {
            return a.has_code() && (!b.has_code() || a.f.spilled_words < b.f.spilled_words);
        },
        [](const Attempt& a) { return a.has_code() && !a.f.spilled_words; });
    return finish(*best);
}

/// Compiles a part from which the other part's stores were removed. This may leave products of matrices whose
/// factors have no other use.
Binary compile_prepared(ir::Shader& s, Part part, const Options& options) {
    s.renumber();
    if (pipe::debug(pipe::DebugWord::Ir)) {
        constexpr const char* kNames[] = {"position part", "varying part", "fragment shader",
                                          "compute shader"};
        pipe::debug_print(pipe::DebugWord::Ir,
                          std::string("mali, prepared, ") + kNames[unsigned(part)] + ":\n" + ir::print(s));
    }
    using enum Options::Halves;
    Job job{s,
            {.part = part,
             .half_colors = options.halves != Never,
             .own = options.own,
             .per_sample = options.per_sample,
             .at_samples = options.at_samples},
            options.validate};
    Binary out = attempt_all(job);
    if (options.halves == Never || part != Part::Fragment || !ir::use_halves(s)) return out;
    std::pmr::monotonic_buffer_resource arena;
    const ir::HalfPlan plan = ir::plan_halves(s, &arena);
    job.selection.halves = &plan;
    Binary halves = attempt_all(job);
    if (options.halves == Always) return halves;
    // Registers limit the threads.
    const bool better = backend::is_better(halves, out, [](const Binary& b) {
        const Statistics& n = b.info.statistics;
        return std::tuple(b.info.work_registers, n.spilled_words, n.instructions, n.v);
    });
    return better ? halves : out;
}

Binary compile_part(ir::Shader& prepared, Part part, const Options& options) {
    bool writes = false;
    ir::for_each(prepared.body, [&](const ir::Instr* i) { writes |= ir::writes_memory(i->op); });
    if (writes) {
        Binary out;
        out.error = "mali: vertex shaders do not store to buffers or images";
        return out;
    }
    keep_part(prepared, part);
    if (ir::reassociate_products(prepared)) ir::clean_up(prepared);
    return compile_prepared(prepared, part, options);
}

}  // namespace

bool has_varying_part(const ir::Shader& s) {
    bool found = false;
    ir::for_each(s.body, [&](ir::Instr* i) { found |= i->op == ir::Op::StoreOutput && !is_position(*i); });
    return found;
}

Binary compile(const ir::Shader& shader, Part part, const Options& options) {
    Binary out;
    const ir::Stage stage = part == Part::Fragment ? ir::Stage::Fragment : ir::Stage::Vertex;
    if (part == Part::Compute ? !ir::is_kernel(shader.stage) : shader.stage != stage) {
        out.error = "mali: this stage is not compiled yet";
        return out;
    }
    const std::unique_ptr<ir::Shader> s = ir::clone(shader);
    prepare(*s, options);
    return shader.stage == ir::Stage::Vertex ? compile_part(*s, part, options)
                                             : compile_prepared(*s, part, options);
}

VertexBinaries compile_vertex(const ir::Shader& shader, const Options& options) {
    VertexBinaries out;
    if (shader.stage != ir::Stage::Vertex) {
        out.position.error = "mali: this is no vertex shader";
        return out;
    }
    const std::unique_ptr<ir::Shader> s = ir::clone(shader);
    prepare(*s, options);
    if (has_varying_part(*s)) out.varying = compile_part(*ir::clone(*s), Part::Varying, options);
    out.position = compile_part(*s, Part::Position, options);
    if (!out.position.info.writes_point_size) return out;
    ir::for_each(s->body, [](ir::Instr* i) {
        if (i->op == ir::Op::StoreOutput && ir::VaryingSlot(i->u.io.slot) == ir::VaryingSlot::PointSize)
            ir::erase(i);
    });
    out.no_point_size = compile_part(*s, Part::Position, options);
    return out;
}

Binary compile_blend(const ir::Shader& s, const BlendTarget& target, const Options& options) {
    Binary out;
    if (s.stage != ir::Stage::Fragment) {
        out.error = "mali: a blend shader is a fragment shader";
        return out;
    }
    return attempt_all({s, {.part = Part::Fragment, .blend = &target}, options.validate});
}

}  // namespace terrazzo::mali::compiler
