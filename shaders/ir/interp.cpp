// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs flat programs (interp_code.h). Nothing is allocated here.
#include "shaders/ir/interp.h"

#include <algorithm>
#include <cstring>

#include "shaders/ir/half.h"
#include "shaders/ir/interp_code.h"

namespace terrazzo::ir {

using Code = InterpProgram::Code;
using Kind = Code::Kind;

InterpState::InterpState(const InterpProgram& p)
    : program_(p),
      rows_(std::make_unique<uint32_t[]>(size_t(p.row_count_) * p.lanes_)),
      frames_(std::make_unique<Frame[]>(size_t(p.mask_depth_) + 1)) {
    for (auto [row, word] : p.constant_rows_)
        std::fill_n(&rows_[size_t(row) * p.lanes_], p.lanes_, word);
    for (auto [row, word] : p.wide_constants_)
        for (unsigned i = 0; i < p.lanes_; i++)
            std::memcpy(&rows_[size_t(row) * p.lanes_ + 2 * size_t(i)], &word, sizeof word);
}

std::span<uint32_t> InterpState::var_row(uint32_t var_id, uint32_t component) {
    const InterpProgram::VarRows& v = program_.vars_[var_id];
    const unsigned words = bit_size(v.type) == 64 ? 2 : 1;
    return {&rows_[size_t(v.first_row + component * words) * program_.lanes_],
            size_t(words) * program_.lanes_};
}

class InterpRun {
  public:
    InterpRun(const InterpProgram& p, InterpState& s, InterpEnv& env, InterpMask mask, uint64_t budget)
        : p_(p), s_(s), env_(env), lanes_(p.lanes_), wanted_(mask), mask_(mask), budget_(budget) {}
    InterpStatus operator()();

  private:
    uint32_t* row(uint32_t r) { return &s_.rows_[size_t(r) * lanes_]; }
    InterpMask truth(uint32_t r);
    void masked_copy(uint32_t* dst, const uint32_t* src, bool wide);
    void derivative(const Code& c);
    uint32_t element(const Code& c, const InterpProgram::VarRows& v, unsigned lane);
    void load_var(const Code& c);
    void store_var(const Code& c);
    void load_uniform(const Code& c);
    void tex(const Code& c);
    void memory(const Code& c);
    void image(Op op, const MemInfo& info, InterpMask lanes, const uint32_t* const* operands,
               uint32_t* const* results);
    void buffer(Op op, const MemInfo& info, InterpMask lanes, const uint32_t* const* operands,
                uint32_t* const* results);
    void move(const Code& c);
    bool flow(const Code& c, uint32_t& pc);

