// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks, storage buffers, shared memory, images, sizes, barriers. Loads of buffers name a
// descriptor, which limits them. Stores and atomics have addresses, and were checked before (check_stores.h).
// Images are textures to the attribute unit: LEA_TEX returns the address of a texel and the conversion for
// ST_CVT. Facts: Mesa 25.0.7, bifrost_compile.c.
#include <algorithm>

#include "drivers/mali/compiler/selector.h"
#include "shaders/ir/image.h"

namespace terrazzo::mali::compiler {

using isa::Imm;
using isa::Op;

namespace {

/// By ir::MemOp.
constexpr isa::AtomicOp kAtomics[] = {isa::AtomicOp::kAdd,  isa::AtomicOp::kAdd,  isa::AtomicOp::kSmin,
                                      isa::AtomicOp::kSmax, isa::AtomicOp::kUmin, isa::AtomicOp::kUmax,
                                      isa::AtomicOp::kAnd,  isa::AtomicOp::kOr,   isa::AtomicOp::kXor,
                                      isa::AtomicOp::kXchg, isa::AtomicOp::kXchg};
static_assert(std::size(kAtomics) == size_t(ir::MemOp::CompareExchange) + 1);

constexpr Op kLoads[] = {Op::kLoadI32, Op::kLoadI64, Op::kLoadI96, Op::kLoadI128};
constexpr Op kBufferLoads[] = {Op::kLdBufferI32, Op::kLdBufferI64, Op::kLdBufferI96, Op::kLdBufferI128};

/// The number of a descriptor in a table, as messages take it from a register.
constexpr uint32_t handle_of(Table table, uint32_t index) {
    return uint32_t(table) << 24 | index;
}

isa::RegisterFormat format_of(const ir::MemInfo& m, ir::Type value) {
    if (value == ir::Type::F32) return isa::RegisterFormat::kF32;
    return m.format >= ir::ImageFormat::Rgba32ui ? isa::RegisterFormat::kU32 : isa::RegisterFormat::kS32;
}

}  // namespace

/// The descriptor that the operation names: a known number, or in a register.
Ref Selector::handle(const ir::Instr& i, Table table, uint32_t first) {
    const ir::MemInfo& m = *i.u.mem;
    const int index = ir::mem_operands(i.op, m).index;
    const Ref base = Ref::immediate(handle_of(table, first + uint32_t(std::max(m.binding, 0))));
    return index < 0 ? base : iadd_u32({use(i.operand(unsigned(index))), base});
}

/// Loads words of the buffer. `writable`: shaders may store there.
Word Selector::load_words(Ref buffer, Ref offset_B, unsigned count, bool writable) {
    isa::Instr p = isa::make(kBufferLoads[count - 1]).set_is_unsigned(true).set_slot(next_slot());
    const bool room = f_.fau.size() + kSpareUniformWords < kMaxUniformWords;
    Inst m = with(p, {room ? offset_B : in_register(offset_B), buffer});
    m.written = new_words(count);
    m.written_count = uint8_t(count);
    m.ordered = writable;
    return push(m).written;
}

/// A system value. It is loaded from memory if there is an index, or no room for another uniform.
Ref Selector::system_value(Sysval first, const Ref& index_B) {
    if (index_B.kind == Ref::Kind::None) {
        const uint32_t fau = f_.find_fau({UniformWord::Kind::Sysval, uint32_t(first)});
        if (fau != kNoUniform) return Ref::uniform(fau);
    }
    info_.reads_system_block = true;
    Ref at = Ref::immediate(uint32_t(first) * 4);
    if (index_B.kind != Ref::Kind::None) at = iadd_u32({index_B, at});
    return Ref::word(
        load_words(Ref::immediate(handle_of(Table::UniformBuffers, kSystemBlock)), at, 1, false));
}

/// Sums with constants, which come last.
Ref Selector::plus(const Ref& a, uint32_t constant) {
    return constant ? iadd_u32({a, Ref::immediate(constant)}) : a;
}

/// The byte offset of an access, rounded down to a multiple of 4.
Ref Selector::offset_of(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::Value* place = i.operand(unsigned(ir::mem_operands(i.op, m).place));
    const uint32_t mask = m.element_B == 4 ? ~3u : ~0u;
    if (ir::is_const(place)) return Ref::immediate((uint32_t(ir::const_bits(place)) + m.offset_B) & mask);
    const Ref at = plus(use(place), m.offset_B);
    const bool aligned = m.offset_B % 4 == 0 && ir::known_multiple(place, 4) == 4;
    return aligned || m.element_B < 4 ? at : logic(Op::kLshiftAndI32, at, Ref::immediate(mask));
}

/// The address of an access: two words.
Ref Selector::address_of(const ir::Instr& i) {
    const Ref offset = offset_of(i);
    if (i.u.mem->space == ir::Storage::Shared) {
        constexpr auto kBase = isa::Special::kWorkgroupLocalPointer;
        const Word out = new_words(2);
        alu_to(out, isa::make(Op::kIaddU32), {Ref::special(kBase), offset});
        move_to(out + 1, Ref::special(kBase, true));
        return Ref::word(out);
    }
    if (!own_)
        return Ref::word(message(isa::make(Op::kLeaBuffer).set_slot(next_slot()),
                                 {offset, handle(i, Table::StorageBuffers, 0)}, 2));
    // Objects may lie across a multiple of 4 GiB: the sum carries.
    const Ref at = in_register(offset);
    const Word out = new_words(2);
    alu_to(out, isa::make(Op::kIaddU32), {at, sysval(Sysval::StorageBuffer0)});
    const Ref carry = icmp_or_u32({Ref::word(out), at, zero()}, isa::Condition::kLt, isa::ResultType::kI1);
    alu_to(out + 1, isa::make(Op::kIaddU32), {carry, sysval(Sysval(unsigned(Sysval::StorageBuffer0) + 1))});
    return Ref::word(out);
}

void Selector::load_buffer(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    Word words;
    if (m.space == ir::Storage::Shared) {
        Inst load =
            with(isa::make(kLoads[m.words - 1]).set_is_unsigned(true).set_slot(next_slot()), {address_of(i)});
        load.written = new_words(m.words);
        load.written_count = m.words;
        load.ordered = true;
        words = push(load).written;
    } else {
        const bool block = m.space == ir::Storage::UniformBlock;
        const Ref from = block ? handle(i, Table::UniformBuffers, kFirstUniformBlock)
                               : handle(i, Table::StorageBuffers, 0);
        words = load_words(from, offset_of(i), m.words, !block);
    }
    set_results(i, 0, words, m.words);
}

void Selector::store_buffer(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    constexpr struct {
        uint32_t size_B;
        Op op;
    } kStores[] = {{1, Op::kStoreI8},  {2, Op::kStoreI16},  {4, Op::kStoreI32},
                   {8, Op::kStoreI64}, {12, Op::kStoreI96}, {16, Op::kStoreI128}};
    const auto* const store = std::find_if(std::begin(kStores), std::end(kStores), [&](const auto& row) {
        return row.size_B == m.words * m.element_B;
    });
    if (store == std::end(kStores)) return f_.fail("mali: nothing of that size is stored");
    const auto value = unsigned(ir::mem_operands(i.op, m).value);
    Inst out = with(isa::make(store->op).set_slot(next_slot()), {address_of(i)});
    out.read = operand_words(i, value, m.words);
    out.read_count = m.words;
    out.ordered = !own_;
    push(out);
}

/// The staging registers are the new value, then the one that is compared with.
void Selector::atomic(const ir::Instr& i, Ref address) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const auto value = [&](unsigned n) { return use(i.operand(unsigned(o.value) + n)); };
    const bool compares = m.op == ir::MemOp::CompareExchange;
    // Exchanges have no form without a result.
    const bool returns = i.result()->has_uses() || m.op >= ir::MemOp::Exchange;
    isa::Instr p = isa::make(returns ? Op::kAtomReturnI32 : Op::kAtomI32).set_slot(next_slot());
    p.set_atomic(kAtomics[size_t(m.op)]);
    if (returns) p.set_compare(compares);
    Inst a = with(p, {address});
    a.read = compares ? collect({value(1), value(0)}) : collect({value(0)});
    a.read_count = compares ? 2 : 1;
    a.ordered = true;
    if (returns) {
        a.written = new_words(1);
        a.written_count = 1;
        set(i.result(), Ref::word(a.written));
    }
    push(a);
}

