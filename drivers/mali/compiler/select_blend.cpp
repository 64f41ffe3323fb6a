// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tile buffer: framebuffer fetch, and the begin and end of blend shaders. Facts (the encoding of a pixel,
// the descriptor that a blend shader passes to BLEND): Mesa 25.0.7, bifrost_compile.c.
#include "drivers/mali/compiler/selector.h"
#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali::compiler {

using isa::Op;

/// Adds the system values that load_color() reads.
void Selector::plan_color(uint32_t slot, uint32_t component) {
    const uint32_t target = slot - uint32_t(ir::Sysval::LastColor0);
    if (target >= 8) return;
    (void)f_.find_fau({UniformWord::Kind::Sysval, uint32_t(Sysval::TargetConversion0) + target});
    if (component)
        (void)f_.find_fau(
            {UniformWord::Kind::Sysval, uint32_t(Sysval::TargetChannel0) + 4 * target + component});
}

Ref Selector::load_color(unsigned target, unsigned component, bool integer) {
    const uint32_t key = 0x100 + target;
    const Loaded* known = find_loaded(ir::Op::LoadSysval, key);
    if (!known) {
        const uint32_t where = blend_ ? blend_->render_target : target;
        isa::Instr p = isa::make(Op::kLdTile).set_slot(isa::Slot::k0);
        p.set_vector_size(isa::VectorSize::k4);
        p.set_register_format(integer ? isa::RegisterFormat::kAuto : isa::RegisterFormat::kF32);
        info_.colors_read |= 1u << where;
        if (integer) info_.integer_colors |= 1u << where;
        const Word words = message(p,
                                   {pixel_of(where), preload(kCoverageRegister),
                                    blend_ ? in_register(Ref::immediate(blend_->conversion))
                                           : sysval(Sysval(unsigned(Sysval::TargetConversion0) + target))},
                                   4);
        known = add_loaded(ir::Op::LoadSysval, key, words, 4);
    }
    const Ref value = Ref::word(known->first + component);
    // A blend shader is compiled for one format, and all formats have red.
    if (blend_ || component == 0) return value;
    const Ref has = sysval(Sysval(unsigned(Sysval::TargetChannel0) + 4 * target + component));
    const Ref absent = component < 3 ? zero() : integer ? Ref::immediate(1) : number(1);
    return csel_u32({has, zero(), value, absent}, isa::Condition::kNe);
}

/// This pixel of a render target, for LD_TILE and ST_TILE: y, x, target, sample as bytes.
Ref Selector::pixel_of(uint32_t target) {
    constexpr uint32_t kThisPixel = 255u << 24;
    const Ref pixel = in_register(Ref::immediate(kThisPixel | target << 8));
    const bool multisampled = blend_ ? blend_->multisampled : per_sample_;
    return multisampled ? iadd_u32({pixel, sample_id()}) : pixel;
}

void Selector::take_blend_inputs() {
    blend_input_ = new_words(1);
    for (unsigned c = 1; c < 8; c++)
        (void)new_words(1);
    const auto first = unsigned(ir::VaryingSlot::Varying0);
    for (unsigned c = 0; c < 8; c++)
        if (input_mask_[first + c / 4] >> (c % 4) & 1)
            move_to(blend_input_ + c,
                    c < 4 ? component(register_word(kBlendColorRegister), c, blend_->half_source)
                          : Ref::word(register_word(kBlendColorRegister + c)));
}

void Selector::finish_blend() {
    const auto registers = info_.integer_colors ? isa::RegisterFormat::kAuto : isa::RegisterFormat::kF32;
    if (blend_->multisampled) {
        isa::Instr p = isa::make(Op::kStTile).set_slot(isa::Slot::k0);
        p.set_vector_size(isa::VectorSize::k4).set_register_format(registers);
        const Word color = collect({outputs_[0], outputs_[1], outputs_[2], outputs_[3]});
        message(p,
                {pixel_of(blend_->render_target), preload(kCoverageRegister),
                 in_register(Ref::immediate(blend_->conversion))},
                0, color, 4);
        return;
    }
    hw::InternalBlend d;
    d.mode = hw::BlendMode::Opaque;
    d.num_comps = blend_->channels;
    d.rt = blend_->render_target;
    uint32_t words[hw::InternalBlend::kSize_dw];
    hw::pack(d, words);
    isa::Instr p = isa::make(Op::kBlend).set_slot(isa::Slot::k0);
    p.set_vector_size(isa::VectorSize::k4).set_register_format(registers);
    const Word target = collect({Ref::immediate(words[0]), Ref::immediate(blend_->conversion)});
    const Word color = collect({outputs_[0], outputs_[1], outputs_[2], outputs_[3]});
    message(p, {Ref::word(target), preload(kCoverageRegister)}, 0, color, 4);
}

}  // namespace terrazzo::mali::compiler
