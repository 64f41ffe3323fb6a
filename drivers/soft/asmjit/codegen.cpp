// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The frame of a shader's function (arguments, constants, calls) and the emission of its instructions.
#include "drivers/soft/asmjit/codegen.h"

#include <cstring>
#include <new>

#include "drivers/soft/interp/lower.h"

namespace terrazzo::soft::tier1 {

using asmjit::Imm;
using asmjit::Operand;
using ir::Op;
using ir::Type;

Codegen::Codegen(x86::Compiler& cc, const ir::Shader& shader, const CompiledShader& info, bool fma)
    : cc_(cc),
      shader_(shader),
      info_(info),
      fma_(fma),
      steps_(lane_uniformity(shader, kLanes)),
      table_label_(cc.newLabel()),
      jump_label_(cc.newLabel()),
      look_label_(cc.newLabel()),
      values_(shader.value_count()),
      vars_(shader.vars().size()) {}

x86::Mem Codegen::pattern(const Row& row) {
    size_t n = 0;
    while (n < table_.size() && table_[n] != row)
        ++n;
    if (n == table_.size()) table_.push_back(row);
    return x86::ptr(table_label_, int32_t(n) * kRow_B);
}

x86::Mem Codegen::words(uint32_t bits) {
    const auto [at, is_new] = splats_.try_emplace(bits, uint32_t(table_.size()));
    if (is_new) table_.emplace_back().fill(bits);
    return x86::ptr(table_label_, int32_t(at->second) * kRow_B);
}

Codegen::Ymm Codegen::zero() {
    const Ymm d = fresh();
    cc_.vpxor(d, d, d);
    return d;
}

Codegen::Ymm Codegen::reg(const V& v) {
    if (v.kind == V::Kind::Reg) return v.reg;
    if (v.kind == V::Kind::Uniform) return broadcast(x86::ptr(uniforms_, int32_t(v.bits))).reg;
    if (v.kind == V::Kind::Block) {
        const Ymm d = fresh();
        move(d, v);
        return d;
    }
    if (v.bits == 0) return zero();
    const Ymm d = fresh();
    if (v.bits == ~0u)
        cc_.vpcmpeqd(d, d, d);
    else
        cc_.vmovaps(d, words(v.bits));
    return d;
}

Operand Codegen::rm(const V& v) {
    if (v.kind == V::Kind::Const) return words(v.bits);
    return reg(v);
}

Codegen::V Codegen::emit_to(const Ymm& to, InstId id, const V& a) {
    cc_.emit(id, to, rm(a));
    return to;
}
Codegen::V Codegen::emit(InstId id, const V& a, const V& b) {
    const Ymm in_a = reg(a);
    const Operand in_b = rm(b);
    const Ymm d = fresh();
    cc_.emit(id, d, in_a, in_b);
    return d;
}
Codegen::V Codegen::emit_imm(InstId id, const V& a, unsigned imm) {
    const Operand in_a = rm(a);
    const Ymm d = fresh();
    cc_.emit(id, d, in_a, Imm(imm));
    return d;
}
Codegen::V Codegen::emit_commuting(InstId id, const V& a, const V& b) {
    return a.kind == V::Kind::Const ? emit(id, b, a) : emit(id, a, b);
}

Codegen::V Codegen::blend(const V& mask, const V& then_value, const V& else_value) {
    const auto is_zero = [](const V& v) { return v.kind == V::Kind::Const && v.bits == 0; };
    if (is_zero(else_value)) return bit_and(mask, then_value);
    if (is_zero(then_value)) return and_not(else_value, mask);
    const Ymm in_mask = reg(mask), in_else = reg(else_value);
    const Operand in_then = rm(then_value);
    const Ymm d = fresh();
    cc_.emit(Inst::kIdVblendvps, d, in_else, in_then, in_mask);
    return d;
}

void Codegen::move(const Ymm& to, const V& from) {
    if (from.kind == V::Kind::Uniform) {
        cc_.vbroadcastss(to, x86::ptr(uniforms_, int32_t(from.bits)));
    } else if (from.kind == V::Kind::Block) {
        const Gp range = ranges(ir::Storage::UniformBlock);
        const auto slot_B = int32_t(from.bits / kMaxUniformBlock_B * sizeof(ir::MemoryRange));
        cc_.mov(range, x86::ptr(range, slot_B + int32_t(offsetof(ir::MemoryRange, data))));
        cc_.vbroadcastss(to, x86::ptr(range, int32_t(from.bits % kMaxUniformBlock_B)));
    } else if (from.kind == V::Kind::Const && from.bits == 0) {
        cc_.vpxor(to, to, to);
    } else {
        cc_.emit(Inst::kIdVmovaps, to, rm(from));
    }
}

void Codegen::store(const V& v, x86::Mem to) {
    to.setSize(32);
    cc_.vmovups(to, reg(v));
}
Codegen::V Codegen::load(x86::Mem from) {
    from.setSize(32);
    const Ymm d = fresh();
    cc_.vmovups(d, from);
    return d;
}
Codegen::V Codegen::broadcast(const x86::Mem& from) {
    const Ymm d = fresh();
    cc_.vbroadcastss(d, from);
    return d;
}

Codegen::V Codegen::as_words(const V& v, Type t) {
    if (t != Type::Bool) return v;
    if (v.kind == V::Kind::Const) return splat(v.bits >> 31);
    return emit_imm(Inst::kIdVpsrld, reg(v), 31);
}
Codegen::V Codegen::from_words(const V& v, Type t) {
    return t == Type::Bool ? bit_not(emit(Inst::kIdVpcmpeqd, v, splat(0))) : v;
}

Codegen::Gp Codegen::address(const x86::Mem& m) {
    const Gp p = fresh_gp();
    cc_.lea(p, m);
    return p;
}

/// Calls go through a stub after the function. The stub clears the upper halves of the registers, as the
/// callee may be SSE code. At the call itself they still hold values.
void Codegen::call_stub(const Label& stub, std::initializer_list<Operand> args) {
    asmjit::FuncSignatureBuilder signature(asmjit::CallConvId::kHost);
    signature.setRet(asmjit::TypeId::kVoid);
    for (size_t n = 0; n < args.size(); ++n)
        signature.addArg(asmjit::TypeId::kUInt64);
    asmjit::InvokeNode* node = nullptr;
    if (cc_.invoke(&node, stub, signature) != asmjit::kErrorOk) {
        problem_ = "a call cannot be emitted";
        return;
    }
    size_t n = 0;
    for (const Operand& a : args)
        if (a.isImm())
            node->setArg(n++, a.as<Imm>());
        else
            node->setArg(n++, a.as<Gp>());
}

Codegen::Symbol& Codegen::symbol(std::string_view name) {
    for (Symbol& s : symbols_)
        if (s.name == name) return s;
    return symbols_.emplace_back(Symbol{std::string(name), cc_.newLabel(), cc_.newLabel()});
}

Codegen::Gp Codegen::address(std::string_view name) {
    const Gp p = fresh_gp();
    cc_.mov(p, x86::qword_ptr(symbol(name).slot));
    return p;
}

/// The vector registers of an x86-64 processor without AVX-512.
constexpr unsigned kRegisters = 16;

/// Emits a call that checks the time limit. The stub saves every register, so that loops do not spill for a
/// rare call.
void Codegen::call_look() {
    asmjit::FuncSignatureBuilder signature(asmjit::CallConvId::kHost);
    signature.setRet(asmjit::TypeId::kVoid);
    signature.addArg(asmjit::TypeId::kUInt64);
    asmjit::InvokeNode* node = nullptr;
    if (cc_.invoke(&node, look_label_, signature) != asmjit::kErrorOk) {
        problem_ = "a call cannot be emitted";
        return;
    }
    node->setArg(0, watch_);
    for (const asmjit::RegGroup group : {asmjit::RegGroup::kGp, asmjit::RegGroup::kVec})
        node->detail()._callConv.setPreservedRegs(group,
                                                  asmjit::Support::lsbMask<asmjit::RegMask>(kRegisters));
}

/// Calls Watch::look; rdi holds the watch.
void Codegen::emit_look_stub() {
    static constexpr const x86::Gp* kOthers[] = {&x86::rax, &x86::rcx, &x86::rdx, &x86::rsi, &x86::rdi,
                                                 &x86::r8,  &x86::r9,  &x86::r10, &x86::r11};
    // With the return address, the stack pointer is a multiple of 16 again.
    static_assert(std::size(kOthers) % 2 == 1);
    cc_.bind(look_label_);
    for (const x86::Gp* r : kOthers)
        cc_.push(*r);
    cc_.sub(x86::rsp, kRegisters * kRow_B);
    for (unsigned n = 0; n < kRegisters; ++n)
        cc_.vmovups(x86::ymmword_ptr(x86::rsp, int32_t(n * kRow_B)), x86::ymm(n));
    cc_.vzeroupper();
    cc_.call(x86::qword_ptr(x86::rdi, offsetof(Watch, look)));
    for (unsigned n = 0; n < kRegisters; ++n)
        cc_.vmovups(x86::ymm(n), x86::ymmword_ptr(x86::rsp, int32_t(n * kRow_B)));
    cc_.add(x86::rsp, kRegisters * kRow_B);
    for (size_t n = std::size(kOthers); n-- > 0;)
        cc_.pop(*kOthers[n]);
    cc_.emit(Inst::kIdRet);  // not ret(), which would end a function of the register allocator
}

void Codegen::call(std::string_view function, std::initializer_list<Operand> args) {
    Symbol& s = symbol(function);
    s.called = true;
    call_stub(s.stub, args);
}

void Codegen::call(const Gp& function, const Gp& arg) {
    call_stub(jump_label_, {arg, function});
}

void Codegen::emit_tables() {
    for (const Symbol& s : symbols_) {
        if (!s.called) continue;
        cc_.bind(s.stub);
        cc_.vzeroupper();
        cc_.jmp(x86::qword_ptr(s.slot));
    }
    cc_.bind(jump_label_);
    cc_.vzeroupper();
    cc_.jmp(x86::rsi);  // the second argument: the function
    if (has_budget_) emit_look_stub();
    cc_.align(asmjit::AlignMode::kData, kRow_B);
    cc_.bind(table_label_);
    cc_.embed(table_.data(), table_.size() * sizeof(Row));
    for (const Symbol& s : symbols_) {
        const uint64_t empty = 0;
        cc_.bind(s.slot);
        cc_.embed(&empty, sizeof empty);
    }
}

void Codegen::find_slots(const asmjit::CodeHolder& code, CodeImage* image) const {
    for (const Symbol& s : symbols_)
        image->slots.push_back({uint32_t(code.labelOffset(s.slot)), s.name, 0});
}

void Codegen::find_outputs(const ir::Region& r, bool nested) {
    for (const ir::Instr* i = r.first; i; i = i->next) {
        if (i->op == Op::StoreOutput) {
            const unsigned key = i->u.io.slot * 4 + i->u.io.component;
            stored_.insert(key);
            if (nested) nested_outputs_[key];
        }
        for (unsigned n = 0; n < i->region_count; ++n)
            find_outputs(*i->regions[n], true);
    }
}

/// The loop over the vertices begins, kLanes per iteration.
void Codegen::start_vertex() {
    out_stride_ = cc_.newGpq();
    cc_.mov(out_stride_.r32(), x86::ptr(args_, offsetof(VertexArgs, out_stride)));
    block_ = cc_.newGpq();
    cc_.xor_(block_.r32(), block_.r32());
    head_ = cc_.newLabel();
    next_ = cc_.newLabel();
    cc_.bind(head_);
    const Gp row_B = cc_.newGpq();
    cc_.mov(row_B, block_);
    cc_.shl(row_B, 5);
    cc_.mov(in_ = cc_.newGpq(), x86::ptr(args_, offsetof(VertexArgs, in)));
    cc_.add(in_, row_B);
    cc_.mov(out_ = cc_.newGpq(), x86::ptr(args_, offsetof(VertexArgs, out)));
    cc_.add(out_, row_B);
    exec_ = reg(splat(~0u));
}

/// The loop over the invocations begins, kLanes per iteration.
void Codegen::start_compute() {
    block_ = cc_.newGpq();
    cc_.xor_(block_.r32(), block_.r32());
    head_ = cc_.newLabel();
    next_ = cc_.newLabel();
    cc_.bind(head_);
    exec_ = lanes_before(offsetof(ComputeArgs, count));
}

/// The loop over the batch's blocks begins.
void Codegen::start_fragment() {
    block_ = cc_.newGpq();
    cc_.xor_(block_.r32(), block_.r32());
    head_ = cc_.newLabel();
    cc_.bind(head_);
    mask_in_ = cc_.newGpd();
    cc_.movzx(mask_in_, x86::byte_ptr(args_, block_, 0, offsetof(FragmentArgs, mask)));
    next_ = cc_.newLabel();
    cc_.test(mask_in_, mask_in_);
    cc_.jz(next_);
    cc_.mov(setup_ = cc_.newGpq(), x86::ptr(args_, block_, 3, offsetof(FragmentArgs, setup)));
    out_ = cc_.newGpq();
    cc_.mov(out_, block_);
    cc_.shl(out_, 5);  // a row of kLanes
    cc_.add(out_, args_);
    // Whole quads run.
    const Gp m = cc_.newGpd(), shifted = cc_.newGpd();
    cc_.mov(m, mask_in_);
    for (const unsigned step : {1u, 2u}) {
        cc_.mov(shifted, m);
        cc_.shr(shifted, step);
        cc_.or_(m, shifted);
        cc_.and_(m, step == 1 ? 0x55 : 0x11);
    }
    cc_.imul(m, m, 15);
    exec_ = lanes_of(m);
    if (info_.uses_discard) discarded_ = zero();
}

/// Emitted before the function and falls through into it: reads a word of every page that the frame may
/// reach, nearest first. asmjit's prologue moves the stack pointer over the whole frame at once and could
/// skip a guard page.
void Codegen::emit_probes() {
    constexpr int32_t kPage_B = 4096;
    for (int32_t at_B = kPage_B; at_B <= int32_t(kMaxFrame_B); at_B += kPage_B)
        cc_.test(x86::qword_ptr(x86::rsp, -at_B), x86::rsp);
}

uint32_t Codegen::frame_B() const {
    // plus the return address and the padding that aligns the frame
    return function_->frame().finalStackSize() + 8 + uint32_t(kRow_B);
}

void Codegen::start() {
    emit_probes();
    function_ = cc_.addFunc(asmjit::FuncSignatureT<void, void*>());
    if (!function_) throw std::bad_alloc();
    function_->frame().setAvxEnabled();
    function_->frame().setAvxCleanup();
    args_ = cc_.newGpq();
    function_->setArg(0, args_);
    cc_.mov(uniforms_ = cc_.newGpq(), x86::ptr(args_, offsetof(VertexArgs, uniforms)));
    cc_.mov(textures_ = cc_.newGpq(), x86::ptr(args_, offsetof(VertexArgs, textures)));
    entry_ = cc_.cursor();
    cc_.bind(cc_.newLabel());  // code that is emitted earlier is placed before this label
    if (shader_.stage == ir::Stage::Vertex) start_vertex();
    if (shader_.stage == ir::Stage::Fragment) start_fragment();
    if (ir::is_kernel(shader_.stage)) start_compute();
    make_vars();
    find_outputs(*shader_.body, false);
    for (auto& [key, variable] : nested_outputs_)
        variable = zero();
    top_ = cc_.cursor();
    end_ = cc_.newLabel();
    none_left_ = cc_.newLabel();
    cc_.bind(cc_.newLabel());
}

/// Outputs that the shader leaves unwritten are 0.
void Codegen::clear_others() {
    for (unsigned slot = 0; slot < 64; ++slot) {
        if (!(info_.outputs_written >> slot & 1)) continue;
        const bool single = shader_.stage == ir::Stage::Fragment && color_row(slot) >= kColorRows;
        for (unsigned key = slot * 4; key < slot * 4 + (single ? 1 : 4); ++key)
            if (!stored_.contains(key)) store(splat(0), output(key));
    }
}

void Codegen::finish_fragment() {
    if (info_.uses_discard) {
        cc_.bind(none_left_);
        const Gp kept = bits(discarded_);
        cc_.not_(kept);
        cc_.and_(kept, mask_in_);
        cc_.mov(x86::byte_ptr(args_, block_, 0, offsetof(FragmentArgs, mask)), kept.r8());
    }
    cc_.bind(next_);
    cc_.add(block_, 1);
    cc_.cmp(block_.r32(), x86::dword_ptr(args_, offsetof(FragmentArgs, count)));
    cc_.jb(head_);
}

/// Continues with the next row. `count_B`: the offset of the number of vertices or invocations in the
/// arguments.
void Codegen::finish_rows(size_t count_B) {
    const Gp first = cc_.newGpd();
    cc_.bind(next_);
    cc_.add(block_, 1);
    cc_.mov(first, block_.r32());
    cc_.shl(first, 3);
    cc_.cmp(first, x86::dword_ptr(args_, int32_t(count_B)));
    cc_.jb(head_);
}

void Codegen::finish() {
    cc_.bind(end_);
    for (const auto& [key, variable] : nested_outputs_)
        store(variable, output(key));
    clear_others();
    if (shader_.stage == ir::Stage::Vertex) finish_rows(offsetof(VertexArgs, count));
    if (shader_.stage == ir::Stage::Fragment) finish_fragment();
    if (ir::is_kernel(shader_.stage)) finish_rows(offsetof(ComputeArgs, count));
    cc_.ret();
    cc_.endFunc();
    emit_tables();
}

const char* Codegen::run() {
    start();
    find_last_uses(*shader_.body);
    temporaries_.clear();
    region(*shader_.body, end_);
    finish();
    return problem_;
}

void Codegen::instr(const ir::Instr& i) {
    switch (i.op) {
        case Op::Const:
            if (i.result()->type == Type::Bool) return set(i, splat(i.u.bits & 1 ? ~0u : 0));
            return set(i, splat(uint32_t(i.u.bits)));
        case Op::Undef:
            return set(i, splat(0));
        case Op::LoadVar:
            return set(i, load_var(i));
        case Op::StoreVar:
            return store_var(i);
        case Op::LoadInput:
            return set(i, from_words(load_input(i.u.io), i.result()->type));
        case Op::LoadInputAt:
            return set(i, from_words(load_input_at(i), i.result()->type));
        case Op::LoadSysval:
            return set(i, load_sysval(i.u.io));
        case Op::LoadUniform:
            return set(i, load_uniform(i));
        case Op::StoreOutput:
            return store_output(i);
        case Op::Tex:
            return tex(i);
        case Op::Discard:
            return discard(i);
        case Op::If:
            return branch(i);
        case Op::Loop:
            return loop(i);
        case Op::Yield:
        case Op::Break:
        case Op::Continue:
            return leave(i);
        default:
            return ir::is_memory(i.op) ? memory(i) : set(i, alu(i));
    }
}

}  // namespace terrazzo::soft::tier1
