// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, genxml/v10.xml, pan_cmdstream.c (the descriptor's fields, how the constant is
// packed), pan_blend.c. A target whose pixels are replaced does not use the blender, and may have any format.
#include "drivers/mali/state/blend.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "drivers/mali/hw/formats.h"
#include "drivers/mali/images/target.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

// The bits of the format's widest channel, which is the constant's width.
unsigned constant_bits(hw::ColorBufferInternalFormat f) {
    using enum hw::ColorBufferInternalFormat;
    switch (f) {
        case R10G10B10A2:
            return 10;
        case R5G6B5A0:
            return 6;
        case R5G5B5A1:
            return 5;
        case R4G4B4A4:
            return 4;
        default:
            return 8;
    }
}

// The blend color's channels in `mask` as one 16-bit number with the format's bits at the top. False: the
// channels differ, which the blender cannot express.
bool pack_constant(const float constant[4], uint8_t mask, unsigned bits, uint32_t* out) {
    *out = 0;
    bool first = true;
    const auto high = float((1u << bits) - 1);
    for (unsigned c = 0; c < 4; ++c) {
        if (!(mask >> c & 1)) continue;
        const float v = constant[c] > 0 ? std::min(constant[c], 1.0f) : 0.0f;
        const uint32_t word = uint32_t(std::nearbyint(v * high)) << (16 - bits);
        if (!first && word != *out) return false;
        *out = word;
        first = false;
    }
    return true;
}

void write_off(uint32_t* out) {
    hw::Blend b;
    b.enable = false;
    b.internal.mode = hw::BlendMode::Off;
    put(b, out);
}

// A target that is written.
struct Target {
    const MaliBlend& blend;
    const BlendForm& form;
    const hw::FormatRow& row;
    pipe::Format format;
    unsigned index;
    uint8_t stored;  // the channels that the format has
    uint8_t mask;    // of those that are written; includes the channels that the format lacks
    bool opaque, reads, half, alpha_to_one;
};

void write_fixed(const Target& t, uint32_t constant, uint32_t* out) {
    const bool dither = t.blend.desc.dither;
    hw::Blend b;
    b.load_destination = t.reads;
    b.alpha_to_one = t.alpha_to_one;
    b.srgb = pipe::format_info(t.format).is_srgb;
    b.round_to_fb_precision = !dither;
    b.constant = constant;
    b.internal.mode = t.opaque ? hw::BlendMode::Opaque : hw::BlendMode::FixedFunction;
    b.internal.num_comps = 4;
    b.internal.rt = t.index;
    uint32_t words[hw::Blend::kSize_dw];
    hw::pack(b, words);
    words[1] = (t.form.equation & 0x0fffffff) | uint32_t(t.mask) << 28;
    hw::pack(blend_conversion(t.format, t.half, dither), words + 3);
    std::memcpy(out, words, sizeof words);
}

void write_shader(const Target& t, uint64_t code_va, uint32_t* out) {
    hw::Blend b;
    b.load_destination = t.reads;
    b.alpha_to_one = t.alpha_to_one;
    b.srgb = pipe::format_info(t.format).is_srgb;
    b.internal.mode = hw::BlendMode::Shader;
    b.internal.pc = uint32_t(code_va);
    put(b, out);
}

/// Integers are not blended, and have no alpha to replace by 1.
const BlendForm& integer_form() {
    static const BlendForm form = make_blend_form({}, true);
    return form;
}

// None: no target, or nothing is written.
std::optional<Target> target_of(const MaliBlend& blend, std::span<const pipe::Format> formats,
                                const compiler::Info& fragment, unsigned i) {
    const pipe::Format f = i < formats.size() ? formats[i] : pipe::Format::None;
    const hw::FormatRow* row = hw::format_row(f);
    const uint8_t stored = blend::stored_channels(f), mask = blend.desc.targets[i].write_mask & stored;
    if (!row || !mask || !(fragment.colors >> i & 1)) return std::nullopt;
    const bool integer = pipe::format_info(f).is_pure_int();
    const BlendForm& form = integer ? integer_form() : blend.forms[i][stored >> 3];
    const auto all = uint8_t(mask | (~stored & 15));
    return Target{.blend = blend,
                  .form = form,
                  .row = *row,
                  .format = f,
                  .index = i,
                  .stored = stored,
                  .mask = all,
                  .opaque = form.replaces && all == 15,
                  .reads = form.reads_destination || all != 15,
                  .half = bool(fragment.half_colors >> i & 1),
                  .alpha_to_one = blend.desc.alpha_to_one && !integer};
}

