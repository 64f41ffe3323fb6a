// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The preamble (planned by shaders/passes/preamble.h): one invocation of the first wave computes values that
// are constant in a draw, and stores them in constants. Facts: Mesa 25.0.7, ir3_nir_opt_preamble.c, ir3.c
// (ir3_create_empty_preamble), ir3_legalize.c: shps jumps if the preamble has run, getone selects one
// invocation, shpe waits for all stores.
#include <algorithm>

#include "drivers/adreno/compiler/selector.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Op;
using isa::Type;

namespace {

/// stc stores to the first 256 dwords of the constants without a1.x, and to 256 dwords from a1.x on with it.
constexpr uint32_t kMaxNumber_dw = 256;
/// The least gain, in instructions. Every wave executes shps.
constexpr unsigned kLeastGain = 2;

/// The operations that a preamble may contain, and how many instructions each saves per invocation.
class Model final : public ir::PreambleModel {
  public:
    /// `tables`: by variable, kNoTable if the variable is not a table.
    Model(std::span<const uint32_t> tables, uint32_t most_dw) : tables_(tables) {
        max_dw = most_dw;
        min_gain = kLeastGain;
    }

    [[nodiscard]] ir::Scope scope(const ir::Shader& s, const ir::Instr& i) const override {
        switch (i.op) {
            case ir::Op::LoadSysval:
                return param_of(i.u.io) ? ir::Scope::Draw : UniformitySources::scope(s, i);
            case ir::Op::LoadVar:
                return tables_[i.var->id] != kNoTable ? ir::Scope::Draw : ir::Scope::Invocation;
            case ir::Op::LoadBuffer:
                return is_stage_buffer(*i.u.mem) ? ir::Scope::Invocation : UniformitySources::scope(s, i);
            default:
                return UniformitySources::scope(s, i);
        }
    }

    [[nodiscard]] bool can_compute(const ir::Instr& i) const override {
        // Halves in constants are stored as floats.
        for (unsigned k = 0; k < i.result_count; k++)
            if (i.result(k)->type == ir::Type::I16) return false;
        if (i.op == ir::Op::BufferSize) return false;
        return i.op == ir::Op::LoadVar || PreambleModel::can_compute(i);
    }

    [[nodiscard]] unsigned gain(const ir::Instr& i) const override {
        switch (i.op) {
            // A modifier, or the location of a constant.
            case ir::Op::FNeg:
            case ir::Op::FAbs:
            case ir::Op::B2I:
                return 0;
            case ir::Op::F2F:
                return is_half(i.result()->type) ? 0 : 1;
            case ir::Op::LoadVar:
                return 4;
            default:
                return PreambleModel::gain(i);
        }
    }

  private:
    std::span<const uint32_t> tables_;
};

}  // namespace

void Selector::plan_preamble() {
    if (!options_.preamble) return;
    preamble_.emplace(s_, Model(tables_, max_preamble_dw()));
    if (preamble_->empty())
        preamble_.reset();
    else
        emit_preamble();
}

/// Collects four results at a time in registers and stores them.
void Selector::leave_in_constants() {
    const std::span<const ir::Value* const> results = preamble_->results();
    const bool relative = uniforms_end_dw() + 3 + kMaxParams_dw + results.size() > kMaxNumber_dw;
    const Word a1 = relative ? f_.fixed_word(kUnitA1, kSpecialClass) : kNoWord;
    if (relative) alu_to(a1, move_of(Type::kU16, Type::kU16), {{.kind = Ref::Kind::PreambleAt}});
    for (size_t at = 0; at < results.size(); at += 4) {
        const size_t count = std::min<size_t>(results.size() - at, 4);
        Ref refs[4];
        for (size_t k = 0; k < count; k++) {
            refs[k] = use(results[at + k]);
            if (is_half(results[at + k]->type))
                refs[k] = convert(Type::kF16, Type::kF32, in_register(refs[k]));
            else if (refs[k].half)  // a condition that selects halves
                refs[k] = convert(Type::kU16, Type::kU32, in_register(refs[k]));
        }
        isa::Instr p = isa::make(Op::kStc).set_type(Type::kU32).set_size(unsigned(count));
        act(p.set_constant_relative(relative), {Ref::run(collect({refs, count}), unsigned(count)),
                                                {.kind = Ref::Kind::PreambleAt, .index = uint32_t(at)},
                                                relative ? Ref::word(a1) : Ref{}});
    }
    f_.preamble_dw = uint32_t(results.size());
}

void Selector::emit_preamble() {
    const Branch ran = push_branch(isa::make(Op::kShps));
    begin_block();
    const Branch others = push_branch(isa::make(Op::kGetone));
    begin_block();
    in_preamble_ = true;
    for_each([&](const ir::Instr& i) {
        if (preamble_->home(i) != ir::PreamblePlan::Home::Main && f_.error.empty()) visit(i);
    });
    leave_in_constants();
    in_preamble_ = false;
    push_branch(isa::make(Op::kShpe));
    f_.main_block = uint32_t(begin_block());
    aim(ran, int32_t(f_.main_block));
    aim(others, int32_t(f_.main_block));
    constexpr uint8_t kNested = 2;
    info_.branch_stack = std::max(info_.branch_stack, kNested);
    // The main part computes values that both parts need a second time.
    std::fill(values_.begin(), values_.end(), Ref{});
    std::fill(deferred_.begin(), deferred_.end(), uint8_t(0));
    const std::span<const ir::Value* const> results = preamble_->results();
    for (uint32_t k = 0; k < results.size(); k++)
        set(results[k], {.kind = Ref::Kind::Preamble, .half = is_half(results[k]->type), .index = k});
}

}  // namespace terrazzo::adreno::compiler
