// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Inputs, outputs, uniforms, system values. Facts: Mesa 25.0.7, ir3_compiler_nir.c (contents of registers,
// numbers of varyings).
#include <bit>

#include "drivers/adreno/compiler/selector.h"
#include "shaders/ir/half.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno::compiler {

using isa::Condition;
using isa::Op;
using isa::Type;

/// The hardware's registers are assigned from r0.x on, in the order of the calls. Halves use a whole
/// register, so that runs stay aligned.
Word Selector::take_input(unsigned count, bool half, RegisterId* id) {
    const uint8_t cls = half ? kHalfClass : kFullClass;
    const uint32_t width = Ir3::kClasses[cls].width;
    if (!Ir3::kClasses[cls].holds(next_input_, count * width)) {
        f_.fail("adreno: more inputs than registers");
        return Word(0);
    }
    *id = RegisterId(half ? number_of(next_input_) : number_of(next_input_) / 2);
    const Word first = f_.add_fixed(next_input_, cls);
    // Each word is a fixed node of its own, so that the register of an unused one can be overwritten early.
    for (unsigned k = 1; k < count; k++)
        (void)f_.add_fixed(next_input_ + k * width, cls);
    next_input_ = next_input_ + (half ? (count + 1) / 2 * 2 : count * 2);
    return first;
}

// ---- Vertex attributes ----

void Selector::plan_attributes() {
    std::array<uint8_t, 64> masks{};
    for_each([&](const ir::Instr& i) {
        if (i.op == ir::Op::LoadInput && i.u.io.slot < masks.size())
            masks[i.u.io.slot] = uint8_t(masks[i.u.io.slot] | 1u << i.u.io.component);
    });
    for (unsigned slot = 0; slot < masks.size(); slot++) {
        if (!masks[slot]) continue;
        AttributeInput in{.location = uint8_t(slot), .mask = masks[slot]};
        const unsigned count = unsigned(std::bit_width(masks[slot]));
        const Word first = take_input(count, false, &in.reg);
        for (unsigned c = 0; c < count; c++)
            input_words_[slot * 4 + c] = first + c;
        info_.attributes.push_back(in);
    }
}

// ---- Varyings ----

namespace {

/// The index of a pair of coordinates, in the order of SystemValues.
unsigned pair_of(const ir::IoInfo& io) {
    const bool linear = io.interp == ir::Interp::NoPerspective;
    return (linear ? 3u : 0u) + (io.interp_at == ir::InterpAt::Sample     ? 2u
                                 : io.interp_at == ir::InterpAt::Centroid ? 1u
                                                                          : 0u);
}

}  // namespace

Ref Selector::barycentric(const ir::IoInfo& io) {
    const unsigned pair = pair_of(io);
    SystemValues& s = info_.system;
    RegisterId* const ids[] = {&s.ij_pixel,        &s.ij_centroid,        &s.ij_sample,
                               &s.ij_linear_pixel, &s.ij_linear_centroid, &s.ij_linear_sample};
    if (ij_[pair] == kNoWord) ij_[pair] = take_input(2, false, ids[pair]);
    info_.per_sample |= io.interp_at == ir::InterpAt::Sample;
    return Ref::run(ij_[pair], 2);
}

VaryingInput* Selector::varying(const ir::IoInfo& io, VaryingInput::Kind kind) {
    for (VaryingInput& v : info_.varyings)
        if (v.slot == io.slot && v.kind == kind) return &v;
    info_.varyings.push_back({.kind = kind,
                              .slot = uint8_t(io.slot),
                              .flat = io.interp == ir::Interp::Flat,
                              .no_perspective = io.interp == ir::Interp::NoPerspective});
    return &info_.varyings.back();
}

Ref Selector::bary(unsigned inloc, Ref ij, bool half) {
    return alu(Op::kBaryF, {Ref::immediate(inloc), ij}, half);
}

/// For shaders in which only prefetches read varyings: an instruction without a destination frees varying
/// storage, as in Mesa.
void Selector::release_varyings() {
    isa::Instr p = isa::make(Op::kBaryF);
    p.dst[0].reg = isa::reg(63, 0);
    act(p, {Ref::immediate(0), Ref::run(ij_[0], 2)});
}

Ref Selector::flat(unsigned inloc) {
    return alu(Op::kFlatB, {Ref::immediate(inloc), Ref::immediate(inloc)});
}

