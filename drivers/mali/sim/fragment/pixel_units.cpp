// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ATEST, ZS_EMIT, BLEND, LD_TILE and ST_TILE. Sources: Mesa 25.0.7, ISA.xml, va_pack.c and compiler/bifrost.h
// (a pixel's selector: sample, render target, x and y; y 255 means the current pixel).
#include <algorithm>
#include <bit>

#include "drivers/mali/sim/fragment/blend.h"
#include "drivers/mali/sim/fragment/shade.h"

namespace terrazzo::mali::sim {

namespace {

using isa::RegisterFormat;

bool refuse(std::string* why, std::string text) {
    *why = std::move(text);
    return false;
}
FragmentStage& stage_of(Warp& warp) {
    return *static_cast<FragmentStage*>(static_cast<Stage*>(warp.stage));
}

// The lanes that may change the tile buffer.
uint32_t writing_lanes(const FragmentStage& s, const MessageIn& m, const U32& coverage) {
    uint32_t lanes = 0;
    for (unsigned q = 0; q < kQuads; ++q) {
        units::QuadI32 quad;
        std::memcpy(&quad, reinterpret_cast<const uint32_t*>(&coverage) + size_t(4) * q, sizeof(quad));
        lanes |= units::sign_bits(quad << 31) << 4 * q;
    }
    return m.active & s.covered & lanes;
}

unsigned pixel_of(const FragmentStage& s, unsigned lane) {
    return s.first_pixel[lane / 4] + (lane & 1) + (lane & 2 ? unsigned(kArea_px) : 0);
}

// Tests the lanes that were not tested yet; returns those that fail.
uint32_t test_lanes(FragmentStage& s, uint32_t lanes, const U32* depth, const U32* stencil) {
    uint32_t failed = 0;
    const uint32_t fresh = lanes & ~s.tested;
    for (unsigned q = 0; fresh >> 4 * q; ++q) {
        const unsigned mask = fresh >> 4 * q & 15;
        if (!mask) continue;
        units::FragmentTests::QuadSample quad{s.x.quad[q], s.y.quad[q], 0, mask};
        quad.back_facing = s.primitive[q]->back_facing;
        uint32_t reference[4];
        for (unsigned i = 0; i < 4; ++i) {
            quad.z[i] = depth ? std::bit_cast<float>((*depth)[4 * q + i]) : s.depth_of(4 * q + i);
            if (stencil) reference[i] = (*stencil)[4 * q + i];
        }
        if (stencil) quad.reference = reference;
        failed |= (mask & ~test_quad(*s.draw, *s.area, quad)) << 4 * q;
    }
    *s.samples_passed += unsigned(std::popcount(fresh & ~failed));
    s.tested |= lanes;
    return failed;
}

RegisterFormat format_of(hw::RegisterFileFormat f) {
    switch (f) {
        case hw::RegisterFileFormat::F16:
            return RegisterFormat::kF16;
        case hw::RegisterFileFormat::F32:
            return RegisterFormat::kF32;
        case hw::RegisterFileFormat::I32:
            return RegisterFormat::kS32;
        case hw::RegisterFileFormat::U32:
            return RegisterFormat::kU32;
        case hw::RegisterFileFormat::I16:
            return RegisterFormat::kS16;
        case hw::RegisterFileFormat::U16:
            break;
    }
    return RegisterFormat::kU16;
}

// "auto" means the conversion's format. panfrost 25.0.7 leaves that at half floats but counts a register for
// each component, which means words.
RegisterFormat automatic(hw::RegisterFileFormat f, unsigned registers, isa::VectorSize size) {
    const RegisterFormat format = format_of(f);
    const bool words = unsigned(size) > 0 && registers == unsigned(size) + 1;
    if (!words || !is_half(format)) return format;
    return format == RegisterFormat::kF16   ? RegisterFormat::kF32
           : format == RegisterFormat::kS16 ? RegisterFormat::kS32
                                            : RegisterFormat::kU32;
}

// Colours in staging registers; absent ones are 0.
units::ColorRegisters registers_of(const MessageIn& m, RegisterFormat f) {
    units::ColorRegisters out;
    out.halves = is_half(f);
    out.kind = f == RegisterFormat::kS16   ? units::NumberKind::Sint
               : f == RegisterFormat::kU16 ? units::NumberKind::Uint
                                           : units::NumberKind::Float;
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned reg = out.halves ? c / 2 : c;
        out.channel[c] = reg < m.in_count ? &m.in[reg] : nullptr;
        out.shift[c] = out.halves ? uint8_t(c % 2 * 16) : uint8_t(0);
    }
    return out;
}

// After early tests, or if the shader's own depth is not known yet, coverage does not change.
bool tests_at_atest(const FragmentDraw& d) {
    return d.late_test && d.zs.depth_source != hw::DepthSource::Shader && !d.zs.stencil_from_shader;
}

}  // namespace

