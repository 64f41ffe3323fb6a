// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks (ldc), storage buffers and images (the IBO table), shared memory, private memory. Facts:
// Mesa 25.0.7, ir3_a6xx.c, ir3_compiler_nir.c. Descriptors check ranges: buffers in dwords, uniform buffers
// in registers of 16 bytes. Shared and private memory are not checked; indices were clamped before.
#include <bit>

#include "drivers/adreno/compiler/selector.h"
#include "shaders/passes/load_runs.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Condition;
using isa::Op;
using isa::Type;

namespace {

Op atomic_op(ir::MemOp op, bool local) {
    switch (op) {
        case ir::MemOp::None:
        case ir::MemOp::Add:
            return local ? Op::kAtomicAdd : Op::kAtomicBAdd;
        case ir::MemOp::IMin:
        case ir::MemOp::UMin:
            return local ? Op::kAtomicMin : Op::kAtomicBMin;
        case ir::MemOp::IMax:
        case ir::MemOp::UMax:
            return local ? Op::kAtomicMax : Op::kAtomicBMax;
        case ir::MemOp::And:
            return local ? Op::kAtomicAnd : Op::kAtomicBAnd;
        case ir::MemOp::Or:
            return local ? Op::kAtomicOr : Op::kAtomicBOr;
        case ir::MemOp::Xor:
            return local ? Op::kAtomicXor : Op::kAtomicBXor;
        case ir::MemOp::Exchange:
            return local ? Op::kAtomicXchg : Op::kAtomicBXchg;
        case ir::MemOp::CompareExchange:
            return local ? Op::kAtomicCmpxchg : Op::kAtomicBCmpxchg;
    }
    return Op::kAtomicAdd;
}
bool is_signed(ir::MemOp op) {
    return op == ir::MemOp::IMin || op == ir::MemOp::IMax;
}

uint32_t slots_of(const ir::MemInfo& m) {
    const auto first = uint32_t(std::max(m.binding, 0));
    const uint64_t bits = ((uint64_t(1) << std::min<uint32_t>(m.count, 32)) - 1) << std::min(first, 31u);
    return uint32_t(bits);
}

Type type_of(const ir::MemInfo& m, ir::Type value) {
    switch (m.format) {
        case ir::ImageFormat::Rgba32i:
        case ir::ImageFormat::Rgba16i:
        case ir::ImageFormat::Rgba8i:
        case ir::ImageFormat::R32i:
            return Type::kS32;
        case ir::ImageFormat::Rgba32ui:
        case ir::ImageFormat::Rgba16ui:
        case ir::ImageFormat::Rgba8ui:
        case ir::ImageFormat::R32ui:
            return Type::kU32;
        case ir::ImageFormat::Rgba32f:
        case ir::ImageFormat::Rgba16f:
        case ir::ImageFormat::R32f:
        case ir::ImageFormat::Rgba8:
        case ir::ImageFormat::Rgba8Snorm:
            return Type::kF32;
        case ir::ImageFormat::None:
            break;
    }
    return value == ir::Type::F32 ? Type::kF32 : Type::kU32;
}

}  // namespace

/// Numbers depend on the slots in use, so that tables are short.
void Selector::plan_storage() {
    for_each([&](const ir::Instr& i) {
        if (!ir::is_memory(i.op) || i.op == ir::Op::Barrier) return;
        const ir::MemInfo& m = *i.u.mem;
        if (is_stage_buffer(m)) return;
        const uint32_t slots = slots_of(m), written = ir::writes_memory(i.op) ? slots : 0;
        if (m.space == ir::Storage::Image) info_.images |= slots, info_.written_images |= written;
        if (m.space == ir::Storage::Buffer) info_.buffers |= slots, info_.written_buffers |= written;
    });
    if (std::bit_width(info_.images) > int(kMaxImages)) f_.fail("adreno: more images than there are");
    info_.first_buffer = s_.stage == ir::Stage::Vertex ? kVertexIbos : 0;
    info_.first_image = uint8_t(info_.first_buffer + unsigned(std::bit_width(info_.buffers)));
}