// False: the blender lacks the equation or the format. `word`: the descriptor's constant.
bool blends_fixed(const Target& t, const float constant[4], uint32_t* word) {
    *word = 0;
    if (!t.row.is_blendable()) return t.opaque && !t.alpha_to_one;
    return t.opaque || (t.form.fixed_function &&
                        (!t.form.constants ||
                         pack_constant(constant, t.form.constants, constant_bits(t.row.internal), word)));
}

}  // namespace

uint32_t blend_color_at_dw(const compiler::Info& fragment) {
    const auto own_dw = uint32_t(fragment.fau.size());
    return std::min((own_dw + 15) & ~15u, compiler::kMaxUniformWords);
}

bool needs_blend_shader(const MaliBlend& blend, std::span<const pipe::Format> formats,
                        const float constant[4], const compiler::Info& fragment) {
    for (unsigned i = 0; i < formats.size(); ++i) {
        uint32_t word = 0;
        const std::optional<Target> t = target_of(blend, formats, fragment, i);
        if (t && !blends_fixed(*t, constant, &word)) return true;
    }
    return false;
}

BlendSummary write_blend(BlendShaders& shaders, const MaliBlend& blend, std::span<const pipe::Format> formats,
                         uint32_t samples, const float constant[4], const compiler::Info& fragment,
                         uint32_t* out) {
    BlendSummary sum;
    sum.alpha_zero_keeps = true;
    sum.reads_destination = fragment.colors_read;
    sum.alpha_one_replaces = sum.replaces_all = !fragment.colors_read;
    for (unsigned i = 0; i < std::max<size_t>(formats.size(), 1); ++i, out += hw::Blend::kSize_dw) {
        const std::optional<Target> found = target_of(blend, formats, fragment, i);
        if (!found) {
            if (i < formats.size() && hw::format_row(formats[i]))
                sum.replaces_all = sum.alpha_one_replaces = false;
            write_off(out);
            continue;
        }
        const Target& t = *found;
        const BlendForm& form = t.form;
        sum.targets_written |= uint8_t(1u << i);
        sum.reads_destination |= t.reads;
        sum.replaces_all &= t.opaque;
        sum.alpha_zero_keeps &= i == 0 && form.alpha_zero_keeps;  // the hardware tests the alpha of target 0
        sum.alpha_one_replaces &= i == 0 && t.mask == 15 && form.alpha_one_replaces;
        uint32_t word = 0;
        if (blends_fixed(t, constant, &word)) {
            write_fixed(t, word, out);
            continue;
        }
        const uint32_t color_at_dw = form.constants ? blend_color_at_dw(fragment) : 0;
        sum.shader_takes_color |= form.constants != 0;
        BlendKey key{.blend = {.desc = form.desc,
                               .format = t.format,
                               .write_mask = uint8_t(t.mask & t.stored),
                               .alpha_to_one = t.alpha_to_one,
                               .has_second = i == 0 && fragment.second_color,
                               .color_at_dw = uint8_t(color_at_dw)},
                     .target = uint8_t(i),
                     .multisampled = samples > 1,
                     .half_source = t.half};
        key.blend.desc.write_mask = key.blend.write_mask;  // without the channels that the format lacks
        const uint64_t code_va = shaders.find(key);
        sum.has_shader |= code_va != 0;
        if (code_va)
            write_shader(t, code_va, out);
        else
            write_off(out);
    }
    return sum;
}

}  // namespace terrazzo::mali
