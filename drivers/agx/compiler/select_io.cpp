// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniforms, attributes, varyings, system values, outputs. abi.h has the places of each.
#include <algorithm>

#include "drivers/agx/compiler/machine.h"
#include "drivers/agx/compiler/selector.h"
#include "shaders/ir/memory.h"

namespace terrazzo::agx::compiler {

using isa::IntCondition;
using isa::Op;
using isa::SpecialRegister;
using isa::TruthTable;

namespace {

constexpr unsigned kVaryingBase = unsigned(ir::VaryingSlot::Varying0);

isa::Components components_of(unsigned count) {
    return count == 4 ? isa::Components::kXyzw : isa::Components(count);
}

}  // namespace

Ref Selector::sysval(Sysval s) {
    const uint32_t n = f_.find_uniform({UniformWord::Kind::Sysval, uint32_t(s)});
    if (n == Function::kNoUniform) f_.fail("agx: no room for a system value in uniform registers");
    return Ref::uniform(n == Function::kNoUniform ? 0 : n);
}

/// Only the first uniform registers can be addresses. So they are taken before plain uniforms, which go to
/// memory if registers run out.
void Selector::reserve_addresses() {
    constexpr size_t kFew = 32;
    std::pmr::vector<uint32_t> slots(f_.memory);
    bool needed = false;
    for_each([&](const ir::Instr& i) {
        if (i.op != ir::Op::LoadUniform) return;
        needed |= i.operand_count != 0;
        slots.push_back(i.u.io.slot);
    });
    std::sort(slots.begin(), slots.end());
    const auto distinct = std::unique(slots.begin(), slots.end()) - slots.begin();
    if (needed || size_t(distinct) > kFew) (void)f_.find_address(uint32_t(Sysval::DefaultBlock));
}

void Selector::load_uniform(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    if (blend_) {
        if (i.operand_count || io.slot >= kBlendUniformWords)
            return f_.fail("agx: a blend piece has no memory of uniforms");
        return set(i.result(), Ref::uniform(kBlendUniformWord + io.slot));
    }
    if (!i.operand_count) {
        const uint32_t n = f_.find_uniform({UniformWord::Kind::Uniform, io.slot});
        if (n != Function::kNoUniform) return set(i.result(), Ref::uniform(n));
    }
    const uint32_t base = f_.find_address(uint32_t(Sysval::DefaultBlock));
    if (base == Function::kNoUniform) return f_.fail("agx: no room for the address of uniforms");
    const Ref first = Ref::immediate(io.slot);
    const Ref index =
        i.operand_count ? (io.slot ? iadd({use(i.operand(0)), first}) : use(i.operand(0))) : first;
    isa::Instr p = isa::make(Op::kDeviceLoad).set_format(isa::Format::kI32).set_mask(isa::Mask::kX);
    p.set_unsigned_index(true);
    set(i.result(), Ref::word(emit(p, {Ref::uniform(base, 64), in_register(index)}, 1)));
}

void Selector::load_input(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    if (i.operand_count) return f_.fail("agx: inputs of other vertices are not compiled yet");
    if (ir::bit_size(i.result()->type) != 32) return f_.fail("agx: inputs of 16 bits are not compiled");
    if (blend_) {
        if (io.slot - kVaryingBase > 1) return f_.fail("agx: a blend piece has two sources");
        return set(i.result(), fixed(io.slot == kVaryingBase ? color_register(blend_->target, io.component)
                                                             : kSecondColorRegister + io.component));
    }
    if (s_.stage == ir::Stage::Fragment) return load_varying(i);
    if (s_.stage != ir::Stage::Vertex || io.slot >= kMaxAttributes)
        return f_.fail("agx: this input is not compiled yet");
    info_.attributes |= 1u << io.slot;
    info_.attribute_components[io.slot] |= uint8_t(1u << io.component);
    set(i.result(), fixed(attribute_register(io.slot, io.component)));
}

/// The first coefficient register of a group, which is added if it is missing.
unsigned Selector::coefficient(CoefficientGroup group) {
    unsigned end = 0;
    for (const CoefficientGroup& g : info_.coefficients) {
        group.first_register = g.first_register;
        if (g == group) return g.first_register;
        end = g.first_register + g.count;
    }
    group.first_register = uint8_t(end);
    info_.coefficients.push_back(group);
    return end;
}

/// The group's components in consecutive words. Flat ones are the last of three words each.
Word Selector::interpolate(const CoefficientGroup& group) {
    using Source = CoefficientGroup::Source;
    const auto operand = [](unsigned n) {
        return isa::Operand::of(isa::OperandKind::kCoefficient, int32_t(n));
    };
    const bool flat = group.source == Source::Varying && group.interp == ir::Interp::Flat;
    const bool projected = group.source == Source::Varying && group.interp == ir::Interp::Smooth;
    isa::Instr p = isa::make(flat ? Op::kLdcf : projected ? Op::kIterproj : Op::kIter);
    p.set_components(components_of(group.count));
    if (projected)
        p.src[1] = operand(coefficient({.source = Source::W, .interp = ir::Interp::NoPerspective}));
    p.src[0] = operand(coefficient(group));
    return emit(p, {}, flat ? 3u * group.count : group.count);
}

void Selector::load_varying(const ir::Instr& i) {
    const ir::IoInfo& io = i.u.io;
    const unsigned slot = io.slot - kVaryingBase;
    if (io.slot < kVaryingBase || slot >= ir::kMaxVaryings)
        return f_.fail("agx: fragment input of an unknown slot");
    if (io.interp_at != ir::InterpAt::Center)
        return f_.fail("agx: varyings elsewhere than at the pixel's centre are not compiled yet");
    const auto first = unsigned(std::countr_zero(input_mask_[io.slot]));
    const bool flat = io.interp == ir::Interp::Flat;
    const uint32_t key = io.slot | uint32_t(io.interp) << 8;
    const Loaded* known = find_loaded(i.op, key);
    if (!known) {
        const auto count = uint8_t(unsigned(std::bit_width(input_mask_[io.slot])) - first);
        const Word words = interpolate(
            {.varying = uint8_t(slot), .component = uint8_t(first), .count = count, .interp = io.interp});
        known = add_loaded(i.op, key, words, count);
    }
    const unsigned n = io.component - first;
    set(i.result(), Ref::word(known->first + (flat ? 3 * n + 2 : n)));
}

Ref Selector::frag_coord(unsigned component) {
    using Source = CoefficientGroup::Source;
    if (component < 2) {
        const Ref at = special(component ? SpecialRegister::kThreadY : SpecialRegister::kThreadX);
        return fadd32({convert({at}, isa::Conversion::kU32ToF, isa::Round::kEven), number(0.5f)});
    }
    return Ref::word(
        interpolate({.source = component == 2 ? Source::Z : Source::W, .interp = ir::Interp::NoPerspective}));
}

void Selector::load_sysval(const ir::Instr& i) {
    const unsigned c = i.u.io.component;
    const unsigned target = i.u.io.slot - unsigned(ir::Sysval::LastColor0);
    if (target < kMaxTargets) return set(i.result(), load_color(blend_ ? blend_->target : target, c));
    const auto plus = [&](SpecialRegister r) { return special(SpecialRegister(unsigned(r) + c)); };
    const auto is_zero = [&](Ref r) {
        return icsel(IntCondition::kUeq, r, Ref::immediate(0), Ref::immediate(1), Ref::immediate(0));
    };
    const auto value = ir::Sysval(i.u.io.slot);
    Ref r;
    if (value == ir::Sysval::VertexId)
        r = fixed(kVertexIdRegister);
    else if (value == ir::Sysval::InstanceId)
        r = fixed(kInstanceIdRegister);
    else if (value == ir::Sysval::FragCoord)
        r = frag_coord(c);
    else if (value == ir::Sysval::PointCoord)
        r = Ref::word(interpolate({.source = CoefficientGroup::Source::PointCoord,
                                   .count = 2,
                                   .interp = ir::Interp::NoPerspective}) +
                      c);
    else if (value == ir::Sysval::FrontFacing)
        r = is_zero(special(SpecialRegister::kBackFacing));
    else if (value == ir::Sysval::HelperInvocation)
        r = is_zero(special(SpecialRegister::kIsActive));
    else if (value == ir::Sysval::NumSamples)
        r = sysval(Sysval::SampleCount);
    else if (value == ir::Sysval::SampleMaskIn)
        r = special(SpecialRegister::kInputSampleMask);
    else if (value == ir::Sysval::WorkGroupId)
        r = plus(SpecialRegister::kGroupX);
    else if (value == ir::Sysval::LocalInvocationId)
        r = plus(SpecialRegister::kThreadInGroupX);
    else if (value == ir::Sysval::LocalInvocationIndex)
        r = special(SpecialRegister::kThreadIndexInGroup);
    else if (value == ir::Sysval::NumWorkGroups)
        r = sysval(Sysval(unsigned(Sysval::NumWorkGroupsX) + c));
    else
        return f_.fail("agx: system value " + std::to_string(i.u.io.slot) + " is not compiled yet");
    set(i.result(), r);
}

void Selector::store_output(const ir::Instr& i) {
    const uint32_t at = i.u.io.slot * 4 + i.u.io.component;
    if (at >= outputs_.size()) return f_.fail("agx: output of an unknown slot");
    set_output(at, use(i.operand(0)));
}

/// Arrays with dynamic indices, on the thread's stack.
void Selector::local_variable(const ir::Instr& i) {
    uint32_t& at_B = local_at_B_[i.var->id];
    const bool store = i.op == ir::Op::StoreVar;
    if (at_B == kNoPlace) {
        at_B = f_.add_private(i.var->count);
        if (f_.private_B > Machine::kPrivateEnd_B / 2) return f_.fail("agx: too much memory of arrays");
    }
    const ir::Value* const index = i.operand_count > unsigned(store) ? i.operand(store) : nullptr;
    const Ref first = Ref::immediate(at_B + 4 * i.u.io.component);
    const Ref place =
        index ? iadd({bfi({Ref::immediate(0), use(index), Ref::immediate(2)}), first}) : in_register(first);
    if (store) {
        Inst m = stack_access(true, in_word(use(i.operand(0))), 1, in_register(place));
        push(m);
        return;
    }
    Inst m = stack_access(false, new_words(1), 1, in_register(place));
    const Ref word = Ref::word(push(m).dest);
    set(i.result(), ir::bit_size(i.result()->type) == 16 ? word.half() : word);
}

// ---- Ends of shaders ----

/// Order of words: position, smooth, flat, linear ones, the point size.
void Selector::finish_vertex() {
    const auto output = [&](ir::VaryingSlot slot) { return &outputs_[unsigned(slot) * 4]; };
    for (const ir::VaryingSlot slot : {ir::VaryingSlot::ClipDist0, ir::VaryingSlot::ClipDist1,
                                       ir::VaryingSlot::Layer, ir::VaryingSlot::ViewportIndex})
        for (unsigned c = 0; c < 4; c++)
            if (output(slot)[c].kind != Ref::Kind::None)
                return f_.fail("agx: this vertex output is not compiled yet");
    std::pmr::vector<Ref> words(f_.memory);
    const Ref* const p = output(ir::VaryingSlot::Position);
    Ref position[4];
    for (unsigned c = 0; c < 4; c++)
        position[c] = p[c].kind != Ref::Kind::None ? p[c] : c == 3 ? number(1) : Ref::immediate(0);
    const Ref w = in_register(position[3]);
    position[2] = fmadd32({position[2], sysval(Sysval::ClipZ), fmul32({w, sysval(Sysval::ClipW)})});
    words.assign(position, position + 4);
    uint8_t* const counts[] = {&info_.smooth_words, &info_.flat_words, &info_.linear_words};
    for (unsigned group = 0; group < 3; group++)
        for (unsigned n = 0; n < ir::kMaxVaryings; n++) {
            const Options& o = *options_.options;
            const unsigned of = o.flat_varyings >> n & 1 ? 1 : o.linear_varyings >> n & 1 ? 2 : 0;
            const Ref* const v = &outputs_[(kVaryingBase + n) * 4];
            unsigned count = 4;
            while (count && v[count - 1].kind == Ref::Kind::None)
                count--;
            if (of != group || !count) continue;
            info_.outputs[n] = {uint8_t(words.size()), uint8_t(count)};
            *counts[group] += uint8_t(count);
            words.insert(words.end(), v, v + count);
        }
    const Ref size = output(ir::VaryingSlot::PointSize)[0];
    info_.writes_point_size = size.kind != Ref::Kind::None;
    if (info_.writes_point_size) words.push_back(size);
    info_.output_words = uint8_t(words.size());
    for (size_t n = 0; n < words.size(); n++)
        emit(isa::make(n + 1 == words.size() ? Op::kStVarFinal : Op::kStVar),
             {Ref::word(in_word(words[n])), Ref::number(uint32_t(n))});
}

void Selector::wait_pixel(unsigned mask) {
    emit(isa::make(Op::kWaitPix), {Ref::number(mask), Ref::number(0)});
}

/// Colours in their registers. Tests that the shader runs itself come first.
void Selector::finish_fragment() {
    const auto stored = [&](ir::FragSlot slot) {
        return std::any_of(&outputs_[unsigned(slot) * 4], &outputs_[unsigned(slot) * 4] + 4,
                           [](const Ref& r) { return r.kind != Ref::Kind::None; });
    };
    if (stored(ir::FragSlot::SampleMask)) return f_.fail("agx: sample masks are not compiled yet");
    constexpr uint32_t kAllSamples = 255, kBeforeTests = 1;
    const Ref depth = outputs_[unsigned(ir::FragSlot::Depth) * 4],
              stencil = outputs_[unsigned(ir::FragSlot::Stencil) * 4];
    const bool has_depth = depth.kind != Ref::Kind::None, has_stencil = stencil.kind != Ref::Kind::None;
    if ((has_depth || has_stencil) && !s_.info.early_fragment_tests) {
        info_.writes_depth = has_depth;
        info_.runs_tests = true;
        wait_pixel(kBeforeTests);
        const isa::Instr z = isa::make(Op::kZsEmit).set_depth(has_depth).set_stencil(has_stencil);
        const Word values =
            has_depth && has_stencil ? collect({depth, stencil}) : in_word(has_depth ? depth : stencil);
        // Depth is two halves, stencil is one.
        emit(z, {Ref::number(kAllSamples), Ref::run_of(values, 2u * has_depth + has_stencil, 16)});
    } else if (info_.runs_tests) {
        if (s_.info.early_fragment_tests)
            return f_.fail("agx: discard after early tests is not compiled yet");
        wait_pixel(kBeforeTests);
        emit(isa::make(Op::kSampleMask), {Ref::number(kAllSamples), Ref::number(kAllSamples)});
    }
    info_.second_color = stored(ir::FragSlot::Second);
    for (unsigned n = 0; n < kMaxTargets; n++)
        if (stored(ir::FragSlot(n)) || (n == 0 && info_.second_color)) info_.colors |= 1u << n;
    std::pmr::vector<Ref> kept(f_.memory);
    const auto give_color = [&](unsigned slot, unsigned reg) {
        for (unsigned c = 0; c < 4; c++) {
            const Ref r = outputs_[slot * 4 + c];
            move_to(register_word(reg + c), r.kind != Ref::Kind::None ? r
                                            : c == 3                  ? number(1)
                                                                      : Ref::immediate(0));
        }
        kept.push_back(Ref::run(register_word(reg), 4));
    };
    for (unsigned n = 0; n < kMaxTargets; n++)
        if (info_.colors >> n & 1) give_color(n, color_register(n, 0));
    if (info_.second_color) give_color(unsigned(ir::FragSlot::Second), kSecondColorRegister);
    keep(kept);
}

/// What the next piece reads stays in its registers.
void Selector::keep(std::span<const Ref> runs) {
    for (size_t n = 0; n < runs.size(); n += isa::OpInfo::kMaxSources) {
        Inst i;
        i.proto = isa::make(Op::kStop);
        i.flow = Flow::Keep;
        for (size_t k = 0; k < isa::OpInfo::kMaxSources && n + k < runs.size(); k++)
            i.src[k] = runs[n + k];
        push(i);
    }
}

Ref Selector::load_color(unsigned target, unsigned component) {
    if (!blend_) {
        f_.fail("agx: reads of colours in fragment shaders are not compiled yet");
        return Ref::immediate(0);
    }
    if (component >= blend_->components) return component == 3 ? number(1) : Ref::immediate(0);
    const Loaded* known = find_loaded(ir::Op::LoadSysval, target);
    if (known) return Ref::word(known->first + component);
    isa::Instr p = isa::make(Op::kLdTile).set_format(blend_->format).set_offset(blend_->offset_B);
    p.set_mask(isa::Mask((1u << blend_->components) - 1));
    wait_for_tile();
    const Word words = emit(p, {Ref::number(255)}, blend_->components);
    return Ref::word(add_loaded(ir::Op::LoadSysval, target, words, blend_->components)->first + component);
}

void Selector::wait_for_tile() {
    constexpr unsigned kBeforeTile = 12;
    if (blend_->waits && !waited_) wait_pixel(kBeforeTile);
    waited_ = true;
}

void Selector::finish_blend() {
    Ref data[4];
    unsigned count = 0;
    const unsigned mask = blend_->mask & ((1u << blend_->components) - 1);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            data[count++] = outputs_[c].kind == Ref::Kind::None ? Ref::immediate(0) : outputs_[c];
    if (!count) return;
    const Word words = collect({data, count});
    wait_for_tile();
    isa::Instr p = isa::make(Op::kStTile).set_format(blend_->format).set_offset(blend_->offset_B);
    emit(p.set_mask(isa::Mask(mask)), {Ref::run(words, count), Ref::number(255)});
}

/// A blend piece that stores the colour as it is.
void Selector::run_store() {
    region_ = s_.body;
    begin_block();
    for (unsigned c = 0; c < 4; c++)
        outputs_[c] = fixed(color_register(blend_->target, c));
    finish_blend();
}

/// The fetch piece.
void Selector::run_fetch(std::span<const Attribute> attributes, const uint8_t* components) {
    region_ = s_.body;
    begin_block();
    std::pmr::vector<Ref> kept(f_.memory);
    kept.push_back(Ref::run(register_word(kVertexIdRegister), 2));
    for (const Attribute& a : attributes) {
        if (a.location >= kMaxAttributes || !a.components || a.components > 4)
            return f_.fail("agx: an attribute that does not exist");
        const uint8_t read = components[a.location];
        if (!read) continue;
        const auto word = [&](unsigned n) { return Ref::uniform(FetchWord::Count * a.location + n); };
        Ref element = fixed(a.divisor ? kInstanceIdRegister : kVertexIdRegister);
        if (a.divisor > 1) element = divide(element, Ref::immediate(a.divisor)).quotient;
        const Ref last = word(FetchWord::LastElement);
        element = icsel(IntCondition::kUlt, element, last, element, last);
        Ref base = Ref::run_of(collect({word(FetchWord::AddressLow), word(FetchWord::AddressHigh)}), 1, 64);
        Inst address;
        address.proto = isa::make(Op::kImadd);
        address.src = {element, word(FetchWord::Stride_B), base};
        address.dest = new_words(2);
        address.dest_count = 2;
        address.wide_dest = true;
        base = Ref::run_of(push(address).dest, 1, 64);
        const bool is_half = a.format == isa::Format::kF16;
        const isa::Format format = is_half ? isa::Format::kI16 : a.format;
        isa::Instr p = isa::make(Op::kDeviceLoad).set_format(format);
        p.set_mask(isa::Mask((1u << a.components) - 1));
        const Word data = emit(p, {base, Ref::number(0)}, a.components);
        const unsigned bits = format == isa::Format::kI8 ? 8 : format == isa::Format::kI16 ? 16 : 32;
        for (unsigned c = 0; c < 4; c++) {
            if (!(read >> c & 1)) continue;
            Ref v = c < a.components ? Ref::word(data + c)
                    : c < 3          ? Ref::immediate(0)
                    : a.integer      ? Ref::immediate(1)
                                     : number(1);
            const bool is_signed =
                a.kind == Attribute::Kind::SignedBits || a.kind == Attribute::Kind::SignedToFloat;
            if (c < a.components && is_signed && bits < 32) {
                const Ref by = Ref::immediate(32 - bits);
                v = asr({bfi({Ref::immediate(0), v, by}), by});
            }
            if (c < a.components && is_half) v = fadd32({v.half(), minus_zero()});
            if (c < a.components && a.kind == Attribute::Kind::SignedToFloat)
                v = convert({v}, isa::Conversion::kS32ToF, isa::Round::kEven);
            if (c < a.components && a.kind == Attribute::Kind::UnsignedToFloat)
                v = convert({v}, isa::Conversion::kU32ToF, isa::Round::kEven);
            move_to(register_word(attribute_register(a.location, c)), v);
            kept.push_back(Ref::word(register_word(attribute_register(a.location, c))));
        }
    }
    keep(kept);
}

/// Words of a uniform block or storage buffer; 0 outside. An unbound one has an address that can be read.
void Selector::load_buffer(const ir::Instr& i) {
    const ir::MemInfo& m = *i.u.mem;
    const ir::MemOperands o = ir::mem_operands(i.op, m);
    const bool block = m.space == ir::Storage::UniformBlock;
    if (o.index >= 0 || m.element_B != 4 || (!block && m.space != ir::Storage::Buffer) || m.binding < 0 ||
        unsigned(m.binding) >= ir::kMaxUniformBlocks + (block ? 0 : ir::kMaxStorageBuffers))
        return f_.fail("agx: this load of a buffer is not compiled yet");
    const uint32_t first =
        uint32_t(block ? Sysval::UniformBlock0 : Sysval::StorageBuffer0) + 4 * uint32_t(m.binding);
    const uint32_t base = f_.find_address(first);
    if (base == Function::kNoUniform) return f_.fail("agx: no room for the address of a buffer");
    const Ref size = sysval(Sysval(first + 2));
    const Ref place = logic(TruthTable::kAnd, use(i.operand(unsigned(o.place))), Ref::immediate(~3u));
    for (unsigned k = 0; k < i.result_count; k++) {
        const Ref at = in_register(iadd({place, Ref::immediate(m.offset_B + 4 * k)}));
        const Ref zero = Ref::immediate(0);
        const Ref legal = icsel(IntCondition::kUlt, at, size, at, zero);
        isa::Instr p = isa::make(Op::kDeviceLoad).set_format(isa::Format::kI32).set_mask(isa::Mask::kX);
        const Ref index = bfeil({zero, legal, Ref::immediate(2)});
        const Ref word = Ref::word(emit(p.set_unsigned_index(true), {Ref::uniform(base, 64), index}, 1));
        set(i.result(k), icsel(IntCondition::kUlt, at, size, word, zero));
    }
}

}  // namespace terrazzo::agx::compiler