/// The last read frees varying storage (ei) and must be executed, so all varyings are read in the first
/// block.
void Selector::plan_varyings() {
    for_each([&](const ir::Instr& i) {
        const bool at = i.op == ir::Op::LoadInputAt;
        if (i.op == ir::Op::LoadInput || at) {
            VaryingInput* v = varying(i.u.io, VaryingInput::Kind::Varying);
            v->mask = uint8_t(v->mask | 1u << i.u.io.component);
        } else if (i.op == ir::Op::LoadSysval && ir::Sysval(i.u.io.slot) == ir::Sysval::PointCoord) {
            ir::IoInfo io;
            VaryingInput* v = varying(io, VaryingInput::Kind::PointCoord);
            v->mask = uint8_t(v->mask | 1u << i.u.io.component);
        }
    });
    for (VaryingInput& v : info_.varyings) {
        v.inloc = uint8_t(info_.varying_dw);
        v.count = uint8_t(std::bit_width(v.mask));
        info_.varying_dw += v.count;
    }
    plan_prefetches();
    plan_system_values();
    const auto is_coordinate = [&](const ir::Value* v) {
        for (const ir::Use* u = v->uses; u; u = u->next)
            if (!is_prefetched(*u->user)) return false;
        return v->has_uses();
    };
    bool reads = false;
    for_each([&](const ir::Instr& i) {
        reads |= i.op == ir::Op::LoadInputAt ||
                 (i.op == ir::Op::LoadSysval && ir::Sysval(i.u.io.slot) == ir::Sysval::PointCoord);
        if (i.op != ir::Op::LoadInput || is_coordinate(i.result())) return;
        reads = true;
        const VaryingInput* v = varying(i.u.io, VaryingInput::Kind::Varying);
        // If the same component is also needed at other places in the pixel, each load has its own register.
        const unsigned inloc = v->inloc + i.u.io.component;
        Word& word = input_words_[i.u.io.slot * 4 + i.u.io.component];
        const bool half = is_rounded_only(i);
        const bool shared = pair_of(i.u.io) == 0 && !v->flat && !half;
        if (shared && word != kNoWord) return set(i.result(), Ref::word(word));
        const Ref value = v->flat ? flat(inloc) : bary(inloc, barycentric(i.u.io), half);
        if (shared) word = value.as_word();
        set(i.result(), value);
    });
    if (!prefetched_.empty() && !reads) release_varyings();
}

void Selector::load_input(const ir::Instr& i) {
    if (s_.stage == ir::Stage::Fragment) return;  // plan_varyings() read them
    if (s_.stage != ir::Stage::Vertex || i.operand_count)
        return f_.fail("adreno: an input that this stage does not have");
    set(i.result(), Ref::word(input_words_[i.u.io.slot * 4 + i.u.io.component]));
}

/// interpolateAt...: the centroid has its own pair of coordinates.
void Selector::load_input_at(const ir::Instr& i) {
    const VaryingInput* v = varying(i.u.io, VaryingInput::Kind::Varying);
    const unsigned inloc = v->inloc + i.u.io.component;
    if (v->flat) return set(i.result(), flat(inloc));
    ir::IoInfo io = i.u.io;
    if (io.interp_at == ir::InterpAt::Centroid) return set(i.result(), bary(inloc, barycentric(io)));
    // Offsets and samples (at their offsets): the pair of the pixel's centre, moved along its derivatives.
    const bool sample = io.interp_at == ir::InterpAt::Sample;
    io.interp_at = ir::InterpAt::Center;
    const Ref ij = barycentric(io);
    Ref place[2];
    if (sample) {
        const Word offset = sample_offset(use(i.operand(0)));
        place[0] = Ref::word(offset);
        place[1] = Ref::word(offset + 1);
    } else {
        place[0] = use(i.operand(0));
        place[1] = use(i.operand(1));
    }
    Ref moved[2];
    for (unsigned k = 0; k < 2; k++) {
        const Ref x = Ref::word(ij.as_word() + k);
        moved[k] = mad_f32({place[0], in_register(derivative(x, 0, false)), x});
        moved[k] = mad_f32({place[1], in_register(derivative(x, 1, false)), moved[k]});
    }
    set(i.result(), bary(inloc, Ref::run(collect(moved), 2)));
}

// ---- Outputs ----

