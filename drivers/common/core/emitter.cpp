// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The function's frame, where values are, stores, and calls of kernels.
#include "drivers/common/core/emitter.h"

#include <cstddef>
#include <cstring>

namespace terrazzo::core {

namespace Inst = asmjit::x86::Inst;

namespace {

constexpr int32_t kGroup_B = sizeof(U32);
constexpr int32_t kRoom_B = 4 * kGroup_B;
constexpr int32_t kPage_B = 4096;
/// A smaller block has a frame of less than a page: an operation keeps at most five values, of two vectors.
constexpr size_t kProbedFrom = 5;
static_assert(kProbedFrom * 5 * 2 * 64 <= kPage_B - 2 * kRoom_B);

}  // namespace

Emitter::Emitter(x86::Compiler& cc, const MicroBlock& block, const EmitOptions& options)
    : cc_(cc), block_(block), wide_(options.wide), counts_bits_(options.counts_bits) {
    for (const MicroInstr& i : block.code)
        has_kernels_ |= i.op == MicroOp::Kernel;
    vector_B_ = wide_ ? 64 : 32;
    parts_ = !wide_ && has_kernels_ ? 2 : 1;
    temporaries_.resize(block.temporaries);
}

bool Emitter::run() {
    count_uses();
    begin();
    for (at_ = 0; at_ < block_.code.size() && !failed_; ++at_)
        instr(block_.code[at_]);
    end();
    return !failed_;
}

void Emitter::count_uses() {
    for (size_t n = 0; n < block_.code.size(); ++n) {
        const MicroInstr& i = block_.code[n];
        for (const Value& v : i.from)
            if (v.kind == Value::Kind::Register && !last_write_.contains(v.index)) ++reads_[v.index];
        if (i.to.kind == Value::Kind::Register) last_write_[i.to.index] = n;
    }
}

// ---- The frame --------------------------------------------------------------------------------------------

void Emitter::emit_probes() {
    for (int32_t at_B = kPage_B; at_B <= int32_t(kMaxFrame_B); at_B += kPage_B)
        cc_.test(x86::qword_ptr(x86::rsp, -at_B), x86::rsp);
}

void Emitter::begin() {
    if (block_.code.size() > kProbedFrom) emit_probes();
    constants_ = cc_.newLabel();
    call_ = cc_.newLabel();
    head_ = cc_.newLabel();
    next_ = cc_.newLabel();
    end_ = cc_.newLabel();
    function_ = cc_.addFunc(asmjit::FuncSignatureT<void, void*>());
    if (!function_) {
        failed_ = true;
        return;
    }
    function_->frame().setAvxEnabled();
    function_->frame().setAvxCleanup();
    if (wide_) function_->frame().setAvx512Enabled();
    if (has_kernels_) room_ = cc_.newStack(kRoom_B, kGroup_B);

    const Gp state = cc_.newGpq();
    function_->setArg(0, state);
    cc_.mov(left_ = cc_.newGpd(), x86::dword_ptr(state, offsetof(LaneState, groups)));
    cc_.mov(base_ = cc_.newGpq(), x86::qword_ptr(state, offsetof(LaneState, registers)));
    cc_.mov(uniforms_ = cc_.newGpq(), x86::qword_ptr(state, offsetof(LaneState, uniforms)));
    cc_.mov(running_ = cc_.newGpq(), x86::qword_ptr(state, offsetof(LaneState, running)));
    if (!block_.row_groups) {
        stride_B_ = cc_.newGpq();
        cc_.mov(stride_B_.r32(), x86::dword_ptr(state, offsetof(LaneState, row_groups)));
        cc_.shl(stride_B_, 6);
        static_assert(kGroup_B == 1 << 6);
    }
    if (parts_ * vector_B_ < kGroup_B) cc_.add(left_, left_);  // a unit is half a group
    cc_.test(left_, left_);
    cc_.jz(end_);

    cc_.bind(head_);
    lanes_ = cc_.newGpd();
    cc_.movzx(lanes_, parts_ * vector_B_ < kGroup_B ? x86::byte_ptr(running_) : x86::word_ptr(running_));
    cc_.test(lanes_, lanes_);
    cc_.jz(next_);
    if (wide_) cc_.kmovw(running_mask_ = cc_.newKw(), lanes_);
}

void Emitter::end() {
    if (!function_) return;
    const bool half = parts_ * vector_B_ < kGroup_B;
    cc_.bind(next_);
    cc_.add(base_, int32_t(parts_) * vector_B_);
    if (const int32_t rest_B = (int32_t(block_.group_distance) - 1) * kGroup_B) {
        // `left_` counts halves of groups, and is odd after the first half of a group.
        const Label same_group = cc_.newLabel();
        if (half) {
            cc_.test(left_, 1);
            cc_.jz(same_group);
        }
        cc_.add(base_, rest_B);
        cc_.bind(same_group);
    }
    cc_.add(running_, half ? 1 : 2);
    cc_.dec(left_);
    cc_.jnz(head_);
    cc_.bind(end_);
    cc_.ret();
    for (const PartialStore& s : partial_stores_)
        emit_partial_store(s);
    cc_.endFunc();
    if (has_kernels_) {
        // Kernels may be SSE code. At the call itself the registers' upper halves still hold values.
        cc_.bind(call_);
        cc_.vzeroupper();
        cc_.jmp(x86::r9);  // the sixth argument
    }
    emit_constants();
}

// ---- Constants --------------------------------------------------------------------------------------------

x86::Mem Emitter::word(uint32_t bits) {
    const auto [at, is_new] = words_.try_emplace(bits, int32_t(table_.size()));
    if (is_new) {
        // With 16 lanes, instructions broadcast a word by themselves.
        const size_t copies = wide_ ? 1 : 8, size_B = copies * sizeof(bits);
        table_.resize(table_.size() + size_B);
        for (size_t n = 0; n < copies; ++n)
            std::memcpy(table_.data() + at->second + n * sizeof(bits), &bits, sizeof(bits));
    }
    const Mem m = x86::ptr(constants_, at->second);
    return wide_ ? m._1to16() : m;
}

x86::Mem Emitter::pattern(const Pattern& bytes) {
    for (const auto& [known, at] : patterns_)
        if (known == bytes) return x86::ptr(constants_, at);
    const auto at = int32_t(table_.size());
    table_.insert(table_.end(), bytes.begin(), bytes.end());
    patterns_.emplace_back(bytes, at);
    return x86::ptr(constants_, at);
}

Emitter::Vec Emitter::zero() {
    const Vec d = fresh();
    cc_.emit(wide_ ? Inst::kIdVpxord : Inst::kIdVpxor, d, d, d);
    return d;
}

Emitter::Vec Emitter::splat(uint32_t bits) {
    if (bits == 0) return zero();
    Mem m = word(bits);
    m.resetBroadcast();
    const Vec d = fresh();
    cc_.emit(Inst::kIdVbroadcastss, d, m);
    return d;
}

Emitter::Vec Emitter::splat(const Pattern& bytes) {
    const Vec d = fresh();
    cc_.emit(wide_ ? Inst::kIdVbroadcasti32x4 : Inst::kIdVbroadcasti128, d, pattern(bytes));
    return d;
}

void Emitter::emit_constants() {
    if (table_.empty()) return;
    cc_.align(asmjit::AlignMode::kData, uint32_t(vector_B_));
    cc_.bind(constants_);
    cc_.embed(table_.data(), table_.size());
}

// ---- Values -----------------------------------------------------------------------------------------------

x86::Mem Emitter::row_at(uint32_t row, unsigned part) {
    const int64_t at_B = int64_t(row) * block_.row_groups * kGroup_B;
    if (at_B > INT32_MAX / 2) failed_ = true;
    const auto in_row_B = int32_t(part) * vector_B_;
    if (block_.row_groups || row == 0) return x86::ptr(base_, int32_t(at_B) + in_row_B);
    const Gp offset = cc_.newGpq();
    cc_.imul(offset, stride_B_, asmjit::Imm(row));
    return x86::ptr(base_, offset, 0, in_row_B);
}

void Emitter::load(Slot* slot, uint32_t row) {
    Mem m = row_at(row, 0);
    for (unsigned p = 0; p < parts_; ++p) {
        cc_.emit(Inst::kIdVmovups, slot->vec[p] = fresh(), m);
        m.addOffset(vector_B_);
    }
    slot->has_vec = true;
}

Emitter::Slot& Emitter::loaded(uint32_t row) {
    const auto [at, is_new] = rows_.try_emplace(row);
    if (is_new) load(&at->second, row);
    return at->second;
}

Emitter::Slot* Emitter::slot_of(const Value& v) {
    if (v.kind == Value::Kind::Temporary) return &temporaries_[v.index];
    if (v.kind != Value::Kind::Register) return nullptr;
    const auto at = rows_.find(v.index);
    return at == rows_.end() ? nullptr : &at->second;
}

Emitter::Vec Emitter::vec_of(Slot* slot, unsigned part) {
    if (!slot->has_vec) {
        if (!slot->has_mask) failed_ = true;  // a temporary that was not written
        const Vec d = fresh();
        if (slot->has_mask) cc_.vpmovm2d(d, slot->mask);
        slot->vec[part] = d;
        slot->has_vec = true;
    }
    return slot->vec[part];
}

Emitter::Vec Emitter::vec(const Value& v, unsigned part) {
    switch (v.kind) {
        case Value::Kind::Temporary:
            return vec_of(&temporaries_[v.index], part);
        case Value::Kind::Register:
            return vec_of(&loaded(v.index), part);
        case Value::Kind::Uniform: {
            if (v.index > INT32_MAX / 4) failed_ = true;
            const Vec d = fresh();
            cc_.emit(Inst::kIdVbroadcastss, d, x86::dword_ptr(uniforms_, int32_t(v.index) * 4));
            return d;
        }
        case Value::Kind::Constant:
            return splat(v.index);
        case Value::Kind::None:
            break;
    }
    return zero();
}

/// A register, or memory that an instruction of 32-bit elements can read.
asmjit::Operand Emitter::rm(const Value& v, unsigned part) {
    if (v.kind == Value::Kind::Constant) return word(v.index);
    if (v.kind == Value::Kind::Uniform && wide_ && v.index <= INT32_MAX / 4)
        return x86::ptr(uniforms_, int32_t(v.index) * 4)._1to16();
    // Read once: the instruction loads it.
    if (v.kind == Value::Kind::Register && !slot_of(v) && parts_ == 1 && reads_[v.index] == 1)
        return row_at(v.index, part);
    return vec(v, part);
}

bool Emitter::is_truth(const Value& v) const {
    if (v.kind == Value::Kind::Constant) return v.index == 0 || v.index == ~0u;
    if (v.kind == Value::Kind::Temporary) return temporaries_[v.index].truth;
    if (v.kind != Value::Kind::Register) return false;
    const auto at = rows_.find(v.index);
    return at != rows_.end() && at->second.truth;
}

/// The lanes that are not zero. Only with 16 lanes.
x86::KReg Emitter::mask_of(const Value& v) {
    Slot* const slot = slot_of(v);
    if (slot && slot->has_mask && slot->truth) return slot->mask;
    const KReg k = cc_.newKw();
    const Vec a = vec(v, 0);
    if (is_truth(v))
        cc_.vpmovd2m(k, a);
    else
        cc_.emit(Inst::kIdVptestmd, k, a, a);
    if (Slot* const now = slot_of(v); now && now->truth) {
        now->mask = k;
        now->has_mask = true;
    }
    return k;
}

// ---- Instructions -----------------------------------------------------------------------------------------

void Emitter::instr(const MicroInstr& i) {
    Slot out;
    if (i.op == MicroOp::Kernel)
        call_kernel(i, &out);
    else
        compute(i, &out);
    if (i.to.kind == Value::Kind::Temporary) {
        temporaries_[i.to.index] = out;
        return;
    }
    if (last_write_[i.to.index] == at_) store(i.to.index, &out);
    rows_[i.to.index] = out;
}

void Emitter::store(uint32_t row, Slot* slot) {
    Mem to = row_at(row, 0);
    if (wide_) {
        const Vec v = vec_of(slot, 0);
        cc_.k(running_mask_).vmovups(to, v.as<x86::Zmm>());
        return;
    }
    for (unsigned p = 0; p < parts_; ++p) {
        const PartialStore s{cc_.newLabel(), cc_.newLabel(), vec_of(slot, p), Gp(), to, p};
        cc_.cmp(lanes_, parts_ == 2 ? 0xffff : 0xff);
        cc_.jne(s.begin);
        cc_.emit(Inst::kIdVmovups, to, s.value);
        cc_.bind(s.back);
        partial_stores_.push_back(s);
        to.addOffset(vector_B_);
    }
}

void Emitter::emit_partial_store(const PartialStore& s) {
    static constexpr uint32_t kLaneBits[2][8] = {{1, 2, 4, 8, 16, 32, 64, 128},
                                                 {256, 512, 1024, 2048, 4096, 8192, 16384, 32768}};
    const auto half = [&](unsigned n) {
        Pattern bytes;
        std::memcpy(bytes.data(), kLaneBits[s.part] + 4 * n, sizeof(bytes));
        return bytes;
    };
    cc_.bind(s.begin);
    const Vec bits = fresh(), lanes = fresh(), old = fresh();
    cc_.vbroadcasti128(bits.as<x86::Ymm>(), pattern(half(0)));
    cc_.vinserti128(bits.as<x86::Ymm>(), bits.as<x86::Ymm>(), pattern(half(1)), 1);
    cc_.vmovd(lanes.xmm(), lanes_);
    cc_.vpbroadcastd(lanes.as<x86::Ymm>(), lanes.xmm());
    cc_.emit(Inst::kIdVpand, lanes, lanes, bits);
    cc_.emit(Inst::kIdVpcmpeqd, lanes, lanes, bits);
    cc_.emit(Inst::kIdVmovups, old, s.to);
    cc_.emit(Inst::kIdVblendvps, old, old, s.value, lanes);
    cc_.emit(Inst::kIdVmovups, s.to, old);
    cc_.jmp(s.back);
}

void Emitter::call_kernel(const MicroInstr& i, Slot* out) {
    // In the order of MicroKernel's parameters, then the kernel for the code at call_.
    Gp args[6];
    for (Gp& g : args)
        g = cc_.newGpq();
    for (unsigned n = 0; n < 3; ++n) {
        const Value& v = i.from[n];
        if (v.kind == Value::Kind::Register && !slot_of(v)) {
            cc_.lea(args[n], row_at(v.index, 0));
            continue;
        }
        Mem m = room_;
        m.addOffset(int64_t(n) * kGroup_B);
        cc_.lea(args[n], m);
        for (unsigned p = 0; p < parts_; ++p) {
            cc_.emit(Inst::kIdVmovups, m, vec(v, p));
            m.addOffset(vector_B_);
        }
    }
    Mem result = room_;
    result.addOffset(3 * kGroup_B);
    cc_.mov(args[3], asmjit::Imm(i.imm.data));
    cc_.lea(args[4], result);
    cc_.mov(args[5], asmjit::Imm(reinterpret_cast<uintptr_t>(i.kernel)));
    asmjit::FuncSignatureBuilder signature(asmjit::CallConvId::kHost);
    signature.setRet(asmjit::TypeId::kVoid);
    for (size_t n = 0; n < std::size(args); ++n)
        signature.addArg(asmjit::TypeId::kUInt64);
    asmjit::InvokeNode* node = nullptr;
    if (cc_.invoke(&node, call_, signature) != asmjit::kErrorOk) {
        failed_ = true;
        return;
    }
    for (size_t n = 0; n < std::size(args); ++n)
        node->setArg(n, args[n]);
    for (unsigned p = 0; p < parts_; ++p) {
        cc_.emit(Inst::kIdVmovups, out->vec[p] = fresh(), result);
        result.addOffset(vector_B_);
    }
    out->has_vec = true;
}

}  // namespace terrazzo::core