/// Sets the number of the buffer or image: in the instruction, or in a register.
void Selector::set_slot(const ir::Instr& i, const ir::MemOperands& o, unsigned first, Ref* to,
                        isa::Instr* proto) {
    const ir::MemInfo& m = *i.u.mem;
    const uint32_t slot = first + uint32_t(std::max(m.binding, 0));
    if (m.space == ir::Storage::UniformBlock) info_.uniform_blocks |= slots_of(m);
    if (o.index < 0) {
        *to = Ref::immediate(slot);
        return proto->set_index_mode(isa::IndexMode::kImmediate);
    }
    *to = in_register(add_u({use(i.operand(unsigned(o.index))), constant(slot)}));
    proto->set_index_mode(isa::IndexMode::kNonuniform);
}

/// Loads components of the vec4 with that number. Returns the first one.
Ref Selector::load_constants(uint32_t buffer, Ref index, Ref offset_vec4, unsigned component, unsigned count,
                             uint32_t* node) {
    constexpr uint32_t kMaxNumber = 255;
    Inst ldc;
    ldc.proto = isa::make(Op::kLdc);
    ldc.proto.set_first_component(component);
    ldc.proto.set_components(count);
    const bool number = offset_vec4.kind == Ref::Kind::Immediate && offset_vec4.index <= kMaxNumber;
    ldc.src[0] = number ? offset_vec4 : in_register(offset_vec4);
    const bool fixed = index.kind == Ref::Kind::Immediate;
    ldc.src[1] = fixed ? Ref::immediate(buffer + index.index) : in_register(index);
    ldc.proto.set_index_mode(fixed ? isa::IndexMode::kImmediate : isa::IndexMode::kNonuniform);
    ldc.dest_count = uint8_t(count);
    ldc.dest = *node == kNoWord ? new_words(count) : *node;
    *node = ldc.dest;
    push(ldc);
    return Ref::word(ldc.dest);
}

void Selector::load_block(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    isa::Instr unused = isa::make(Op::kLdc);
    Ref slot;
    set_slot(i, o, 0, &slot, &unused);
    const bool fixed = slot.kind == Ref::Kind::Immediate;
    const uint32_t buffer = fixed ? slot.index : 0;
    const Ref index = fixed ? constant(0) : slot;
    const ir::Value* place = i.operand(unsigned(o.place));
    constexpr unsigned kVec4_B = 16;
    const bool known = ir::is_const(place);
    if (known || ir::known_multiple(place, kVec4_B) == kVec4_B) {
        const uint32_t base = (known ? uint32_t(ir::const_bits(place)) : 0) + m.offset_B;
        Ref vec4 = constant(base / 16);
        if (!known) vec4 = shr_b({add_u({use(place), constant(base / 16 * 16)}), constant(4)});
        unsigned component = base / 4 % 4;
        for (unsigned done = 0; done < m.words;) {
            const unsigned count = std::min<unsigned>(m.words - done, 4 - component);
            uint32_t node = kNoWord;
            (void)load_constants(buffer, index, vec4, component, count, &node);
            for (unsigned k = 0; k < count; k++)
                set(i.result(done + k), Ref::word(node + k));
            done += count;
            component = 0;
            vec4 = vec4.kind == Ref::Kind::Immediate ? constant(vec4.index + 1) : add_u({vec4, constant(1)});
        }
        return;
    }
    // At any offset: each word is selected from its vec4.
    for (unsigned k = 0; k < m.words; k++) {
        const Ref at = add_u({use(place), constant(m.offset_B + 4 * k)});
        uint32_t node = kNoWord;
        (void)load_constants(buffer, index, shr_b({at, constant(4)}), 0, 4, &node);
        const Ref component = and_b({at, constant(12)});
        Ref out = Ref::word(node);
        for (unsigned c = 1; c < 4; c++)
            out = choose(cmps_u({component, constant(4 * c)}, Condition::kEq), Ref::word(node + c), out);
        set(i.result(k), out);
    }
}

