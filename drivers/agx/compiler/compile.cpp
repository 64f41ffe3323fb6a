// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/compiler/compile.h"

#include <algorithm>
#include <memory>
#include <memory_resource>
#include <tuple>

#include "drivers/agx/compiler/machine.h"
#include "drivers/agx/compiler/passes.h"
#include "drivers/agx/compiler/selector.h"
#include "drivers/common/backend/compile_driver.h"
#include "drivers/common/backend/schedule.h"
#include "drivers/common/backend/value_numbering.h"
#include "shaders/ir/clone.h"

namespace terrazzo::agx::compiler {

namespace {

using backend::Share;

struct Way {
    Share share;
    unsigned budget;  // of the scheduler, in live words; 0: the order of selection is kept
    Spill spill = Spill::No;
};
/// The first one that compiles is used.
constexpr Way kWays[] = {{Share::Yes, 48}, {Share::No, 0}, {Share::No, 0, Spill::Yes}};

/// Which registers a piece may change: those below `end`, and those from `begin` on.
struct Registers {
    unsigned end = kRegisterWords, begin = kRegisterWords;
};

template <typename Select>
Binary attempt(const Way& way, bool vertex, const Registers& registers, bool validate, const Select& select) {
    std::pmr::monotonic_buffer_resource arena;
    Function f(&arena);
    f.first_uniform = first_uniform_word(vertex);
    Binary out;
    backend::Passes<Agx> passes(f, validate);
    passes.begin([&] { select(f, out.info); });
    passes.clean([&] { backend::number_values<Machine>(f, way.share); });
    passes.then("scheduling", [&] {
        if (way.budget)
            backend::schedule<Machine>(f, {way.budget, way.budget, backend::Budget::Overrun::Free});
    });
    passes.then("allocation", [&] { allocate(f, way.spill, registers.end, registers.begin); });
    passes.then("packing", [&] { pack(f, &out.code, &out.info.statistics); });
    out.error = f.error;
    if (!out.error.empty()) {
        out.code.clear();
        return out;
    }
    out.info.registers = uint8_t(std::max(backend::units_end(f), 1u));
    out.info.uniforms.assign(f.uniforms.begin(), f.uniforms.end());
    out.info.stack_B = (f.private_B + 15) / 16 * 16;
    out.info.statistics.spilled_words = f.spilled_words;
    out.info.statistics.blocks = uint32_t(f.blocks.size());
    return out;
}

template <typename Select>
Binary attempt_all(bool vertex, const Registers& registers, bool validate, const Select& select) {
    Binary out;
    for (const Way& way : kWays) {
        out = attempt(way, vertex, registers, validate, select);
        if (out.error.empty()) break;
    }
    return out;
}

}  // namespace

Binary compile(const ir::Shader& shader, const Options& options) {
    Binary out;
    if (shader.stage != ir::Stage::Vertex && shader.stage != ir::Stage::Fragment &&
        shader.stage != ir::Stage::Compute) {
        out.error = "agx: this stage is not compiled yet";
        return out;
    }
    const std::unique_ptr<ir::Shader> s = ir::clone(shader);
    prepare(*s);
    const Selection selection{.options = &options};
    return attempt_all(shader.stage == ir::Stage::Vertex, {}, options.validate,
                       [&](Function& f, Info& info) { Selector(*s, selection, f, info).run(); });
}

Binary compile_fetch(std::span<const Attribute> attributes, const uint8_t* components) {
    const ir::Shader none(ir::Stage::Vertex);
    const Options options;
    const Selection selection{.options = &options};
    return attempt_all(true, {}, options.validate, [&](Function& f, Info& info) {
        Selector(none, selection, f, info).run_fetch(attributes, components);
    });
}

Binary compile_blend(const ir::Shader* s, const BlendTarget& target, const Options& options) {
    Binary out;
    if ((s && s->stage != ir::Stage::Fragment) || target.target >= kMaxTargets) {
        out.error = "agx: a blend piece is a fragment shader for one of eight targets";
        return out;
    }
    const ir::Shader none(ir::Stage::Fragment);
    const Selection selection{.options = &options, .blend = &target};
    const Registers registers{color_register(target.target + 1, 0), kColorRegistersEnd};
    return attempt_all(false, registers, options.validate, [&](Function& f, Info& info) {
        Selector selector(s ? *s : none, selection, f, info);
        s ? selector.run() : selector.run_store();
    });
}

}  // namespace terrazzo::agx::compiler
