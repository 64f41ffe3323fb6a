// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <cmath>

#include "drivers/adreno/compiler/selector.h"
#include "shaders/ir/half.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Op;

bool Selector::takes_in(const ir::Instr& i, const ir::Use& use) const {
    return is_in_preamble(i) == is_in_preamble(*use.user) && Regions::takes_in(i, use);
}

/// Outputs of colours stay halves if all their components were halves before they were stored. For mediump
/// colours, it is enough that most components were; constants are rounded.
void Selector::find_half_outputs() {
    constexpr size_t kColors = size_t(ir::FragSlot::Color7) + 1;
    std::array<unsigned, kColors> halves{}, others{};
    uint64_t wide = 0;
    for_each([&](const ir::Instr& i) {
        if (i.op != ir::Op::StoreOutput || i.u.io.slot >= kColors) return;
        const ir::Value* v = i.operand(0);
        const bool mediump = options_.halves && i.flags & ir::instr_flag::kMediump;
        bool exact = false;
        if (v->type == ir::Type::F32 && ir::is_const(v)) {
            const float rounded = ir::half_to_float(ir::half_from_float(ir::const_f32(v)));
            exact = rounded == ir::const_f32(v) || (mediump && std::isfinite(rounded));
        } else if (v->def && v->def->op == ir::Op::F2F && v->def->operand(0)->type == ir::Type::F16) {
            exact = true;
            halves[i.u.io.slot]++;
        } else {
            others[i.u.io.slot]++;
        }
        if (!exact && (!mediump || v->type != ir::Type::F32)) wide |= uint64_t(1) << i.u.io.slot;
    });
    for (size_t slot = 0; slot < kColors; slot++)
        if (halves[slot] && halves[slot] >= others[slot]) half_outputs_ |= uint64_t(1) << slot;
    half_outputs_ &= ~wide;
}

Ref Selector::new_output(const ir::Instr& i) {
    const bool half = stores_half(i) || is_half(i.operand(0)->type);
    return Ref::word(new_words(1, half), half);
}

/// A run of registers with these values. Inputs in consecutive registers are not moved.
Word Selector::output_run(const std::array<Ref, 4>& refs, unsigned count, bool half) {
    bool stays = true;
    for (unsigned c = 0; c < count; c++) {
        const Ref &r = refs[c], &first = refs[0];
        stays = stays && is_word(r) && is_plain(r) && f_.is_fixed(r.as_word()) &&
                r.as_word() == first.as_word() + c &&
                f_.fixed_unit(r.as_word()) == f_.fixed_unit(first.as_word()) + c * f_.width(first.as_word());
    }
    if (stays) return refs[0].as_word();
    const Word node = new_words(count, half);
    for (unsigned c = 0; c < count; c++)
        move_to(node + c, refs[c]);
    return node;
}

/// The end of the shader. The outputs of each slot, up to its last component, are in consecutive registers.
void Selector::finish() {
    if (options_.next.is()) return finish_chained();
    std::pmr::vector<Run> runs(f_.memory);
    for (unsigned slot = 0; slot < kOutputSlots; slot++) {
        Output out{.slot = uint8_t(slot)};
        std::array<Ref, 4> refs{};
        unsigned count = 0;
        for (unsigned c = 0; c < 4; c++) {
            const Ref& r = outputs_[slot * 4 + c];
            if (r.kind == Ref::Kind::None) continue;
            out.mask = uint8_t(out.mask | 1u << c);
            out.half = r.half;
            refs[c] = r;
            count = c + 1;
        }
        if (!out.mask) continue;
        runs.push_back({output_run(refs, count, out.half), count});
        info_.outputs.push_back(out);
    }
    end_with(Op::kEnd, runs);
}

void Selector::end_with(Op op, std::span<const Run> left) {
    Run* const kept =
        std::pmr::polymorphic_allocator<Run>(f_.memory).allocate(std::max<size_t>(left.size(), 1));
    std::copy(left.begin(), left.end(), kept);
    Inst end = with(isa::make(op), {});
    end.left = {kept, left.size()};
    push(end);
}

void Selector::run() {
    max_immediates_ =
        std::min(kMaxImmediates_dw, options_.max_constants_dw - kMaxParams_dw - max_preamble_dw() - 6 -
                                        std::max(uniforms_end_dw(), f_.uniforms_dw));
    info_.per_sample = options_.sample_shading;
    begin_block();
    plan_stage();
    plan_storage();
    plan_textures();
    find_tables();
    plan_preamble();
    if (s_.stage == ir::Stage::Vertex)
        plan_attributes();
    else if (s_.stage == ir::Stage::Fragment)
        plan_varyings(), plan_colors_read();
    if (s_.stage == ir::Stage::Fragment) find_half_outputs();
    plan_outputs();
    plan_patch_memory();
    region(s_.body);
    info_.helpers_end = !prefetched_.empty() && !samples_;
    if (f_.error.empty()) finish();
}

// ---- Control flow and barriers ----

std::pair<isa::Instr, Ref> Selector::branch(const ir::Value* unless) {
    if (!unless) return {isa::make(Op::kJump), Ref{}};
    return {isa::make(Op::kBr), predicate(unless, true)};
}

Ref Selector::predicate(const ir::Value* condition, bool opposite) {
    Ref p = Ref::word(kP0Word);
    p.neg = opposite;
    if (const ir::Instr* d = condition->def; d && deferred_[condition->id] && compare_to(kP0Word, *d)) {
        deferred_[condition->id] = 0;
        return p;
    }
    alu_to(kP0Word, isa::make(Op::kCmpsU).set_condition(isa::Condition::kNe), {use(condition), constant(0)});
    return p;
}

void Selector::before_flow(const ir::Instr& i) {
    constexpr unsigned kMost = 255;
    info_.branch_stack = uint8_t(std::max<unsigned>(info_.branch_stack, std::min(flow_depth_ + 1, kMost)));
    ShaderSelector::before_flow(i);
}

void Selector::discard(const ir::Instr& i) {
    info_.discards = true;
    act(isa::make(Op::kKill), {predicate(i.operand(0), false)});
}

/// A fence orders memory; a barrier waits for the workgroup. The flags are Mesa's.
void Selector::barrier(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    // The invocations of a patch run in one wave, in step. A hardware barrier would never end (Mesa,
    // emit_control_barrier).
    if (s_.stage == ir::Stage::TessControl) return;
    if (m.memory != ir::MemScope::None && m.memories) {
        const bool buffers = m.memories & (ir::mem_space::kBuffer | ir::mem_space::kImage);
        isa::Instr fence = isa::make(Op::kFence).set_reads(true).set_writes(true);
        act(fence.set_global_memory(buffers).set_local_memory(buffers), {});
    }
    if (m.execution == ir::MemScope::None) return;
    info_.has_barrier = true;
    act(isa::make(Op::kBar).set_global_memory(true), {});
}

}  // namespace terrazzo::adreno::compiler
