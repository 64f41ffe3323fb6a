// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks (ldc), storage buffers and images (the IBO table), shared memory, private memory. Facts:
// Mesa 25.0.7, ir3_a6xx.c, ir3_compiler_nir.c. Descriptors check ranges: buffers in dwords, uniform buffers
// in registers of 16 bytes. Shared and private memory are not checked; indices were clamped before.
#include <bit>

#include "drivers/adreno/compiler/selector.h"
#include "shaders/ir/image.h"
#include "shaders/passes/load_runs.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Condition;
using isa::Op;
using isa::Type;

namespace {

/// By ir::MemOp: the instruction for shared memory, and the one for buffers and images.
constexpr struct {
    Op local, global;
} kAtomics[] = {{Op::kAtomicAdd, Op::kAtomicBAdd},  // None
                {Op::kAtomicAdd, Op::kAtomicBAdd},   {Op::kAtomicMin, Op::kAtomicBMin},
                {Op::kAtomicMax, Op::kAtomicBMax},   {Op::kAtomicMin, Op::kAtomicBMin},
                {Op::kAtomicMax, Op::kAtomicBMax},   {Op::kAtomicAnd, Op::kAtomicBAnd},
                {Op::kAtomicOr, Op::kAtomicBOr},     {Op::kAtomicXor, Op::kAtomicBXor},
                {Op::kAtomicXchg, Op::kAtomicBXchg}, {Op::kAtomicCmpxchg, Op::kAtomicBCmpxchg}};
static_assert(std::size(kAtomics) == size_t(ir::MemOp::CompareExchange) + 1);
bool is_signed(ir::MemOp op) {
    return op == ir::MemOp::IMin || op == ir::MemOp::IMax;
}

uint32_t slots_of(const ir::MemInfo& m) {
    const auto first = uint32_t(std::max(m.binding, 0));
    const uint64_t bits = ((uint64_t(1) << std::min<uint32_t>(m.count, 32)) - 1) << std::min(first, 31u);
    return uint32_t(bits);
}

Type type_of(const ir::MemInfo& m, ir::Type value) {
    if (m.format == ir::ImageFormat::None) return value == ir::Type::F32 ? Type::kF32 : Type::kU32;
    if (!ir::is_integer(m.format)) return Type::kF32;
    return m.format < ir::ImageFormat::Rgba32ui ? Type::kS32 : Type::kU32;
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

/// The number of the buffer or image: an immediate, or in a register.
Ref Selector::slot_of(const ir::Instr& i, const ir::MemOperands& o, unsigned first) {
    const ir::MemInfo& m = *i.u.mem;
    const uint32_t slot = first + uint32_t(std::max(m.binding, 0));
    if (m.space == ir::Storage::UniformBlock) info_.uniform_blocks |= slots_of(m);
    if (o.index < 0) return Ref::immediate(slot);
    return in_register(add_u({use(i.operand(unsigned(o.index))), constant(slot)}));
}

/// Loads components of the vec4 with that number. Returns the first one.
Word Selector::load_constants(Ref buffer, Ref offset_vec4, unsigned component, unsigned count) {
    constexpr uint32_t kMaxNumber = 255;
    const bool number = offset_vec4.kind == Ref::Kind::Immediate && offset_vec4.index <= kMaxNumber;
    const isa::Instr p = isa::make(Op::kLdc).set_first_component(component).set_components(count);
    return load(p, {number ? offset_vec4 : in_register(offset_vec4), buffer}, count);
}

/// Selects a component of the vec4. `component`: its dynamic number, multiplied by `unit`.
Ref Selector::component_of(Word vec4, Ref component, unsigned unit) {
    Ref out = Ref::word(vec4);
    for (unsigned c = 1; c < 4; c++)
        out = choose(cmps_u({component, constant(unit * c)}, Condition::kEq), Ref::word(vec4 + c), out);
    return out;
}

void Selector::load_block(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const Ref buffer = slot_of(i, o, 0);
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
            set_results(i, done, load_constants(buffer, vec4, component, count), count);
            done += count;
            component = 0;
            vec4 = vec4.kind == Ref::Kind::Immediate ? constant(vec4.index + 1) : add_u({vec4, constant(1)});
        }
        return;
    }
    // At any offset: each word is selected from its vec4.
    for (unsigned k = 0; k < m.words; k++) {
        const Ref at = add_u({use(place), constant(m.offset_B + 4 * k)});
        const Word vec4 = load_constants(buffer, shr_b({at, constant(4)}), 0, 4);
        set(i.result(k), component_of(vec4, and_b({at, constant(12)}), 4));
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
    const isa::Instr p = isa::make(Op::kLdibB).set_type(Type::kU32).set_components(m.words);
    const Word words = load(p, {buffer_place(i, o, 2), slot_of(i, o, info_.first_buffer)}, m.words);
    set_results(i, 0, words, m.words);
}

void Selector::store_buffer(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    if (m.element_B != 4) return f_.fail("adreno: stores of less than a word are not there yet");
    act(isa::make(Op::kStibB).set_type(Type::kU32).set_components(m.words),
        {in_run(i, unsigned(o.value), m.words), buffer_place(i, o, 2), slot_of(i, o, info_.first_buffer)});
}

/// The data are in the registers after the one that receives the old value; the comparand of a
/// compare-exchange is last.
void Selector::atomic(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const bool image = i.op == ir::Op::AtomicImage;
    isa::Instr p = isa::make(kAtomics[size_t(m.op)].global).set_components(1);
    p.set_atomic_type(is_signed(m.op) ? isa::AtomicType::kS32 : isa::AtomicType::kU32);
    if (image) p.set_typed(isa::Typed::kTyped).set_dimensions(unsigned(o.place_count));
    Inst a = with(p, {image ? in_run(i, unsigned(o.place), unsigned(o.place_count)) : buffer_place(i, o, 2),
                      slot_of(i, o, image ? info_.first_image : info_.first_buffer)});
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
    if (i.op == ir::Op::LoadBuffer) {
        const isa::Instr p = isa::make(Op::kLdl).set_type(Type::kU32).set_size(m.words);
        return set_results(i, 0, load(p, {buffer_place(i, o, 0)}, m.words), m.words);
    }
    const auto values = unsigned(o.value_count);
    Ref data[4];
    for (unsigned k = 0; k < values; k++)
        data[k] = use(i.operand(unsigned(o.value) + k));
    if (i.op == ir::Op::StoreBuffer) {
        if (m.element_B != 4) return f_.fail("adreno: stores of less than a word are not there yet");
        return act(isa::make(Op::kStl).set_type(Type::kU32).set_size(values),
                   {buffer_place(i, o, 0), Ref::run(collect({data, values}), values)});
    }
    // The comparand is last.
    if (values == 2) std::swap(data[0], data[1]);
    const isa::Instr p =
        isa::make(kAtomics[size_t(m.op)].local).set_type(is_signed(m.op) ? Type::kS32 : Type::kU32);
    set(i.result(), Ref::word(load(p, {buffer_place(i, o, 0), Ref::run(collect({data, values}), values)})));
}

void Selector::image_op(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const auto dims = unsigned(o.place_count), place = unsigned(o.place);
    constexpr unsigned kComponents = 4;
    const bool loads = i.op == ir::Op::LoadImage;
    isa::Instr p = isa::make(loads ? Op::kLdibB : Op::kStibB).set_typed(isa::Typed::kTyped);
    p.set_dimensions(dims).set_components(kComponents);
    p.set_type(type_of(m, loads ? i.result()->type : i.operand(unsigned(o.value))->type));
    if (!loads)
        return act(p, {in_run(i, unsigned(o.value), kComponents), in_run(i, place, dims),
                       slot_of(i, o, info_.first_image)});
    const Word words = load(p, {in_run(i, place, dims), slot_of(i, o, info_.first_image)}, kComponents);
    set_results(i, 0, words, kComponents);
}

/// resinfo.b writes three registers: the size in texels by dimension, or in dwords for buffers.
void Selector::size_op(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const bool image = i.op == ir::Op::ImageSize;
    const isa::Instr p =
        isa::make(Op::kResinfoB).set_type(Type::kU32).set_dimensions(image ? i.result_count : 1);
    const Word sizes = load(p, {slot_of(i, o, image ? info_.first_image : info_.first_buffer)}, 3);
    if (!image) return set(i.result(), shl_b({Ref::word(sizes), constant(2)}));
    for (unsigned k = 0; k < i.result_count; k++) {
        Ref r = Ref::word(sizes + k), rest;
        if (k == 2 && m.dim == ir::TexDim::Cube) r = divide(r, constant(6), &rest);
        set(i.result(k), r);
    }
}

void Selector::load_buffer(const ir::Instr& i) {
    i.u.mem->space == ir::Storage::UniformBlock ? load_block(i) : load_storage(i);
}

void Selector::memory_op(const ir::Instr& i) {
    if (is_stage_buffer(*i.u.mem)) return stage_access(i);
    const bool shared = i.u.mem->space == ir::Storage::Shared;
    info_.writes_memory |= ir::writes_memory(i.op) && !shared;
    shared ? shared_op(i) : ShaderSelector::memory_op(i);
}

// ---- Arrays with dynamic indices: constant ones are in the constant file, others in private memory ----

uint32_t Selector::uniforms_end_dw() const {
    uint32_t end_dw = 0;
    for_each([&](const ir::Instr& i) {
        if (i.op == ir::Op::LoadUniform)
            end_dw = std::max(end_dw, i.u.io.slot + (i.operand_count ? i.u.io.count : 1));
    });
    return std::min(end_dw, max_uniforms_dw());
}

/// Arrays that are only assigned constants, before they are read, become tables in the constant file.
void Selector::find_tables() {
    // The largest offset from a0.x. Uniforms, parameters and the preamble's results come before the tables.
    constexpr uint32_t kReach_dw = 511;
    const uint32_t before_dw = kMaxParams_dw + max_preamble_dw() + 3;
    struct Seen {
        bool is_loaded = false, is_other = false;
    };
    std::pmr::vector<Seen> seen(s_.vars().size(), Seen{}, f_.memory);
    bool any = false;
    const auto visit_all = [&](const auto& f) {
        for_each([&](const ir::Instr& i) {
            if (i.op == ir::Op::LoadVar || i.op == ir::Op::StoreVar) f(i);
        });
    };
    visit_all([&](const ir::Instr& i) {
        Seen& s = seen[i.var->id];
        any = true;
        s.is_other |= ir::bit_size(i.var->type) != 32;
        if (i.op == ir::Op::LoadVar)
            s.is_loaded = true;
        else
            s.is_other |=
                s.is_loaded || i.operand_count > 1 || !ir::is_const(i.operand(0)) || i.parent != s_.body;
    });
    if (!any) return;
    auto next = uint32_t(f_.immediates.size());
    const uint32_t before = uniforms_end_dw() + before_dw;
    for (const ir::Var* v : s_.vars()) {
        const Seen& s = seen[v->id];
        if (!s.is_loaded || s.is_other || before + next + v->count > kReach_dw) continue;
        tables_[v->id] = next;
        next += v->count;
    }
    f_.immediates.resize(next, 0);
    visit_all([&](const ir::Instr& i) {
        if (i.op == ir::Op::StoreVar && is_table(*i.var))
            f_.immediates[tables_[i.var->id] + i.u.io.component] = uint32_t(ir::const_bits(i.operand(0)));
    });
}

void Selector::load_table(const ir::Instr& i) {
    const uint32_t at = tables_[i.var->id] + i.u.io.component;
    if (!i.operand_count) return set(i.result(), constant(f_.immediates[at]));
    set_address(use(i.operand(0)));
    set(i.result(), in_register({.kind = Ref::Kind::InTable, .index = at}));
}

/// Arrays with dynamic indices that did not become registers.
void Selector::local_variable(const ir::Instr& i) {
    const bool store = i.op == ir::Op::StoreVar;
    if (is_table(*i.var)) return store ? void() : load_table(i);
    uint32_t& at_B = local_at_B_[i.var->id];
    if (at_B == kNoPlace) {
        at_B = f_.private_B;
        f_.private_B += i.var->count * 4;
    }
    const unsigned index_at = store ? 1 : 0;
    const bool indexed = i.operand_count > index_at;
    const uint32_t base_B = at_B + i.u.io.component * 4;
    Ref address = constant(base_B);
    if (indexed) address = add_u({shl_b({use(i.operand(index_at)), constant(2)}), constant(base_B)});
    const bool half = is_half(i.var->type);
    const isa::Instr p = isa::make(store ? Op::kStp : Op::kLdp).set_type(Type::kU32).set_size(1);
    const Ref at = in_register(address);
    if (store) {
        Ref value = use(i.operand(0));
        if (half) value = convert(Type::kU16, Type::kU32, in_register(value));
        return act(p, {at, in_register(value)});
    }
    const Ref loaded = Ref::word(load(p, {at}));
    set(i.result(), half ? convert(Type::kU32, Type::kU16, loaded) : loaded);
}

}  // namespace terrazzo::adreno::compiler