/// The coordinates of a texel for LD_TEX and LEA_TEX: x and y as halves (x alone as a word), then a slice as
/// the low half, or a layer as the high one. Cubes are arrays of faces. Numbers of more than 16 bits become
/// 0xffff, which is outside of every image. check_stores() has compared those of atomics with the sizes.
std::pair<Ref, Ref> Selector::image_place(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const auto in = [&](int c) { return in_register(use(i.operand(unsigned(o.place + c)))); };
    const bool is_inside = i.op == ir::Op::AtomicImage && !own_;
    const auto joined = [&](Ref low, Ref high) {
        const auto half = [&](Ref r) {
            if (r.kind == Ref::Kind::Constant || is_inside) return r.part(isa::Swizzle::kH00);
            const Ref most = Ref::immediate(0xffff);
            return csel_u32({r, most, r, most}, isa::Condition::kLt).part(isa::Swizzle::kH00);
        };
        return mkvec_v2i16({half(low), half(high)});
    };
    const int flat = o.place_count - (m.arrayed ? 1 : 0);
    const Ref xy = flat == 1 ? in(0) : joined(in(0), in(1));
    if (o.place_count <= (flat == 1 ? 1 : 2)) return {xy, zero()};
    const Ref z = in(o.place_count - 1);
    const bool slice = m.dim == ir::TexDim::D3;
    return {xy, slice ? joined(z, zero()) : joined(zero(), z)};
}