bool FragmentUnits::alpha_test(Warp& warp, const MessageIn& m, U32* out, std::string*) {
    FragmentStage& s = stage_of(warp);
    const U32 coverage = m.low(0);
    out[0] = coverage;
    if (!tests_at_atest(*s.draw)) return true;
    const uint32_t failed = test_lanes(s, writing_lanes(s, m, coverage), nullptr, nullptr);
    out[0] &= ~wave::mask_of(failed);
    return true;
}

bool FragmentUnits::depth_stencil(Warp& warp, const MessageIn& m, U32* out, std::string* why) {
    FragmentStage& s = stage_of(warp);
    if (!s.draw->late_test) return refuse(why, "ZS_EMIT of a draw whose tests are early");
    const U32 depth = m.low(0), stencil = m.low(1), coverage = m.low(2);
    const uint32_t failed = test_lanes(s, writing_lanes(s, m, coverage), m.instr.z() ? &depth : nullptr,
                                       m.instr.stencil() ? &stencil : nullptr);
    out[0] = coverage & ~wave::mask_of(failed);
    return true;
}

const TileConversion* FragmentUnits::conversion(uint32_t memory_format, std::string* why) {
    const auto [it, fresh] = conversions_.try_emplace(memory_format);
    if (fresh && !tile_conversion(memory_format, &it->second)) {
        conversions_.erase(it);
        refuse(why, "no conversion between the tile buffer and format " + hex_text(memory_format));
        return nullptr;
    }
    return &it->second;
}

const FragmentUnits::ColorWriter* FragmentUnits::color_writer(const FragmentStage& s, const MessageIn& m,
                                                              unsigned target, uint32_t word,
                                                              const hw::Blend* equation, std::string* why) {
    const auto fail = [&](std::string text) {
        refuse(why, std::move(text));
        return nullptr;
    };
    if (target >= s.fb->targets.size())
        return fail("a colour for render target " + std::to_string(target) + " of " +
                    std::to_string(s.fb->targets.size()));
    const RegisterFormat given = m.instr.register_format();
    ColorWriter& w = writers_[target];
    if (w.draw == s.draw && w.equation == equation && w.conversion_word == word && w.in_count == m.in_count &&
        w.given == given && w.size == m.instr.vector_size())
        return &w;
    hw::InternalConversion c;
    Fault fault;
    if (!take_struct(&word, &c, "conversion", &fault)) return fail(fault.report);
    const TileFormat& tile = s.fb->targets[target].tile;
    const TileConversion* to = nullptr;
    if (!c.raw && !(to = conversion(c.memory_format, why))) return nullptr;
    if (to && (to->blendable == tile.raw || (!to->blendable && to->format.size_B > tile.size_B)))
        return fail("a conversion to format " + hex_text(c.memory_format) + " for a render target in " +
                    hw::enum_name(tile.internal));
    w = {s.draw, equation, word, m.in_count, given, m.instr.vector_size()};
    w.format = given == RegisterFormat::kAuto ? automatic(c.register_format, m.in_count, w.size) : given;
    w.raw = c.raw;
    const bool fixed_function = equation && equation->internal.mode == hw::BlendMode::FixedFunction;
    std::string bad = "a conversion to format " + hex_text(c.memory_format) + ", which has no colours";
    const bool good = !to             ? true
                      : to->blendable ? blend_target(tile, equation, fixed_function,
                                                     to->srgb || (equation && equation->srgb), &w.how, &bad)
                                      : units::color_target(to->format, &w.how);
    if (good) return &w;
    w = {};
    return fail(bad);
}