/// The offset in units of 1 << shift bytes, in a register.
Ref Selector::buffer_place(const ir::Instr& i, const ir::MemOperands& o, unsigned shift) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::Value* place = i.operand(unsigned(o.place));
    if (ir::is_const(place))
        return in_register(constant((uint32_t(ir::const_bits(place)) + m.offset_B) >> shift));
    Ref at = use(place);
    if (m.offset_B) at = add_u({at, constant(m.offset_B)});
    return in_register(shift ? shr_b({at, constant(shift)}) : at);
}

void Selector::load_storage(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    Inst load;
    load.proto = isa::make(Op::kLdibB);
    load.proto.set_type(Type::kU32);
    load.proto.set_components(m.words);
    load.src[0] = buffer_place(i, o, 2);
    set_slot(i, o, info_.first_buffer, &load.src[1], &load.proto);
    load.dest_count = m.words;
    load.dest = new_words(m.words);
    push(load);
    for (unsigned k = 0; k < m.words; k++)
        set(i.result(k), Ref::word(load.dest + k));
}

void Selector::store_storage(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    if (m.element_B != 4) return f_.fail("adreno: stores of less than a word are not there yet");
    Ref data[4];
    for (unsigned k = 0; k < m.words; k++)
        data[k] = use(i.operand(unsigned(o.value) + k));
    Inst store;
    store.proto = isa::make(Op::kStibB);
    store.proto.set_type(Type::kU32);
    store.proto.set_components(m.words);
    store.src[0] = Ref::run(collect({data, m.words}), m.words);
    store.src[1] = buffer_place(i, o, 2);
    set_slot(i, o, info_.first_buffer, &store.src[2], &store.proto);
    push(store);
}

/// The data are in the registers after the one that receives the old value; the comparand of a
/// compare-exchange is last.
void Selector::atomic(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    Inst a;
    a.proto = isa::make(atomic_op(m.op, false));
    a.proto.set_atomic_type(is_signed(m.op) ? isa::AtomicType::kS32 : isa::AtomicType::kU32);
    a.proto.set_components(1);
    if (i.op == ir::Op::AtomicImage) {
        a.proto.set_typed(isa::Typed::kTyped);
        a.proto.set_dimensions(unsigned(o.place_count));
        a.src[0] = Ref::run(image_coordinates(i, o), unsigned(o.place_count));
        set_slot(i, o, info_.first_image, &a.src[1], &a.proto);
    } else {
        a.src[0] = buffer_place(i, o, 2);
        set_slot(i, o, info_.first_buffer, &a.src[1], &a.proto);
    }
    const auto values = unsigned(o.value_count);
    a.dest = new_words(1 + values);
    a.data_count = uint8_t(values);
    for (unsigned k = 0; k < values; k++)
        move_to(a.dest + values - k, use(i.operand(unsigned(o.value) + k)));
    push(a);
    set(i.result(), Ref::word(a.dest));
}

/// Shared memory, addressed in bytes.
void Selector::shared_op(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    Inst a;
    if (i.op == ir::Op::LoadBuffer) {
        a.proto = isa::make(Op::kLdl);
        a.proto.set_type(Type::kU32);
        a.proto.set_size(m.words);
        a.src[0] = buffer_place(i, o, 0);
        a.dest_count = m.words;
        a.dest = new_words(m.words);
        push(a);
        for (unsigned k = 0; k < m.words; k++)
            set(i.result(k), Ref::word(a.dest + k));
        return;
    }
    const auto values = unsigned(o.value_count);
    Ref data[4];
    for (unsigned k = 0; k < values; k++)
        data[k] = use(i.operand(unsigned(o.value) + k));
    if (i.op == ir::Op::StoreBuffer) {
        if (m.element_B != 4) return f_.fail("adreno: stores of less than a word are not there yet");
        a.proto = isa::make(Op::kStl);
        a.proto.set_type(Type::kU32);
        a.proto.set_size(values);
        a.src[0] = buffer_place(i, o, 0);
        a.src[1] = Ref::run(collect({data, values}), values);
        push(a);
        return;
    }
    // The comparand is last.
    if (values == 2) std::swap(data[0], data[1]);
    a.proto = isa::make(atomic_op(m.op, true));
    a.proto.set_type(is_signed(m.op) ? Type::kS32 : Type::kU32);
    a.src[0] = buffer_place(i, o, 0);
    a.src[1] = Ref::run(collect({data, values}), values);
    a.dest = new_words(1);
    push(a);
    set(i.result(), Ref::word(a.dest));
}