void Selector::image_op(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    constexpr unsigned kComponents = 4;
    const auto [xy, zw] = image_place(i);
    const Ref image = handle(i, Table::Images, 0);
    if (i.op == ir::Op::LoadImage) {
        isa::Instr p = isa::make(Op::kLdTex).set_slot(next_slot()).set_vector_size(isa::VectorSize::k4);
        Inst load = with(p.set_register_format(format_of(m, i.result()->type)), {xy, zw, in_register(image)});
        load.written = new_words(kComponents);
        load.written_count = kComponents;
        load.ordered = true;
        return set_results(i, 0, push(load).written, kComponents);
    }
    const Word texel = message(isa::make(Op::kLeaTex).set_slot(next_slot()), {xy, zw, in_register(image)}, 3);
    if (i.op == ir::Op::AtomicImage) return atomic(i, Ref::word(texel));
    isa::Instr p = isa::make(Op::kStCvt).set_slot(next_slot()).set_vector_size(isa::VectorSize::k4);
    Inst store =
        with(p.set_register_format(isa::RegisterFormat::kAuto), {Ref::word(texel), Ref::word(texel + 2)});
    store.read = operand_words(i, unsigned(o.value), kComponents);
    store.read_count = kComponents;
    store.ordered = true;
    push(store);
}

void Selector::size_op(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const int operand = ir::mem_operands(i.op, m).index;
    const bool image = i.op == ir::Op::ImageSize;
    constexpr unsigned kBuffer_dw = 3, kImage_dw = 4;
    Ref index_B;
    if (operand >= 0)
        index_B = imul_i32(
            {use(i.operand(unsigned(operand))), Ref::immediate(4 * (image ? kImage_dw : kBuffer_dw))});
    const auto slot = uint32_t(std::max(m.binding, 0));
    constexpr unsigned kSize = unsigned(Sysval::StorageBuffer0) + 2;
    if (!image) return set(i.result(), system_value(Sysval(kSize + kBuffer_dw * slot), index_B));
    for (unsigned c = 0; c < i.result_count; c++)
        set(i.result(c), system_value(Sysval(unsigned(Sysval::ImageSize0) + kImage_dw * slot + c), index_B));
}

/// Memory that others read or write is not reordered across the begin of a block.
void Selector::barrier(const ir::Instr& i) {
    if (i.u.mem->execution != ir::MemScope::None) {
        push(with(isa::make(Op::kBarrier).set_slot(isa::Slot::k7), {}));
        return;
    }
    begin_block();
    position_kept_in_ = -1;
}

void Selector::atomic(const ir::Instr& i) {
    i.op == ir::Op::AtomicImage ? image_op(i) : atomic(i, address_of(i));
}

}  // namespace terrazzo::mali::compiler