bool FragmentUnits::write_color(FragmentStage& s, const MessageIn& m, unsigned target, uint32_t word,
                                const hw::Blend* equation, uint32_t lanes, std::string* why) {
    const ColorWriter* w = color_writer(s, m, target, word, equation, why);
    if (!w) return false;
    const TileFormat& tile = s.fb->targets[target].tile;
    uint8_t* const color = s.area->color[target].data();
    for (unsigned q = 0; lanes >> 4 * q; ++q)
        if (lanes >> 4 * q & 15) s.area->touched_color |= 1u << Area::tile_of(s.first_pixel[q]);
    const units::ColorRegisters source = registers_of(m, w->format);
    if (!w->raw) {
        uint32_t samples[kQuads];
        for (unsigned q = 0; q < kQuads; ++q)
            samples[q] = units::samples_of(lanes >> 4 * q & 15);
        units::write_colors(w->how, source, nullptr, {s.count, s.x.quad, s.y.quad, samples}, 1,
                            {color, size_t(kArea_px) * tile.size_B, tile.size_B}, s.area->zs.rect);
        return true;
    }
    const U32 channel[4] = {source.number(0, 0), source.number(1, 0), source.number(2, 0),
                            source.number(3, 0)};
    for (uint32_t left = lanes; left; left &= left - 1) {
        const auto lane = unsigned(std::countr_zero(left));
        const uint32_t v[4] = {channel[0][lane], channel[1][lane], channel[2][lane], channel[3][lane]};
        std::memcpy(&color[size_t(pixel_of(s, lane)) * tile.size_B], v, tile.size_B);
    }
    return true;
}

bool FragmentUnits::blend(Warp& warp, const MessageIn& m, BlendPath* path, std::string* why) {
    FragmentStage& s = stage_of(warp);
    const unsigned first = m.active ? unsigned(std::countr_zero(m.active)) : 0;
    const uint64_t packed = uint64_t(m.high(0)[first]) << 32 | m.low(0)[first];
    hw::InternalBlend b;
    fields::ReservedBits found;
    if (!hw::unpack(packed, &b, &found))
        return refuse(why, "blend descriptor " + hex_text(packed) + " has reserved bits");
    uint32_t lanes = writing_lanes(s, m, m.low(1));
    if (tests_at_atest(*s.draw)) lanes &= ~test_lanes(s, lanes, nullptr, nullptr);
    *path = BlendPath::FixedFunction;
    switch (b.mode) {
        case hw::BlendMode::Off:
            return true;
        case hw::BlendMode::Shader:
            *path = BlendPath::Shader;
            return true;
        case hw::BlendMode::Opaque:
        case hw::BlendMode::FixedFunction:
            break;
    }
    const hw::Blend* equation = b.rt < s.draw->blend.size() ? &s.draw->blend[b.rt].d : nullptr;
    // A blend shader's own stores have no equation.
    if (equation && equation->internal.mode == hw::BlendMode::Shader) equation = nullptr;
    if (equation && !equation->enable) return true;
    return write_color(s, m, b.rt, uint32_t(packed >> 32), equation, lanes, why);
}

bool FragmentUnits::tile(Warp& warp, const MessageIn& m, U32* out, std::string* why) {
    FragmentStage& s = stage_of(warp);
    const unsigned first = m.active ? unsigned(std::countr_zero(m.active)) : 0;
    const uint32_t which = m.low(0)[first];
    constexpr uint32_t kCurrentPixel = 255;
    if (which >> 24 != kCurrentPixel) return refuse(why, "the tile buffer at another pixel is not executed");
    const unsigned target = which >> 8 & 0xff;
    const uint32_t word = m.low(2)[first];
    if (m.instr.op == isa::Op::kStTile) {
        uint32_t lanes = writing_lanes(s, m, m.low(1));
        if (tests_at_atest(*s.draw)) lanes &= ~test_lanes(s, lanes, nullptr, nullptr);
        return write_color(s, m, target, word, nullptr, lanes, why);
    }
    hw::InternalConversion c;
    Fault fault;
    if (!take_struct(&word, &c, "conversion", &fault)) return refuse(why, fault.report);
    if (target >= s.fb->targets.size()) return refuse(why, "no render target " + std::to_string(target));
    const TargetState& t = s.fb->targets[target];
    const TileConversion* from = conversion(c.memory_format, why);
    if (!from) return false;
    if (from->blendable == t.tile.raw)
        return refuse(why, "a load in another format than the render target's");
    const RegisterFormat f = m.instr.register_format() == RegisterFormat::kAuto
                                 ? automatic(c.register_format, m.out_count, m.instr.vector_size())
                                 : m.instr.register_format();
    const unsigned count = unsigned(m.instr.vector_size()) + 1;
    const FormatReader& reader = !from->blendable ? from->format : from->srgb ? t.tile.srgb : t.tile.format;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(m.active >> lane & 1) || !s.area->rect.contains(s.x[lane], s.y[lane])) continue;
        uint32_t v[4];
        reader.read(&s.area->color[target][size_t(pixel_of(s, lane)) * t.tile.size_B], v);
        put_components(f, reader.kind, v, count, out, lane);
    }
    return true;
}

}  // namespace terrazzo::mali::sim
