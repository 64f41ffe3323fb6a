// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniforms, attributes, varyings, system values, outputs. abi.h has the places of each.
#include <algorithm>
#include <optional>

#include "drivers/mali/compiler/selector.h"
#include "shaders/passes/walk.h"

namespace terrazzo::mali::compiler {

using isa::Imm;
using isa::Op;

namespace {
constexpr unsigned kVaryingBase = unsigned(ir::VaryingSlot::Varying0);
constexpr unsigned kSecondColor = unsigned(ir::FragSlot::Second);

/// The value of a constant of 32 bits.
std::optional<float> known(const Ref& r) {
    if (!is_plain(r) || (r.kind != Ref::Kind::Immediate && r.kind != Ref::Kind::Constant)) return {};
    return std::bit_cast<float>(r.kind == Ref::Kind::Constant ? isa::constant_table(r.index) : r.index);
}
}  // namespace

/// The order of uniform words: pairs of the viewport, then the dwords that are read at constant places. An
/// even dword stays at an even word.
void Selector::plan_uniforms() {
    if (part_ == Part::Position)
        for (Sysval v : {Sysval::ViewportScaleX, Sysval::ViewportOffsetX, Sysval::ViewportScaleY,
                         Sysval::ViewportOffsetY, Sysval::ViewportScaleZ, Sysval::ViewportOffsetZ})
            (void)f_.find_fau({UniformWord::Kind::Sysval, uint32_t(v)});
    if (own_ && part_ == Part::Compute)
        for (unsigned half : {0, 1})
            (void)f_.find_fau({UniformWord::Kind::Sysval, uint32_t(Sysval::StorageBuffer0) + half});
    std::pmr::vector<uint32_t> places(f_.memory);
    ir::for_each(s_.body, [&](const ir::Instr* i) {
        if (i->op == ir::Op::LoadSysval && !blend_) plan_color(i->u.io.slot, i->u.io.component);
        if (i->op == ir::Op::LoadUniform && !i->operand_count && !read_as_half(i->result()))
            places.push_back(i->u.io.slot);
    });
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (uint32_t place : places) {
        if (f_.fau.size() + 2 + kSpareUniformWords > kMaxUniformWords) return;
        if (f_.fau.size() % 2 != place % 2) f_.fau.push_back({UniformWord::Kind::Constant, 0});
        f_.fau.push_back({UniformWord::Kind::Uniform, place});
    }
}

/// Uniforms that are read as halves are loaded by their uses, if at all (use_half).
void Selector::load_uniform(const ir::Instr& i) {
    if (blend_ || !read_as_half(i.result())) load_used_uniform(i);
}

void Selector::load_used_uniform(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    if (blend_) {
        if (i.operand_count || io.slot >= kMaxUniformWords + 4)
            return f_.fail("mali: a blend shader has no memory of uniforms");
        return set(i.result(), Ref::uniform(io.slot));
    }
    const bool boolean = i.result()->type == ir::Type::Bool;
    const uint32_t fau = i.operand_count ? kNoUniform : in_fau(io.slot);
    Ref value = fau != kNoUniform ? Ref::uniform(fau) : uniform_from_memory(i);
    // The block has 0 or 1 for a Bool.
    if (boolean) value = csel_u32({value, zero(), Ref::immediate(~0u), zero()}, isa::Condition::kNe);
    set(i.result(), value);
}

void Selector::load_input(const ir::Instr& i) {
    if (part_ == Part::Compute ? i.operand_count < 1 || i.operand_count > 2 : i.operand_count != 0)
        return f_.fail("mali: inputs of other vertices are not compiled");
    if (i.result()->type != ir::Type::F32 && i.result()->type != ir::Type::I32)
        return f_.fail("mali: inputs of 16 bits are not compiled");
    if (part_ == Part::Fragment)
        load_varying(i);
    else
        load_attribute(i);
}

void Selector::load_attribute(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    if (io.slot >= 16) return f_.fail("mali: more than 16 attributes are not compiled");
    const bool captured = part_ == Part::Compute;
    const ir::Value* const vertex = captured ? i.operand(0) : nullptr;
    const uint32_t key = io.slot | (vertex ? (vertex->id + 1) << 8 : 0);
    const Loaded* known = find_loaded(i.op, key);
    if (!known) {
        const unsigned count = unsigned(std::bit_width(input_mask_[io.slot]));
        // Integers of either sign are copied.
        isa::Instr p =
            isa::make(Op::kLdAttrImm)
                .set_register_format(i.result()->type == ir::Type::F32 ? isa::RegisterFormat::kF32
                                                                       : isa::RegisterFormat::kAuto);
        p.set_vector_size(isa::VectorSize(count - 1)).set_slot(next_slot());
        p.set_immediate(Imm::kIndex, int32_t(io.slot));
        p.set_immediate(Imm::kTable, int32_t(Table::Attributes));
        info_.attributes |= 1u << io.slot;
        const Ref number = vertex ? in_register(use(vertex)) : preload(kVertexIdRegister);
        const Ref instance = i.operand_count == 2
                                 ? in_register(use(i.operand(1)))
                                 : preload(captured ? kGlobalIdYRegister : kInstanceIdRegister);
        known = add_loaded(i.op, key, message(p, {number, instance}, count), count);
    }
    set(i.result(), Ref::word(known->first + io.component));
}

/// The number of a varying slot; kMaxVaryings: it has none.
unsigned Selector::varying_of(uint32_t slot) {
    if (ir::VaryingSlot(slot) == ir::VaryingSlot::PrimitiveId) return kPrimitiveIdVarying;
    return slot < kVaryingBase ? ir::kMaxVaryings : std::min(slot - kVaryingBase, ir::kMaxVaryings);
}

/// The source of LD_VAR_BUF for interpolateAt...: an offset in 8.8 fixed point from the pixel's top left
/// corner (.explicit), the number of a sample in the high half (.sample), or as in other loads (.centroid).
Ref Selector::place_in_pixel(const ir::Instr& i) {
    const auto half = [](Ref r) { return r.part(isa::Swizzle::kH00); };
    const auto in = [&](unsigned n) { return use(i.operand(n)); };
    switch (i.u.io.interp_at) {
        case ir::InterpAt::Centroid:
            break;
        case ir::InterpAt::Sample:
            return mkvec_v2i16({zero(), half(in_register(in(0)))});
        case ir::InterpAt::Center: {
            Ref fixed[2];
            for (unsigned c = 0; c < 2; c++)
                fixed[c] = f32_to_s32({fma_f32({in(c), number(256), number(128)})});
            return mkvec_v2i16({half(fixed[0]), half(fixed[1])});
        }
    }
    return preload(kSampleRegister);
}

void Selector::load_varying(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    if (blend_) {
        if (io.slot - kVaryingBase > 1) return f_.fail("mali: a blend shader has two sources");
        return set(i.result(), Ref::word(blend_input_ + (io.slot - kVaryingBase) * 4 + io.component));
    }
    if (ir::VaryingSlot(io.slot) == ir::VaryingSlot::Layer)
        return set(i.result(), u8_to_u32({preload(kLayerRegister).part(isa::Swizzle::kB0)}));
    const unsigned slot = varying_of(io.slot);
    if (slot >= ir::kMaxVaryings) return f_.fail("mali: fragment input of an unknown slot");
    if (io.interp == ir::Interp::NoPerspective)
        return f_.fail("mali: noperspective varyings are not compiled yet");
    const unsigned first = unsigned(std::countr_zero(input_mask_[io.slot]));
    const uint32_t key = io.slot | uint32_t(io.interp_at) << 8;
    const bool half = plan_ && plan_->narrow_inputs >> io.slot & 1;
    const bool anywhere = i.op == ir::Op::LoadInputAt;  // operands name the place
    const Loaded* known = anywhere ? nullptr : find_loaded(i.op, key);
    if (!known) {
        const unsigned count = unsigned(std::bit_width(input_mask_[io.slot])) - first;
        const bool centre = !anywhere && io.interp_at == ir::InterpAt::Center;
        info_.per_sample |= !anywhere && io.interp_at == ir::InterpAt::Sample && !per_sample_;
        // The immediate has 8 bits: slots from the 17th on are named by a register.
        const uint32_t place_B = slot * kVaryingSlot_B + first * 4;
        const bool far = place_B > 255;
        isa::Instr p = isa::make(far    ? half ? Op::kLdVarBufF16 : Op::kLdVarBufF32
                                 : half ? Op::kLdVarBufImmF16
                                        : Op::kLdVarBufImmF32);
        p.set_vector_size(isa::VectorSize(count - 1)).set_slot(next_slot());
        p.set_source_format(io.interp == ir::Interp::Flat ? isa::SourceFormat::kFlat32
                                                          : isa::SourceFormat::kF32);
        p.set_sample(centre                                   ? isa::SampleMode::kCenter
                     : io.interp_at == ir::InterpAt::Centroid ? isa::SampleMode::kCentroid
                     : io.interp_at == ir::InterpAt::Sample   ? isa::SampleMode::kSample
                                                              : isa::SampleMode::kExplicit);
        const bool kept = !far && centre && position_kept_in_ == int(block_);
        p.set_update(kept  ? isa::UpdateMode::kRetrieve
                     : far ? isa::UpdateMode::kClobber
                           : isa::UpdateMode::kStore);
        position_kept_in_ = centre && !far ? int(block_) : -1;
        if (!far) p.set_immediate(Imm::kIndex, int32_t(place_B));
        const unsigned words = half ? (count + 1) / 2 : count;
        const Ref place = far ? in_register(Ref::immediate(place_B)) : Ref{};
        info_.varyings |= 1u << slot;
        const Ref at = anywhere ? place_in_pixel(i) : preload(kSampleRegister);
        known = add_loaded(i.op, key, message(p, {at, place}, words), words);
    }
    set(i.result(), component(known->first, io.component - first, half));
}

Word Selector::load_special(SpecialVarying which, unsigned count) {
    if (const Loaded* known = find_loaded(ir::Op::LoadSysval, uint32_t(which))) return known->first;
    isa::Instr p = isa::make(Op::kLdVarSpecial).set_register_format(isa::RegisterFormat::kF32);
    p.set_vector_size(isa::VectorSize(count - 1)).set_slot(next_slot());
    p.set_sample(at_samples_ ? isa::SampleMode::kSample : isa::SampleMode::kCenter);
    p.set_update(isa::UpdateMode::kClobber);
    p.set_immediate(Imm::kIndex, int32_t(which));
    position_kept_in_ = -1;
    const Word words = message(p, {preload(kSampleRegister)}, count);
    return add_loaded(ir::Op::LoadSysval, uint32_t(which), words, count)->first;
}

Ref Selector::frag_coord(unsigned component) {
    if (component >= 2)
        return Ref::word(load_special(component == 2 ? SpecialVarying::FragZ : SpecialVarying::FragW, 1));
    const Ref half = preload(kPixelRegister).part(component ? isa::Swizzle::kH11 : isa::Swizzle::kH00);
    return fadd_f32({u16_to_f32({half}), at_samples_ ? sample_position(component) : number(0.5f)});
}

/// gl_FragCoord.x or .y rounded down. None: the value is another one.
Ref Selector::whole_pixel(const ir::Value* v) {
    const ir::Instr* d = v->def;
    const bool place = d && d->op == ir::Op::LoadSysval &&
                       ir::Sysval(d->u.io.slot) == ir::Sysval::FragCoord && d->u.io.component < 2;
    if (!place) return {};
    return u16_to_u32(
        {preload(kPixelRegister).part(d->u.io.component ? isa::Swizzle::kH11 : isa::Swizzle::kH00)});
}

void Selector::load_sysval(const ir::Instr& i) {
    const unsigned component = i.u.io.component;
    const unsigned target = i.u.io.slot - unsigned(ir::Sysval::LastColor0);
    if (target < 8) return set(i.result(), load_color(target, component, i.result()->type == ir::Type::I32));
    const auto value = ir::Sysval(i.u.io.slot);
    Ref r;
    if (value == ir::Sysval::FragCoord) {
        r = frag_coord(component);
    } else if (value == ir::Sysval::PointCoord) {
        r = Ref::word(load_special(SpecialVarying::PointCoord, 2) + component);
    } else if (value == ir::Sysval::FrontFacing) {
        r = icmp_or_u32({preload(kFrontFaceRegister), zero(), zero()}, isa::Condition::kEq,
                        isa::ResultType::kM1);
    } else if (value == ir::Sysval::VertexId) {
        r = preload(kVertexIdRegister);
    } else if (value == ir::Sysval::InstanceId) {
        r = preload(part_ == Part::Compute ? kGlobalIdYRegister : kInstanceIdRegister);
    } else if (value == ir::Sysval::WorkGroupId) {
        r = preload(kWorkgroupIdRegister + component);
    } else if (value == ir::Sysval::LocalInvocationId) {
        r = local_id(component);
    } else if (value == ir::Sysval::LocalInvocationIndex) {
        const uint32_t* const size = s_.info.workgroup_size;
        r = local_id(0);
        if (size[1] > 1) r = iadd_u32({r, imul_i32({local_id(1), Ref::immediate(size[0])})});
        if (size[2] > 1) r = iadd_u32({r, imul_i32({local_id(2), Ref::immediate(size[0] * size[1])})});
    } else if (value == ir::Sysval::NumWorkGroups) {
        r = sysval(Sysval(unsigned(Sysval::NumWorkGroupsX) + component));
    } else if (value == ir::Sysval::NumSamples) {
        r = sysval(Sysval::SampleCount);
    } else if (value == ir::Sysval::SampleMaskIn) {
        r = u16_to_u32({preload(kSampleRegister).part(isa::Swizzle::kH00)});
    } else if (value == ir::Sysval::HelperInvocation) {
        r = icmp_or_u32({preload(kSampleRegister).part(isa::Swizzle::kH0), zero(), zero()},
                        isa::Condition::kEq, isa::ResultType::kM1);
    } else if (value == ir::Sysval::SampleId) {
        r = sample_id();
    } else if (value == ir::Sysval::SamplePos) {
        r = sample_position(component);
    } else {
        return f_.fail("mali: system value " + std::to_string(i.u.io.slot) + " is not compiled yet");
    }
    set(i.result(), r);
}

Ref Selector::local_id(unsigned component) {
    const isa::Swizzle half = component == 1 ? isa::Swizzle::kH11 : isa::Swizzle::kH00;
    return u16_to_u32({preload(kLocalIdRegister + component / 2).part(half)});
}

/// The bits above are not always zero.
Ref Selector::sample_id() {
    info_.per_sample |= !blend_;
    const Ref shift_by{.kind = Ref::Kind::Constant, .swizzle = isa::Swizzle::kB00, .index = 8 + 16 / 4};
    return alu(Op::kRshiftAndI32, {preload(kSampleRegister), shift_by, Ref::immediate(31)});
}

/// The hardware has a table of positions, in halves of 8.8 fixed point.
Ref Selector::sample_position(unsigned component) {
    constexpr uint32_t kKey = 0x200;
    const Loaded* known = find_loaded(ir::Op::LoadSysval, kKey);
    if (!known) {
        const Word address = new_words(2);
        const Ref offset = shift(ir::Op::IShl, sample_id(), Ref::immediate(2));
        alu_to(address, isa::make(Op::kIaddU32), {Ref::special(isa::Special::kSample), offset});
        move_to(address + 1, Ref::special(isa::Special::kSample, true));
        const isa::Instr p = isa::make(Op::kLoadI32).set_is_unsigned(true).set_slot(next_slot());
        known = add_loaded(ir::Op::LoadSysval, kKey, message(p, {Ref::word(address)}, 1), 1);
    }
    const isa::Swizzle half = component ? isa::Swizzle::kH11 : isa::Swizzle::kH00;
    return fmul(s16_to_f32({Ref::word(known->first).part(half)}), number(1.0f / 256));
}

Ref Selector::sysval(Sysval s) {
    return system_value(s, {});
}

void Selector::store_output(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    const uint32_t at = io.slot * 4 + io.component;
    if (at >= outputs_.size()) return f_.fail("mali: output of an unknown slot");
    const bool color = part_ == Part::Fragment && io.slot <= unsigned(ir::FragSlot::Color7);
    if (color && i.operand(0)->type == ir::Type::I32) info_.integer_colors |= 1u << io.slot;
    if (color && !(i.flags & ir::instr_flag::kRounded)) rounded_colors_ &= ~(1u << at);
    set_output(at, use(i.operand(0)));
}

// --- ends of shaders

Word Selector::vertex_address(unsigned extra) {
    isa::Instr p = isa::make(Op::kLeaBufImm).set_slot(next_slot());
    p.set_immediate(Imm::kTable, int32_t(kIdvsTableImmediate));
    const Ref index = preload(kIdvsIndexRegister);
    return message(p, {extra ? iadd_u32({index, Ref::immediate(extra)}) : index}, 2);
}

void Selector::store(Word address, Word data, unsigned count, int offset_B) {
    constexpr Op kOps[] = {Op::kStoreI32, Op::kStoreI64, Op::kStoreI96, Op::kStoreI128};
    const bool position = part_ == Part::Position;
    isa::Instr p = isa::make(kOps[count - 1]).set_slot(next_slot());
    p.set_memory_access(position ? isa::MemoryAccess::kIstream : isa::MemoryAccess::kEstream);
    message(p.set_immediate(Imm::kOffset, offset_B), {Ref::word(address)}, 0, data, count);
}

/// The position in window coordinates, and 1/w.
void Selector::finish_position() {
    const Ref* p = &outputs_[unsigned(ir::VaryingSlot::Position) * 4];
    const Ref one = number(1), w = p[3].kind == Ref::Kind::None ? one : p[3];
    // 2D scenes have a w of 1 and need no division.
    const std::optional<float> known_w = known(w);
    const bool divides = known_w != 1.0f;
    const Ref inverse = !divides ? one : known_w ? number(1 / *known_w) : frcp_f32({w});
    constexpr Sysval kScale[] = {Sysval::ViewportScaleX, Sysval::ViewportScaleY, Sysval::ViewportScaleZ};
    constexpr Sysval kOffset[] = {Sysval::ViewportOffsetX, Sysval::ViewportOffsetY, Sysval::ViewportOffsetZ};
    Ref out[4];
    for (unsigned c = 0; c < 3; c++) {
        const Ref clip = p[c].kind == Ref::Kind::None ? zero() : p[c];
        const std::optional<float> a = known(clip), b = known(inverse);
        const Ref place = !divides ? clip : a && b ? number(*a * *b) : fmul(clip, inverse);
        const Ref scale = sysval(kScale[c]), offset = sysval(kOffset[c]);
        const std::optional<float> at = known(place);
        // The scale is finite.
        out[c] = at == 0.0f   ? offset
                 : at == 1.0f ? fadd_f32({scale, offset})
                              : fma_f32({at ? in_register(place) : place, scale, offset});
    }
    out[3] = inverse;
    const Word address = vertex_address(0);
    store(address, collect(out), 4, 0);
    const Ref size = outputs_[unsigned(ir::VaryingSlot::PointSize) * 4];
    const Ref layer = outputs_[unsigned(ir::VaryingSlot::Layer) * 4];
    info_.writes_point_size = size.kind != Ref::Kind::None;
    info_.writes_layer = layer.kind != Ref::Kind::None;
    if (!info_.writes_point_size && !info_.writes_layer) return;
    const Word at = vertex_address(4);
    if (info_.writes_layer) {
        constexpr int kLayer_B = 2;
        isa::Instr byte = isa::make(Op::kStoreI8).set_memory_access(isa::MemoryAccess::kIstream);
        message(byte.set_slot(next_slot()).set_immediate(Imm::kOffset, kLayer_B), {Ref::word(at)}, 0,
                in_word(layer), 1);
    }
    if (!info_.writes_point_size) return;
    isa::Instr narrow = isa::make(Op::kStoreI16).set_memory_access(isa::MemoryAccess::kIstream);
    narrow.set_slot(next_slot());
    const Ref s = in_register(size);
    message(narrow, {Ref::word(at)}, 0, v2f32_to_v2f16({s, s}).as_word(), 1);
}

void Selector::finish_varyings() {
    Word address = kNoWord;
    const bool numbered = outputs_[unsigned(ir::VaryingSlot::PrimitiveId) * 4].kind != Ref::Kind::None;
    for (unsigned n = 0; n < ir::kMaxVaryings; n++) {
        const bool number = numbered && n == kPrimitiveIdVarying;
        const Ref* v = &outputs_[(number ? unsigned(ir::VaryingSlot::PrimitiveId) : kVaryingBase + n) * 4];
        unsigned count = 4;
        while (count && v[count - 1].kind == Ref::Kind::None)
            count--;
        if (!count) continue;
        if (address == kNoWord) address = vertex_address(0);
        store(address, collect({v, count}), count, int(n * kVaryingSlot_B));
        info_.varyings |= 1u << n;
    }
}

void Selector::finish_fragment() {
    const auto stored = [&](unsigned slot) {
        for (unsigned c = 0; c < 4; c++)
            if (outputs_[slot * 4 + c].kind != Ref::Kind::None) return true;
        return false;
    };
    for (unsigned rt = 0; rt < 8; rt++)
        info_.colors |= stored(rt) ? 1u << rt : 0;
    info_.second_color = stored(kSecondColor);
    if (info_.second_color) info_.colors |= 1;
    const bool has_alpha = info_.colors & ~info_.integer_colors & 1 && outputs_[3].kind != Ref::Kind::None;
    Ref alpha = has_alpha ? outputs_[3] : number(1);
    // Values for tests that were early have no effect.
    const auto tested = [&](ir::FragSlot slot) {
        return info_.early_tests ? Ref{} : outputs_[unsigned(slot) * 4];
    };
    const Ref depth = tested(ir::FragSlot::Depth);
    Ref mask = outputs_[unsigned(ir::FragSlot::SampleMask) * 4];
    info_.writes_coverage = mask.kind != Ref::Kind::None;
    // gl_SampleMask has no effect on targets with one sample.
    if (info_.writes_coverage)
        mask = icmp_or_u32({sysval(Sysval::SampleCount), Ref::immediate(1), mask}, isa::Condition::kEq,
                           isa::ResultType::kM1);
    const Ref coverage = preload(kCoverageRegister);
    const Ref covered = info_.writes_coverage ? logic(Op::kLshiftAndI32, coverage, mask) : coverage;
    const auto with_coverage = [&](const isa::Instr& proto, std::initializer_list<Ref> src) {
        Inst test = with(proto, src);
        test.written = register_word(kCoverageRegister);
        test.written_count = 1;
        push(test);
    };
    const auto is_direct = [&](const Ref& r) {
        return (r.kind == Ref::Kind::Constant && is_plain(r)) || is_plain_half(r);
    };
    Ref& blue = outputs_[2];
    if (blue.kind == Ref::Kind::None) blue = zero();
    const bool loads_constants = known(blue) && known(alpha);
    if (has_alpha && half_color(0) && (loads_constants || !(is_direct(alpha) || is_word(alpha)))) {
        // The test reads the register of the colour.
        const Ref both = in_register(narrowed(blue, alpha));
        blue = both.part(isa::Swizzle::kH0);
        outputs_[3] = alpha = both.part(isa::Swizzle::kH1);
        rounded_colors_ |= 0b1100;
    }
    with_coverage(isa::make(Op::kAtest), {covered, is_direct(alpha) ? alpha : in_register(alpha),
                                          Ref::special(isa::Special::kAtestDatum)});
    const Ref stencil = tested(ir::FragSlot::Stencil);
    info_.writes_depth = depth.kind != Ref::Kind::None;
    info_.writes_stencil = stencil.kind != Ref::Kind::None;
    if (info_.writes_depth || info_.writes_stencil) {
        isa::Instr z = isa::make(Op::kZsEmit).set_slot(isa::Slot::k0);
        z.set_z(info_.writes_depth).set_stencil(info_.writes_stencil);
        with_coverage(z, {info_.writes_depth ? in_register(depth) : zero(),
                          info_.writes_stencil ? in_register(stencil) : zero(), coverage});
    }
    for (unsigned rt = 0; rt < 8; rt++)
        if (info_.colors >> rt & 1) write_color(rt, coverage);
}

void Selector::write_color(unsigned target, Ref coverage) {
    const bool integer = info_.integer_colors >> target & 1, half = !integer && half_color(target);
    const auto give_halves = [&] {
        for (unsigned c = 0; c < 4; c += 2) {
            Ref of[2];
            for (unsigned k = 0; k < 2; k++) {
                of[k] = outputs_[target * 4 + c + k];
                if (of[k].kind == Ref::Kind::None) of[k] = c + k == 3 ? number(1) : zero();
            }
            move_to(register_word(kBlendColorRegister + c / 2), narrowed(of[0], of[1]));
        }
    };
    const auto give_color = [&](unsigned reg, unsigned slot) {
        for (unsigned c = 0; c < 4; c++) {
            const Ref r = outputs_[slot * 4 + c];
            move_to(register_word(reg + c), r.kind != Ref::Kind::None ? r
                                            : c < 3                   ? zero()
                                            : integer                 ? Ref::immediate(1)
                                                                      : number(1));
        }
    };
    Inst blend;
    if (half) {
        give_halves();
        info_.half_colors |= 1u << target;
    } else {
        give_color(kBlendColorRegister, target);
    }
    if (target == 0 && info_.second_color) {
        give_color(kBlendSecondColorRegister, kSecondColor);
        blend.also_read = register_word(kBlendSecondColorRegister);
        blend.also_read_count = 4;
    }
    blend.proto = isa::make(Op::kBlend).set_slot(isa::Slot::k0).set_vector_size(isa::VectorSize::k4);
    blend.proto.set_register_format(half      ? isa::RegisterFormat::kF16
                                    : integer ? isa::RegisterFormat::kAuto
                                              : isa::RegisterFormat::kF32);
    blend.src[0] = Ref::special(isa::Special(unsigned(isa::Special::kBlendDescriptor0) + target));
    blend.src[1] = coverage;
    blend.read = register_word(kBlendColorRegister);
    blend.read_count = half ? 2 : 4;
    blend.calls = true;
    blend.calls_sample = per_sample_;
    if (per_sample_) (void)preload(kSampleRegister);
    push(blend);
}

}  // namespace terrazzo::mali::compiler