uint32_t Selector::image_coordinates(const ir::Instr& i, const ir::MemOperands& o) {
    Ref at[4];
    for (int k = 0; k < o.place_count; k++)
        at[k] = use(i.operand(unsigned(o.place + k)));
    return collect({at, size_t(o.place_count)});
}

void Selector::image_op(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const auto dims = unsigned(o.place_count);
    constexpr unsigned kComponents = 4;
    Inst a;
    if (i.op == ir::Op::LoadImage) {
        a.proto = isa::make(Op::kLdibB);
        a.proto.set_type(type_of(m, i.result()->type));
        a.src[0] = Ref::run(image_coordinates(i, o), dims);
        set_slot(i, o, info_.first_image, &a.src[1], &a.proto);
        a.dest_count = kComponents;
        a.dest = new_words(kComponents);
    } else {
        Ref data[kComponents];
        for (unsigned k = 0; k < kComponents; k++)
            data[k] = use(i.operand(unsigned(o.value) + k));
        a.proto = isa::make(Op::kStibB);
        a.proto.set_type(type_of(m, i.operand(unsigned(o.value))->type));
        a.src[0] = Ref::run(collect(data), kComponents);
        a.src[1] = Ref::run(image_coordinates(i, o), dims);
        set_slot(i, o, info_.first_image, &a.src[2], &a.proto);
    }
    a.proto.set_typed(isa::Typed::kTyped);
    a.proto.set_dimensions(dims);
    a.proto.set_components(kComponents);
    push(a);
    for (unsigned k = 0; i.op == ir::Op::LoadImage && k < kComponents; k++)
        set(i.result(k), Ref::word(a.dest + k));
}

/// resinfo.b writes three registers: the size in texels by dimension, or in dwords for buffers.
void Selector::size_op(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const bool image = i.op == ir::Op::ImageSize;
    Inst a;
    a.proto = isa::make(Op::kResinfoB);
    a.proto.set_type(Type::kU32);
    a.proto.set_dimensions(image ? i.result_count : 1);
    set_slot(i, o, image ? info_.first_image : info_.first_buffer, &a.src[0], &a.proto);
    a.dest_count = 3;
    a.dest = new_words(3);
    push(a);
    if (!image) return set(i.result(), shl_b({Ref::word(a.dest), constant(2)}));
    for (unsigned k = 0; k < i.result_count; k++) {
        Ref r = Ref::word(a.dest + k), rest;
        if (k == 2 && m.dim == ir::TexDim::Cube) r = divide(r, constant(6), &rest);
        set(i.result(k), r);
    }
}

void Selector::memory_op(const ir::Instr& i) {
    const ir::Storage space = i.u.mem->space;
    if (is_stage_buffer(*i.u.mem)) return stage_access(i);
    info_.writes_memory |= ir::writes_memory(i.op) && space != ir::Storage::Shared;
    if (i.op == ir::Op::BufferSize || i.op == ir::Op::ImageSize) return size_op(i);
    if (i.op == ir::Op::AtomicImage) return atomic(i);
    if (ir::is_image(i.op)) return image_op(i);
    if (space == ir::Storage::Shared) return shared_op(i);
    if (i.op == ir::Op::StoreBuffer) return store_storage(i);
    if (i.op == ir::Op::AtomicBuffer) return atomic(i);
    if (space == ir::Storage::UniformBlock) return load_block(i);
    load_storage(i);
}

}  // namespace terrazzo::adreno::compiler
