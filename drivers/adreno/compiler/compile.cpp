// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/compiler/compile.h"

#include <memory_resource>

#include "drivers/adreno/compiler/allocate.h"
#include "drivers/adreno/compiler/hazards.h"
#include "drivers/adreno/compiler/legalize.h"
#include "drivers/adreno/compiler/prepare.h"
#include "drivers/adreno/compiler/select.h"
#include "drivers/adreno/compiler/value_numbering.h"
#include "drivers/common/backend/compile_driver.h"
#include "drivers/common/backend/liveness.h"

#include "pipe/debug.h"
#include "shaders/ir/print.h"

namespace terrazzo::adreno::compiler {

namespace {

constexpr unsigned kInstrUnit = 16;  // instructions: 128 bytes
/// Units that may be live at once, for schedule(). 0: keep the order of instruction selection.
constexpr unsigned kSourceOrder = 0, kUnits = 160;

struct Strategy {
    unsigned budget;
    bool spills;
};
/// Tried in this order until one compiles the shader.
constexpr Strategy kStrategies[] = {{kUnits, false}, {kSourceOrder, false}, {kSourceOrder, true}};

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

/// One run through the passes.
struct Attempt {
    explicit Attempt(std::pmr::memory_resource* arena) : f(arena), code(arena) {}
    void run(const ir::Shader& s, const Options& options, const Strategy& strategy) {
        backend::Passes<Ir3> passes(f, options.validate);
        if (options.draw_constants) {
            f.uniforms_dw = options.draw_constants->uniforms_dw;
            for (const Param p : options.draw_constants->params)
                f.params.push_back(uint8_t(p));
        }
        passes.then("selection", [&] { select(s, options, f, info); });
        passes.then("linking", [&] { f.link(); });
        passes.then("value numbering", [&] { number_values(f, backend::Share::Yes); });
        passes.then("dead code", [&] { backend::remove_dead(f); });
        passes.then("scheduling", [&] {
            if (strategy.budget != kSourceOrder) schedule(f, {kUnits, strategy.budget});
        });
        passes.then("allocation", [&] {
            f.link();
            allocate(f, register_limit(s, options), strategy.spills);
        });
        passes.then("scheduling of registers", [&] { schedule(f, {0, 0}); });
        passes.then("legalization", [&] { legalize(f, s.stage, &code); });
    }
    Function f;
    std::pmr::vector<isa::Instr> code;
    Info info;
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
    out.code.resize((out.code.size() + kInstrUnit - 1) / kInstrUnit * kInstrUnit, nop);
    return out;
}

/// *halves: whether any value became a half.
Binary compile_once(const ir::Shader& shader, const Options& options, bool* halves) {
    const std::unique_ptr<ir::Shader> s = ir::clone(shader);
    *halves = prepare(*s, options);
    if (pipe::debug(pipe::DebugWord::Ir))
        pipe::debug_print(pipe::DebugWord::Ir, "adreno, prepared:\n" + ir::print(*s));
    const auto make = [&](const Strategy& strategy) {
        std::pmr::monotonic_buffer_resource arena;
        Attempt a(&arena);
        a.run(*s, options, strategy);
        return finish(*s, options, a);
    };
    const auto is_good = [](const Binary& b) { return b.error.empty(); };
    std::optional<Binary> best;
    backend::try_ways(
        best, kStrategies, make, [&](const Binary&, const Binary& b) { return !is_good(b); }, is_good);
    return std::move(*best);
}

/// Words in spill memory weigh most, then instructions, then registers.
bool is_better(const Binary& a, const Binary& b) {
    if (!a.error.empty() || !b.error.empty()) return a.error.empty();
    const Statistics &x = a.info.statistics, &y = b.info.statistics;
    if (x.spilled_words != y.spilled_words) return x.spilled_words < y.spilled_words;
    if (x.instructions != y.instructions) return x.instructions < y.instructions;
    return x.full_registers < y.full_registers;
}

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
    bool halves = false;
    out = compile_once(shader, options, &halves);
    if (!halves) return out;
    Options wide = options;
    wide.halves = false;
    Binary other = compile_once(shader, wide, &halves);
    return is_better(other, out) ? other : out;
}

}  // namespace terrazzo::adreno::compiler
