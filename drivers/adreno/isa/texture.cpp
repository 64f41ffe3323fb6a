// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The operands of texture instructions: coordinates, texture and sampler. Facts: Mesa 25.0.7, ir3-cat5.xml.
#include "drivers/adreno/isa/operand.h"

namespace terrazzo::adreno::isa {
namespace {

using terrazzo::isa::refuse;

constexpr Bits kFull{0, 1}, kFirst{1, 8}, kSecond{9, 8}, kBaseHigh{19, 2}, kIndex{21, 8}, kMode{29, 3},
    kBaseLow{47, 1};
constexpr Bits kNotBound{51, 1};
constexpr Bits kSamplerBits{21, 4}, kTextureBits{25, 7}, kShortTexture{25, 4};

bool has_second(const Instr& instr) {
    return instr.info().texture.sources > 1 || instr.coordinate_offset();
}

bool has_numbers(TextureMode mode) {
    return mode == TextureMode::kBound || mode == TextureMode::kBindlessImmediate ||
           mode == TextureMode::kBindlessA1Immediate;
}

/// The bits of the sampler and the texture; width 0: the mode has none.
Bits sampler_bits(TextureMode mode) {
    return mode == TextureMode::kBindlessA1Immediate ? kIndex : has_numbers(mode) ? kSamplerBits : Bits{};
}
Bits texture_bits(TextureMode mode) {
    return mode == TextureMode::kBound               ? kTextureBits
           : mode == TextureMode::kBindlessImmediate ? kShortTexture
                                                     : Bits{};
}

bool validate_register(const Src& src, bool wanted, bool half, unsigned n, const char* name, Error* error) {
    if (!wanted) return src == Src{} || refuse(error, "%s has no source %u here", name, n);
    Src plain = src;
    plain.value = 0;
    return (plain == Src::of(Reg{}, half) && src.value >= 0 && src.value <= 255) ||
           refuse(error, "%s: source %u is a plain %s register", name, n, half ? "half" : "full");
}

}  // namespace

bool is_indirect(TextureMode mode) {
    return !has_numbers(mode);
}
bool is_bindless(TextureMode mode) {
    return mode != TextureMode::kBound && mode != TextureMode::kIndirectUniform &&
           mode != TextureMode::kIndirectNonuniform;
}
bool uses_a1(TextureMode mode) {
    return mode == TextureMode::kBindlessA1Uniform || mode == TextureMode::kBindlessA1Nonuniform ||
           mode == TextureMode::kBindlessA1Immediate;
}

uint64_t encode_texture(const Instr& instr) {
    const TextureMode mode = TextureMode(instr.texture_mode());
    uint64_t word = kFirst.put(uint64_t(instr.src[0].value));
    if (has_second(instr)) word |= kSecond.put(uint64_t(instr.src[1].value));
    word |= sampler_bits(mode).put(instr.sampler()) | texture_bits(mode).put(instr.texture());
    if (is_indirect(mode)) word |= kIndex.put(uint64_t(instr.src[2].value));
    if (mode != TextureMode::kBound)
        word |= kNotBound.put(1) | kMode.put(uint64_t(mode) - 1) | kBaseHigh.put(instr.base() >> 1) |
                kBaseLow.put(instr.base() & 1);
    return word;
}

bool decode_texture(uint64_t word, Instr* out, Error* error) {
    const OpInfo& row = out->info();
    const TextureMode mode = kNotBound.get(word) ? TextureMode(kMode.get(word) + 1) : TextureMode::kBound;
    const bool half = !kFull.get(word), offset = row.offset.present.get(word);
    out->set_texture_mode(unsigned(mode));
    uint64_t used = kNotBound.mask() | (row.texture.sources ? kFull.mask() : 0);
    const auto take = [&](Bits bits) {
        used |= bits.mask();
        return bits.get(word);
    };
    const auto take_register = [&](Bits bits, bool is_half) {
        return Src::of(Reg{uint8_t(take(bits))}, is_half);
    };
    if (row.texture.sources > 0) out->src[0] = take_register(kFirst, half);
    if (has_second(*out)) {
        out->src[1] = take_register(kSecond, half);
    } else if (offset) {
        take(kSecond);
    }
    if (is_indirect(mode)) out->src[2] = take_register(kIndex, !is_bindless(mode));
    if (row.texture.sampler) out->set_sampler(unsigned(take(sampler_bits(mode))));
    if (row.texture.texture) out->set_texture(unsigned(take(texture_bits(mode))));
    if (mode != TextureMode::kBound) take(kMode);
    if (is_bindless(mode)) out->set_base(unsigned(take(kBaseLow) | take(kBaseHigh) << 1));
    constexpr uint64_t kOperands =
        uint64_t{0x1ffff} | kBaseHigh.mask() | kIndex.mask() | kMode.mask() | kBaseLow.mask();
    const uint64_t reserved = word & kOperands & ~used;
    return reserved == 0 || refuse(error, "%s: bits %016llx are reserved in this form", row.name,
                                   (unsigned long long)reserved);
}

bool validate_texture(const Instr& instr, Error* error) {
    const OpInfo& row = instr.info();
    if (instr.texture_mode() >= kTextureModeCount)
        return refuse(error, "%s: there is no texture mode %u", row.name, instr.texture_mode());
    const TextureMode mode = TextureMode(instr.texture_mode());
    if (mode != TextureMode::kBound && !row.texture.texture)
        return refuse(error, "%s reads no texture", row.name);
    if (instr.coordinate_offset() && (row.texture.sources == 0 || instr.has_offset))
        return refuse(error, "%s cannot have .o here", row.name);
    if (instr.sampler() > (row.texture.sampler ? sampler_bits(mode).max() * bool(sampler_bits(mode)) : 0))
        return refuse(error, "%s cannot say s#%u here", row.name, instr.sampler());
    if (instr.texture() > (row.texture.texture ? texture_bits(mode).max() * bool(texture_bits(mode)) : 0))
        return refuse(error, "%s cannot say t#%u here", row.name, instr.texture());
    if (instr.base() > (is_bindless(mode) ? 7u : 0u))
        return refuse(error, "%s cannot say base %u here", row.name, instr.base());
    if (!row.texture.type && instr.type() != Type::kF32 && instr.type() != Type::kF16)
        return refuse(error, "%s: the type is f32 or f16", row.name);
    const bool half = instr.src[0].half;
    return validate_register(instr.src[0], row.texture.sources > 0, half, 0, row.name, error) &&
           validate_register(instr.src[1], has_second(instr), half, 1, row.name, error) &&
           validate_register(instr.src[2], is_indirect(mode), !is_bindless(mode), 2, row.name, error);
}

}  // namespace terrazzo::adreno::isa