void Selector::store_output(const ir::Instr& i) {
    if (s_.stage == ir::Stage::Geometry && ir::EmitSlot(i.u.io.slot) == ir::EmitSlot::VertexCount)
        return end_without_vertex(i.operand(0));
    const unsigned at = i.u.io.slot * 4 + i.u.io.component;
    if (at >= outputs_.size()) return f_.fail("adreno: an output slot that is not known");
    if (s_.stage != ir::Stage::Fragment) {
        info_.writes_point_size |= ir::VaryingSlot(i.u.io.slot) == ir::VaryingSlot::PointSize;
    } else {
        const auto slot = ir::FragSlot(i.u.io.slot);
        info_.writes_depth |= slot == ir::FragSlot::Depth;
        info_.writes_stencil |= slot == ir::FragSlot::Stencil;
        info_.writes_sample_mask |= slot == ir::FragSlot::SampleMask;
    }
    const ir::Value* stored = i.operand(0);
    const ir::Instr* const made = stored->def;
    Ref value;
    if (!stores_half(i))
        value = use(stored);
    else if (ir::is_const(stored))
        value = Ref::immediate(ir::half_from_float(ir::const_f32(stored)), true);
    else if (made && made->op == ir::Op::F2F && made->operand(0)->type == ir::Type::F16)
        value = use(made->operand(0));
    else
        value = made_as(stored, true).value_or(Ref{});
    if (value.kind == Ref::Kind::None) value = convert(Type::kF32, Type::kF16, in_register(use(stored)));
    set_output(at, value);
}

// ---- Uniforms ----

/// Sets a0.x to index, in dwords.
void Selector::set_address(Ref index) {
    if (address_.block == block_ && address_.index == index) return;
    address_ = {block_, index};
    const Ref half = convert(Type::kU32, Type::kU16, in_register(index));
    alu_to(kA0Word, move_of(Type::kS16, Type::kS16), {half});
}

void Selector::load_uniform(const ir::Instr& i) {
    const uint32_t at = i.u.io.slot;
    const bool indexed = i.operand_count;
    const uint32_t end = at + (indexed ? i.u.io.count : 1);
    if (end > max_uniforms_dw()) {
        info_.reads_default_block = true;
        const Ref place = indexed ? add_u({use(i.operand(0)), constant(at)}) : constant(at);
        Ref vec4 = constant(at / 4);
        if (indexed) vec4 = shr_b({place, constant(2)});
        const Ref buffer = Ref::immediate(kDefaultBlock);
        if (!indexed) return set(i.result(), Ref::word(load_constants(buffer, vec4, at % 4, 1)));
        const Word row = load_constants(buffer, vec4, 0, 4);
        return set(i.result(), component_of(row, and_b({place, constant(3)}), 1));
    }
    f_.uniforms_dw = std::max(f_.uniforms_dw, end);
    if (!indexed) return set(i.result(), {.kind = Ref::Kind::Uniform, .index = at});
    // The offset from a0.x has ten bits, including the sign. A larger one is added to the index.
    constexpr uint32_t kMostOffset = 511;
    Ref index = use(i.operand(0));
    uint32_t offset = at;
    if (at > kMostOffset) {
        index = add_u({index, constant(at)});
        offset = 0;
    }
    set_address(index);
    // a0.x will change, so the value is copied to a register now.
    set(i.result(), in_register({.kind = Ref::Kind::Relative, .index = offset}));
}

// ---- System values ----

/// Reserves the coordinates for interpolateAt... and computes gl_PointCoord, in the first block.
void Selector::plan_system_values() {
    for_each([&](const ir::Instr& i) {
        if (i.op == ir::Op::LoadInputAt) {
            // A sample that is given by number is interpolated from the pixel's pair.
            ir::IoInfo io = i.u.io;
            if (io.interp_at == ir::InterpAt::Sample) io.interp_at = ir::InterpAt::Center;
            (void)barycentric(io);
        }
        if (i.op != ir::Op::LoadSysval || ir::Sysval(i.u.io.slot) != ir::Sysval::PointCoord) return;
        ir::IoInfo io;
        const VaryingInput* v = varying(io, VaryingInput::Kind::PointCoord);
        if (options_.sample_shading) io.interp_at = ir::InterpAt::Sample;
        set(i.result(), bary(v->inloc + i.u.io.component, barycentric(io)));
    });
}

