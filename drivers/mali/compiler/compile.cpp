// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/compile.h"

#include <memory_resource>

#include "drivers/mali/compiler/allocate.h"
#include "drivers/mali/compiler/flow.h"
#include "drivers/mali/compiler/select.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/walk.h"

namespace terrazzo::mali::compiler {

namespace {

bool is_position(const ir::Instr& store) {
    const auto slot = ir::VaryingSlot(store.u.io.slot);
    return slot == ir::VaryingSlot::Position || slot == ir::VaryingSlot::PointSize;
}

/// Takes away what the other part stores, and all that only served it.
void keep_part(ir::Shader& s, Part part) {
    ir::for_each(s.body, [&](ir::Instr* i) {
        if (i->op == ir::Op::StoreOutput && is_position(*i) != (part == Part::Position)) ir::erase(i);
    });
    ir::clean_up(s);
    s.renumber();
}

void count(const std::pmr::vector<uint64_t>& code, Statistics* s) {
    for (uint64_t word : code) {
        isa::Instr i;
        if (!isa::decode(word, &i, nullptr)) continue;
        s->instructions++;
        const isa::Cost c = isa::cost(i);
        switch (c.unit) {
            case isa::Unit::kFma:
                s->fma += c.amount;
                break;
            case isa::Unit::kCvt:
                s->cvt += c.amount;
                break;
            case isa::Unit::kSfu:
                s->sfu += c.amount;
                break;
            case isa::Unit::kV:
                s->v += c.amount;
                break;
            case isa::Unit::kT:
                s->t += c.amount;
                break;
            case isa::Unit::kLs:
                s->ls += c.amount;
                break;
            case isa::Unit::kVt:
                s->v += c.amount;
                s->t += c.amount;
                break;
            case isa::Unit::kNone:
                break;
        }
    }
}

}  // namespace

bool has_varying_part(const ir::Shader& s) {
    bool found = false;
    ir::for_each(s.body, [&](ir::Instr* i) { found |= i->op == ir::Op::StoreOutput && !is_position(*i); });
    return found;
}

Binary compile(const ir::Shader& shader, Part part) {
    Binary out;
    if ((shader.stage == ir::Stage::Fragment) != (part == Part::Fragment) ||
        (shader.stage != ir::Stage::Fragment && shader.stage != ir::Stage::Vertex)) {
        out.error = "mali: this stage is not compiled yet";
        return out;
    }
    const std::unique_ptr<ir::Shader> s = ir::clone(shader);
    if (part != Part::Fragment) keep_part(*s, part);

    std::pmr::monotonic_buffer_resource arena;
    Function f(&arena);
    std::pmr::vector<uint64_t> code(&arena);
    select(*s, part, f, out.info);
    const auto then = [&](auto&& pass) {
        if (f.error.empty()) pass();
    };
    then([&] { f.link(); });
    then([&] { remove_dead(f); });
    then([&] { allocate(f, &out.info.work_registers); });
    then([&] { insert_flow(f); });
    then([&] { pack(f, &code); });
    if (!f.error.empty()) {
        out.error = f.error;
        return out;
    }
    count(code, &out.info.statistics);
    out.info.statistics.blocks = uint32_t(f.blocks.size());
    // An empty instruction parts shaders that follow one another; code is fetched 128 bytes at a time.
    constexpr size_t kFetch_dw = 16;
    code.resize((code.size() + 2 + kFetch_dw - 1) / kFetch_dw * kFetch_dw);
    out.code.assign(code.begin(), code.end());
    if (f.fau.size() % 2) f.fau.push_back({UniformWord::Kind::Constant, 0});
    out.info.fau.assign(f.fau.begin(), f.fau.end());
    return out;
}

}  // namespace terrazzo::mali::compiler
