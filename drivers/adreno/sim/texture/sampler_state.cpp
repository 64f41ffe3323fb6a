// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, src/gallium/drivers/freedreno/a6xx/fd6_texture.cc (samplers, colours of borders).
#include <algorithm>
#include <bit>

#include "drivers/adreno/sim/texture/decode.h"
#include "drivers/adreno/sim/texture/texture_state.h"
#include "pipe/half.h"

namespace terrazzo::adreno::sim {

namespace {

// By TexClamp.
constexpr pipe::Wrap kWraps[] = {pipe::Wrap::Repeat, pipe::Wrap::ClampToEdge, pipe::Wrap::MirroredRepeat,
                                 pipe::Wrap::ClampToBorder, pipe::Wrap::MirrorClampToEdge};
static_assert(unsigned(hw::TexClamp::A6XX_TEX_MIRROR_CLAMP) + 1 == std::size(kWraps));
pipe::Wrap wrap_of(hw::TexClamp c) {
    return kWraps[unsigned(c) % std::size(kWraps)];
}

bool read_border(const Machine& machine, Stage stage, window::Window& memory, uint32_t number,
                 hw::BorderColor* out, std::string* why) {
    // The register with PS in its name is the one of compute.
    const uint16_t reg = stage == Stage::Compute ? hw::SP_PS_TP_BORDER_COLOR_BASE_ADDR::kRegister
                                                 : hw::SP_TP_BORDER_COLOR_BASE_ADDR::kRegister;
    if (!machine.registers.is_set(reg))
        return refuse(why, "register ", hw::register_name(reg), " was never written");
    uint32_t words[hw::BorderColor::kSize_dw];
    const uint64_t va = machine.registers.address(reg) + uint64_t(number) * hw::BorderColor::kSize_B;
    if (!memory.read(va, words, sizeof(words)))
        return refuse(why, "border colour ", number, ": ", memory.fault());
    (void)hw::unpack(words, out);  // ignores padding
    return true;
}

}  // namespace

bool SamplerState::init(const Machine& machine, Stage stage, window::Window& memory,
                        const uint32_t words[hw::TexSamp::kSize_dw], std::string* why) {
    if (!unpack_descriptor(words, &desc, why)) return false;
    const auto filter = [](hw::TexFilter f) {
        return f == hw::TexFilter::A6XX_TEX_NEAREST ? pipe::Filter::Nearest : pipe::Filter::Linear;
    };
    if (desc.xy_mag == hw::TexFilter::A6XX_TEX_CUBIC || desc.xy_min == hw::TexFilter::A6XX_TEX_CUBIC)
        return refuse(why, "cubic filters are not executed");
    if (desc.reduction_mode != hw::ReductionMode::A6XX_REDUCTION_MODE_AVERAGE)
        return refuse(why, "a reduction mode that is not executed");
    sampler.wrap_s = wrap_of(desc.wrap_s);
    sampler.wrap_t = wrap_of(desc.wrap_t);
    sampler.wrap_r = wrap_of(desc.wrap_r);
    sampler.mag = filter(desc.xy_mag);
    sampler.min = filter(desc.xy_min);
    // Drivers set the far bit for no filter between levels.
    sampler.mip = desc.mipfilter_linear_near  ? pipe::MipFilter::Linear
                  : desc.mipfilter_linear_far ? pipe::MipFilter::None
                                              : pipe::MipFilter::Nearest;
    // The same numbers; the reference is the left operand.
    sampler.compare = pipe::Compare(desc.compare_func);
    sampler.seamless_cube = !desc.cubemapseamlessfiltoff;
    sampler.lod_bias = desc.lod_bias;
    sampler.min_lod = desc.min_lod;
    sampler.max_lod = desc.max_lod;
    const bool anisotropic =
        desc.xy_mag == hw::TexFilter::A6XX_TEX_ANISO || desc.xy_min == hw::TexFilter::A6XX_TEX_ANISO;
    sampler.max_anisotropy = anisotropic ? float(1u << unsigned(desc.aniso)) : 1.0f;
    return !has_border() || read_border(machine, stage, memory, desc.bcolor, &border, why);
}

bool SamplerState::has_border() const {
    constexpr auto kBorder = hw::TexClamp::A6XX_TEX_CLAMP_TO_BORDER;
    return desc.wrap_s == kBorder || desc.wrap_t == kBorder || desc.wrap_r == kBorder;
}

pipe::SamplerDesc SamplerState::for_texture(const TextureState& texture) const {
    pipe::SamplerDesc out = sampler;
    out.min_lod = std::max(out.min_lod, texture.first_lod());
    if (!has_border()) return out;
    const units::FormatReader& f = texture.format();
    uint32_t v[4];
    for (unsigned c = 0; c < 4; ++c) {
        v[c] = border.fp32[c];
        if (f.fixed_point) {
            const float low = f.is_signed ? -1.0f : 0.0f;
            v[c] = std::bit_cast<uint32_t>(std::clamp(std::bit_cast<float>(v[c]), low, 1.0f));
        }
        // The driver has clamped integers of up to 16 bits.
        if (f.kind != units::NumberKind::Float && !f.wide_integer)
            v[c] = f.is_signed ? uint32_t(int16_t(border.fp16[c])) : border.fp16[c];
    }
    texture.decoder().apply_swizzle(v, out.border.bits.data());
    return out;
}

}  // namespace terrazzo::adreno::sim