Word Selector::coordinates_of_fragment() {
    SystemValues& s = info_.system;
    if (coord_ == kNoWord) {
        coord_ = take_input(4, false, &s.coord_xy);
        s.coord_zw = RegisterId(s.coord_xy + 2);
    }
    return coord_;
}

Ref Selector::sample_id() {
    if (sample_id_ == kNoWord) sample_id_ = take_input(1, true, &info_.system.sample_id);
    return convert(Type::kU16, Type::kU32, Ref::word(sample_id_, true));
}

bool Selector::load_fragment_sysval(const ir::Instr& i) {
    using enum ir::Sysval;
    const unsigned c = i.u.io.component;
    const auto value = ir::Sysval(i.u.io.slot);
    SystemValues& s = info_.system;
    if (value == PointCoord || color_target(i)) return true;  // plan_system_values(), plan_colors_read()
    if (value == SampleId || value == SamplePos) info_.per_sample = true;
    if ((value == HelperInvocation || value == SampleMaskIn) && sample_mask_ == kNoWord)
        sample_mask_ = take_input(1, false, &s.sample_mask);
    if (value == FragCoord) {
        const Ref place = Ref::word(coordinates_of_fragment() + c);
        set(i.result(), c >= 2 ? place : mul_f({convert(Type::kU32, Type::kF32, place), number(1.0f / 16)}));
    } else if (value == FrontFacing) {
        if (face_ == kNoWord) face_ = take_input(1, true, &s.front_face);
        set(i.result(), cmps_s({Ref::word(face_, true), Ref::immediate(0, true)}, Condition::kEq));
    } else if (value == SampleId) {
        set(i.result(), sample_id());
    } else if (value == SamplePos) {
        set(i.result(), add_f({Ref::word(sample_offset(sample_id()) + c), number(0.5f)}));
    } else if (value == HelperInvocation) {
        // A helper's sample is not among the covered ones (Mesa, nir_lower_helper_invocation).
        const Ref covered = and_b({shr_b({Ref::word(sample_mask_), sample_id()}), constant(1)});
        set(i.result(), xor_b({covered, constant(1)}));
    } else if (value == SampleMaskIn) {
        set(i.result(), Ref::word(sample_mask_));
    } else {
        return false;
    }
    return true;
}

std::optional<Param> param_of(const ir::IoInfo& io) {
    using enum ir::Sysval;
    constexpr struct {
        ir::Sysval value;
        Param first;  // of component 0
    } kRows[] = {{BaseVertex, Param::BaseVertex},
                 {BaseInstance, Param::BaseInstance},
                 {DrawId, Param::DrawId},
                 {PatchVertices, Param::PatchVertices},
                 {NumSamples, Param::NumSamples},
                 {SamplePositions, Param::SamplePositionsX},
                 {NumWorkGroups, Param::NumWorkGroupsX}};
    for (const auto& row : kRows)
        if (row.value == ir::Sysval(io.slot)) return Param(unsigned(row.first) + io.component);
    return {};
}

void Selector::load_sysval(const ir::Instr& i) {
    using enum ir::Sysval;
    const unsigned c = i.u.io.component;
    const auto value = ir::Sysval(i.u.io.slot);
    SystemValues& s = info_.system;
    if (s_.stage == ir::Stage::Fragment && load_fragment_sysval(i)) return;
    if (s_.stage != ir::Stage::Compute && load_stage_sysval(i)) return;
    if (const auto p = param_of(i.u.io)) return set(i.result(), param(*p));
    if (value == WorkGroupId) {
        s.workgroup_id = isa::reg(isa::kFirstShared, 0).index;
        return set(i.result(), in_register(Ref::word(kSharedWord + c)));
    }
    if (value != LocalInvocationId && value != LocalInvocationIndex)
        return f_.fail("adreno: system value " + std::to_string(i.u.io.slot) + " is not there yet");
    if (local_id_ == kNoWord) local_id_ = take_input(3, false, &s.local_id);
    if (value == LocalInvocationId) return set(i.result(), Ref::word(local_id_ + c));
    const uint32_t* size = s_.info.workgroup_size;
    Ref at = Ref::word(local_id_);
    if (size[1] > 1) at = add_u({at, multiply(Ref::word(local_id_ + 1), constant(size[0]))});
    if (size[2] > 1) at = add_u({at, multiply(Ref::word(local_id_ + 2), constant(size[0] * size[1]))});
    set(i.result(), at);
}

}  // namespace terrazzo::adreno::compiler