    const InterpProgram& p_;
    InterpState& s_;
    InterpEnv& env_;
    const unsigned lanes_;
    const InterpMask wanted_;  // lanes that may store
    InterpMask mask_;          // lanes that run
    InterpMask all_ = 0;       // lanes that ran at the start
    InterpMask discarded_ = 0;
    // The innermost loop's state; the outer ones' lie in frames.
    InterpMask active_ = 0, remaining_ = 0;
    uint64_t budget_;
    InterpState::Frame* frame_ = nullptr;
};

InterpMask InterpRun::truth(uint32_t r) {
    const uint32_t* v = row(r);
    InterpMask m = 0;
    for (unsigned i = 0; i < lanes_; i++)
        m |= InterpMask(v[i] & 1) << i;
    return m;
}

void InterpRun::masked_copy(uint32_t* dst, const uint32_t* src, bool wide) {
    if (mask_ == all_) {  // lanes that never ran may be written
        std::memcpy(dst, src, size_t(lanes_) * (wide ? 8 : 4));
        return;
    }
    if (wide) {
        for (unsigned i = 0; i < lanes_; i++)
            if (mask_ >> i & 1) std::memcpy(dst + 2 * i, src + 2 * i, 8);
        return;
    }
    for (unsigned i = 0; i < lanes_; i++)
        dst[i] = (mask_ >> i & 1) ? src[i] : dst[i];
}

void InterpRun::derivative(const Code& c) {
    const bool half = c.type == Type::F16;
    const uint32_t* src = row(c.a);
    uint32_t* dst = row(c.dst);
    const auto get = [&](unsigned i) {
        return half ? half_to_float(uint16_t(src[i])) : std::bit_cast<float>(src[i]);
    };
    const auto put = [&](unsigned i, float f) {
        dst[i] = half ? half_from_float(f) : std::bit_cast<uint32_t>(f);
    };
    for (unsigned q = 0; q < lanes_; q += 4) {
        const float v[4] = {get(q), get(q + 1), get(q + 2), get(q + 3)};
        for (unsigned i = 0; i < 4; i++) {
            const unsigned row_start = i & 2, column = i & 1;
            float d = 0;
            if (c.kind == Kind::Ddx) d = v[1] - v[0];
            if (c.kind == Kind::Ddy) d = v[2] - v[0];
            if (c.kind == Kind::DdxFine) d = v[row_start + 1] - v[row_start];
            if (c.kind == Kind::DdyFine) d = v[column + 2] - v[column];
            put(q + i, d);
        }
    }
}

/// The component that a lane accesses. An index out of range, which valid shaders do not have, is clamped.
uint32_t InterpRun::element(const Code& c, const InterpProgram::VarRows& v, unsigned lane) {
    const uint64_t i = uint64_t(c.io.component) + row(c.b)[lane];
    return uint32_t(std::min<uint64_t>(i, v.count - 1));
}

void InterpRun::load_var(const Code& c) {
    const InterpProgram::VarRows& v = p_.vars_[c.target];
    const unsigned words = c.wide ? 2 : 1;
    uint32_t* dst = row(c.dst);
    if (c.b == Code::kNone) {
        std::memcpy(dst, row(v.first_row + c.io.component * words), size_t(lanes_) * words * 4);
        return;
    }
    for (unsigned i = 0; i < lanes_; i++)
        std::memcpy(dst + i * words, row(v.first_row + element(c, v, i) * words) + i * words, words * 4);
}

void InterpRun::store_var(const Code& c) {
    const InterpProgram::VarRows& v = p_.vars_[c.target];
    const unsigned words = c.wide ? 2 : 1;
    if (c.b == Code::kNone) return masked_copy(row(v.first_row + c.io.component * words), row(c.a), c.wide);
    const uint32_t* src = row(c.a);
    for (unsigned i = 0; i < lanes_; i++)
        if (mask_ >> i & 1)
            std::memcpy(row(v.first_row + element(c, v, i) * words) + i * words, src + i * words, words * 4);
}

void InterpRun::load_uniform(const Code& c) {
    const unsigned words = c.wide ? 2 : 1;
    uint32_t* dst = row(c.dst);
    for (unsigned i = 0; i < lanes_; i++) {
        uint64_t at = c.io.slot;
        if (c.a != Code::kNone) at += std::min(row(c.a)[i], c.io.count ? c.io.count - 1 : 0);
        for (unsigned w = 0; w < words; w++)
            dst[i * words + w] = at + w < env_.uniforms.size() ? env_.uniforms[at + w] : 0;
        if (c.type == Type::Bool) dst[i] = dst[i] != 0;
    }
}

void InterpRun::tex(const Code& c) {
    InterpTex t{};
    t.info = &p_.tex_[c.extra];
    t.lanes = lanes_;
    t.mask = mask_;
    const uint32_t* operands = &p_.operand_rows_[c.first];
    const TexOperands o = tex_operands(*t.info);
    const auto at = [&](int n) { return n < 0 ? nullptr : row(operands[n]); };
    for (int n = 0; o.coord >= 0 && n < t.info->coord_count; n++)
        t.coord[n] = at(o.coord + n);
    t.ref = at(o.ref);
    t.lod = at(o.lod);
    for (int n = 0; n < o.gradient_count; n++) {
        t.ddx[n] = at(o.ddx + n);
        t.ddy[n] = at(o.ddy + n);
    }
    for (int n = 0; o.offset >= 0 && n < 2; n++)
        t.offset[n] = at(o.offset + n);
    t.index = at(o.index);
    t.result_count = c.result_count;
    for (unsigned n = 0; n < c.result_count; n++)
        t.out[n] = row(operands[c.operand_count + n]);
    env_.tex(t);
}

void InterpRun::memory(const Code& c) {
    // The longest of these (compare-exchange on an array image) has seven operands.
    const uint32_t* operands[16];
    uint32_t* results[8];
    const unsigned operand_count = std::min<unsigned>(c.operand_count, 16);
    const unsigned result_count = std::min<unsigned>(c.result_count, 8);
    for (unsigned n = 0; n < operand_count; n++)
        operands[n] = row(p_.operand_rows_[c.first + n]);
    for (unsigned n = 0; n < result_count; n++)
        results[n] = row(p_.operand_rows_[c.first + c.operand_count + n]);
    const MemInfo& info = p_.mem_[c.extra];
    const InterpMask lanes = writes_memory(c.op) ? mask_ & wanted_ & ~discarded_ : mask_;
    if (c.op == Op::Barrier) return env_.barrier(info);
    return is_image(c.op) ? image(c.op, info, lanes, operands, results)
                          : buffer(c.op, info, lanes, operands, results);
}

namespace {

/// The slots that an access may select. `bound`: how many of them exist; no index selects the others.
template <class Range>
const Range* slots_of(std::span<const Range> all, MemInfo& bound) {
    const auto first = std::min(size_t(bound.binding), all.size());
    bound.count = uint32_t(std::min<size_t>(bound.count, all.size() - first));
    return all.data() + first;
}

}  // namespace

void InterpRun::image(Op op, const MemInfo& info, InterpMask lanes, const uint32_t* const* operands,
                      uint32_t* const* results) {
    MemInfo bound = info;
    const MemOperands o = mem_operands(op, info);
    ImageAccess a;
    a.op = op;
    a.slots = slots_of(env_.images(), bound);
    a.info = &bound;
    a.lanes = lanes_;
    a.mask = lanes;
    for (int n = 0; n < o.place_count; n++)
        a.coord[n] = operands[o.place + n];
    if (o.index >= 0) a.index = operands[o.index];
    for (int n = 0; n < o.value_count; n++)
        a.value[n] = operands[o.value + n];
    for (unsigned n = 0; n < mem_result_count(op, info); n++)
        a.out[n] = results[n];
    access_image(a);
}

void InterpRun::buffer(Op op, const MemInfo& info, InterpMask lanes, const uint32_t* const* operands,
                       uint32_t* const* results) {
    MemInfo bound = info;
    const MemOperands o = mem_operands(op, info);
    BufferAccess a;
    a.op = op;
    a.slots = slots_of(env_.slots(info.space), bound);
    a.info = &bound;
    a.lanes = lanes_;
    a.mask = lanes;
    if (o.place >= 0) a.offset = operands[o.place];
    if (o.index >= 0) a.index = operands[o.index];
    for (int n = 0; n < o.value_count; n++)
        a.value[n] = operands[o.value + n];
    for (unsigned n = 0; n < mem_result_count(op, info); n++)
        a.out[n] = results[n];
    access_buffer(a);
}

void InterpRun::move(const Code& c) {
    switch (c.kind) {
        case Kind::Alu:
            c.kernel(row(c.dst), row(c.a), row(c.b), row(c.c), row(c.d), lanes_);
            break;
        case Kind::Ddx:
        case Kind::Ddy:
        case Kind::DdxFine:
        case Kind::DdyFine:
            derivative(c);
            break;
        case Kind::LoadVar:
            load_var(c);
            break;
        case Kind::StoreVar:
            store_var(c);
            break;
        case Kind::Input:
            env_.load_input(c.io, c.type, c.a == Code::kNone ? nullptr : row(c.a), row(c.dst));
            break;
        case Kind::InputAt: {
            const uint32_t* const place[2] = {c.a == Code::kNone ? nullptr : row(c.a),
                                              c.b == Code::kNone ? nullptr : row(c.b)};
            env_.load_input_at(c.io, c.type, place, row(c.dst));
            break;
        }
        case Kind::Output: {
            const InterpMask m = mask_ & wanted_ & ~discarded_;
            if (m) env_.store_output(c.io, c.type, m, row(c.a));
            break;
        }
        case Kind::Uniform:
            load_uniform(c);
            break;
        case Kind::Sysval:
            env_.load_sysval(Sysval(c.io.slot), c.io.component, c.type, row(c.dst));
            break;
        case Kind::Tex:
            tex(c);
            break;
        case Kind::Memory:
            memory(c);
            break;
        case Kind::Discard:
            discarded_ |= truth(c.a) & mask_;
            break;
        case Kind::Copy:
            std::memcpy(row(c.dst), row(c.a), size_t(lanes_) * (c.wide ? 8 : 4));
            break;
        case Kind::MaskedCopy:
            masked_copy(row(c.dst), row(c.a), c.wide);
            break;
        case Kind::If:
        case Kind::Else:
        case Kind::EndIf:
        case Kind::Loop:
        case Kind::EndLoop:
        case Kind::Break:
        case Kind::Continue:
            break;
    }
}

/// False: the budget is spent.
bool InterpRun::flow(const Code& c, uint32_t& pc) {
    switch (c.kind) {
        case Kind::If:
            *frame_ = {mask_, truth(c.a), 0, 0};
            mask_ &= frame_->condition;
            frame_++;
            if (!mask_) pc = c.target;
            break;
        case Kind::Else:
            mask_ = frame_[-1].saved & ~frame_[-1].condition;
            if (!mask_) pc = c.target;
            break;
        case Kind::EndIf:
            // Lanes that neither arm removed from the iteration continue.
            frame_--;
            mask_ = frame_->saved & active_;
            if (!mask_ && c.target != Code::kNone) pc = c.target;
            break;
        case Kind::Loop:
            *frame_++ = {mask_, 0, active_, remaining_};
            active_ = remaining_ = mask_;
            break;
        case Kind::EndLoop:
            if (remaining_) {
                if (!budget_-- || (budget_ % InterpEnv::kTurnsPerAsk == 0 && !env_.goes_on())) return false;
                active_ = mask_ = remaining_;
                pc = c.target;
            } else {
                frame_--;
                mask_ = frame_->saved;
                active_ = frame_->active;
                remaining_ = frame_->remaining;
            }
            break;
        case Kind::Break:
            remaining_ &= ~mask_;
            [[fallthrough]];
        case Kind::Continue:
            active_ &= ~mask_;
            mask_ = 0;
            break;
        case Kind::Alu:
        case Kind::Ddx:
        case Kind::Ddy:
        case Kind::DdxFine:
        case Kind::DdyFine:
        case Kind::LoadVar:
        case Kind::StoreVar:
        case Kind::Input:
        case Kind::InputAt:
        case Kind::Output:
        case Kind::Uniform:
        case Kind::Sysval:
        case Kind::Tex:
        case Kind::Memory:
        case Kind::Discard:
        case Kind::Copy:
        case Kind::MaskedCopy:
            break;
    }
    return true;
}

InterpStatus InterpRun::operator()() {
    s_.discarded_ = 0;
    if (p_.quads_) {
        mask_ = 0;
        for (unsigned q = 0; q < lanes_; q += 4)
            if (wanted_ >> q & 15) mask_ |= InterpMask(15) << q;
    }
    if (!mask_) return InterpStatus::Done;
    all_ = active_ = remaining_ = mask_;
    frame_ = s_.frames_.get();
    for (const InterpProgram::VarRows& v : p_.vars_)
        if (v.storage == Storage::Local)
            std::fill_n(row(v.first_row), size_t(v.count) * lanes_ * (bit_size(v.type) == 64 ? 2 : 1), 0);
    InterpStatus status = InterpStatus::Done;
    const uint32_t end = uint32_t(p_.code_.size());
    for (uint32_t pc = 0; pc < end;) {
        const Code& c = p_.code_[pc++];
        if (c.kind < Kind::If) {
            move(c);
            // Only helpers are left, and they have no effect.
            if (c.kind == Kind::Discard && !(wanted_ & ~discarded_)) break;
        } else if (!flow(c, pc)) {
            status = InterpStatus::OutOfBudget;
            break;
        }
    }
    s_.discarded_ = discarded_;
    return status;
}

InterpStatus run(const InterpProgram& p, InterpState& state, InterpEnv& env, InterpMask mask,
                 uint64_t budget) {
    return InterpRun(p, state, env, mask, budget)();
}

}  // namespace terrazzo::ir
