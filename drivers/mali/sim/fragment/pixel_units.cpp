// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ATEST, ZS_EMIT, BLEND, LD_TILE and ST_TILE. Sources: Mesa 25.0.7, ISA.xml, va_pack.c and compiler/bifrost.h
// (a pixel's selector: sample, render target, x and y; y 255 means the current pixel). ST_TILE writes the
// sample of its selector, of those that the thread covers. A thread that shades one sample accesses that one:
// panfrost reads sample 0 for framebuffer fetch.
#include <algorithm>
#include <bit>

#include "drivers/mali/sim/fragment/blend.h"
#include "drivers/mali/sim/fragment/shade.h"

namespace terrazzo::mali::sim {

namespace {

using isa::RegisterFormat;

// The samples that may change the tile buffer.
QuadSamples writing_samples(const FragmentStage& s, uint32_t active, const U32& coverage) {
    QuadSamples out;
    quads_of_lanes(coverage, out.quad);
    for (unsigned q = 0; q < kQuads; ++q) {
        const uint32_t passed = q < s.count ? s.passed[q] : 0;
        out.quad[q] &=
            active == kAllThreads ? passed : passed & units::samples_of(active >> 4 * q & 15) * 0xff;
    }
    return out;
}

// The place of a pixel's first sample in the area.
size_t place_of(const FragmentStage& s, unsigned lane) {
    return size_t(s.first_pixel[lane / 4] + (lane & 1) + (lane & 2 ? unsigned(kArea_px) : 0)) * s.fb->samples;
}

uint32_t test_quad(FragmentStage& s, unsigned q, uint32_t samples, const U32* depth, const U32* stencil) {
    const units::FragmentTests& tests = s.draw->tests;
    const FragmentPrimitive& p = *s.primitive[q];
    uint32_t z[4], reference[4];
    for (unsigned i = 0; i < 4; ++i) {
        if (depth) z[i] = (*depth)[4 * q + i];
        if (stencil) reference[i] = (*stencil)[4 * q + i];
    }
    if (s.fb->samples > 1)
        return tests.run(p, s.x.quad[q], s.y.quad[q], samples, s.area->zs, depth ? z : nullptr,
                         stencil ? reference : nullptr);
    units::FragmentTests::QuadSample quad{s.x.quad[q], s.y.quad[q], 0, units::pixels_of(samples, 0)};
    quad.back_facing = p.back_facing;
    if (depth) quad.z = units::written_depth(tests.depth, z);
    for (unsigned i = 0; !depth && i < 4; ++i)
        quad.z[i] = s.depth_of(4 * q + i);
    if (stencil) quad.reference = reference;
    return units::samples_of(tests.run(quad, s.area->zs));
}

// Tests the samples that were not tested yet, and removes those that fail.
void test_samples(FragmentStage& s, QuadSamples& samples, const U32* depth, const U32* stencil) {
    for (unsigned q = 0; q < s.count; ++q) {
        const uint32_t fresh = samples.quad[q] & ~s.tested[q];
        if (!fresh) continue;
        const uint32_t passed = test_quad(s, q, fresh, depth, stencil);
        s.tested[q] |= fresh;
        samples.quad[q] &= ~fresh | passed;
        *s.samples_passed += units::count_bits(passed);
    }
    s.area->touched_zs |= std::exchange(s.area->zs.changed, 0);
}

// Removes the samples that were tested and failed from the coverage.
U32 without_failed(U32 coverage, const QuadSamples& before, const QuadSamples& passed) {
    for (unsigned q = 0; q < kQuads; ++q)
        if (const uint32_t failed = before.quad[q] & ~passed.quad[q])
            for (unsigned i = 0; i < 4; ++i)
                coverage[4 * q + i] &= ~(failed >> 8 * i & 0xff);
    return coverage;
}

// By hw::RegisterFileFormat.
constexpr RegisterFormat kFileFormats[] = {RegisterFormat::kF16, RegisterFormat::kF32, RegisterFormat::kS32,
                                           RegisterFormat::kU32, RegisterFormat::kS16, RegisterFormat::kU16};

// "auto" means the conversion's format. panfrost 25.0.7 leaves that at half floats but counts a register for
// each component, which means words.
RegisterFormat automatic(hw::RegisterFileFormat f, unsigned registers, isa::VectorSize size) {
    const RegisterFormat format = kFileFormats[unsigned(f)];
    const bool words = unsigned(size) > 0 && registers == unsigned(size) + 1;
    if (!words || !is_half(format)) return format;
    return format == RegisterFormat::kF16   ? RegisterFormat::kF32
           : format == RegisterFormat::kS16 ? RegisterFormat::kS32
                                            : RegisterFormat::kU32;
}

void touch_color(const FragmentStage& s, const QuadSamples& samples) {
    for (unsigned q = 0; q < s.count; ++q)
        if (samples.quad[q]) s.area->touched_color |= 1u << Area::tile_of(s.first_pixel[q]);
}

bool has_alpha_coverage(const FragmentDraw& d) {
    return d.flags_0.alpha_to_coverage && d.multisampled;
}

// The equation of a render target; null: none. Blend shaders' own stores have no equation.
const hw::Blend* equation_of(const FragmentDraw& d, unsigned target) {
    const hw::Blend* const equation = target < d.blend.size() ? &d.blend[target].d : nullptr;
    return equation && equation->internal.mode != hw::BlendMode::Shader ? equation : nullptr;
}

// After early tests, or if the shader's own depth is not known yet, coverage does not change.
bool tests_at_atest(const FragmentDraw& d) {
    return d.late_test && d.zs.depth_source != hw::DepthSource::Shader && !d.zs.stencil_from_shader;
}

}  // namespace

bool FragmentUnits::alpha_test(Warp& warp, const MessageIn& m, U32* out, std::string*) {
    FragmentStage& s = stage_of(warp);
    U32 coverage = m.low(0);
    if (has_alpha_coverage(*s.draw)) {
        const F32 alpha = wave::as_float(m.low(1));
        for (unsigned lane = 0; lane < kWarpLanes; ++lane)
            coverage[lane] &= units::alpha_coverage(alpha[lane], s.fb->samples);
    }
    out[0] = coverage;
    if (!tests_at_atest(*s.draw)) return true;
    const QuadSamples before = writing_samples(s, m.active, coverage);
    QuadSamples passed = before;
    test_samples(s, passed, nullptr, nullptr);
    out[0] = without_failed(coverage, before, passed);
    return true;
}

bool FragmentUnits::depth_stencil(Warp& warp, const MessageIn& m, U32* out, std::string* why) {
    FragmentStage& s = stage_of(warp);
    if (!s.draw->late_test) return refuse(why, "ZS_EMIT of a draw whose tests are early");
    const U32 depth = m.low(0), stencil = m.low(1), coverage = m.low(2);
    const QuadSamples before = writing_samples(s, m.active, coverage);
    QuadSamples passed = before;
    test_samples(s, passed, m.instr.z() ? &depth : nullptr, m.instr.stencil() ? &stencil : nullptr);
    out[0] = without_failed(coverage, before, passed);
    return true;
}

const TileConversion* FragmentUnits::conversion(uint32_t memory_format, std::string* why) {
    const auto [it, fresh] = conversions_.try_emplace(memory_format);
    if (fresh && !tile_conversion(memory_format, &it->second)) {
        conversions_.erase(it);
        refuse(why, "no conversion between the tile buffer and format ", hex_text(memory_format));
        return nullptr;
    }
    return &it->second;
}

const FragmentUnits::ColorWriter* FragmentUnits::color_writer(const FragmentStage& s, const isa::Instr& instr,
                                                              unsigned in_count, unsigned target,
                                                              uint32_t word, const hw::Blend* equation,
                                                              std::string* why) {
    const auto fail = [&](std::string text) {
        refuse(why, std::move(text));
        return nullptr;
    };
    if (target >= s.fb->targets.size())
        return fail("a colour for render target " + std::to_string(target) + " of " +
                    std::to_string(s.fb->targets.size()));
    const RegisterFormat given = instr.register_format();
    ColorWriter& w = writers_[target];
    if (w.draw == s.draw && w.equation == equation && w.conversion_word == word && w.in_count == in_count &&
        w.given == given && w.size == instr.vector_size())
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
    w = {s.draw, equation, word, in_count, given, instr.vector_size()};
    w.format = given == RegisterFormat::kAuto ? automatic(c.register_format, in_count, w.size) : given;
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
                                const hw::Blend* equation, const QuadSamples& samples, std::string* why) {
    const ColorWriter* w = color_writer(s, m.instr, m.in_count, target, word, equation, why);
    if (!w) return false;
    const uint32_t size_B = s.fb->targets[target].tile.size_B, pixel_B = size_B * s.fb->samples;
    uint8_t* const color = s.area->color[target].data();
    touch_color(s, samples);
    const units::ColorRegisters source = registers_of(m.in, m.in_count, w->format);
    if (!w->raw) {
        units::write_colors(w->how, source, nullptr, {s.count, s.x.quad, s.y.quad, samples.quad},
                            s.fb->samples, {color, size_t(kArea_px) * pixel_B, pixel_B}, s.area->zs.rect);
        return true;
    }
    const U32 channel[4] = {source.number(0, 0), source.number(1, 0), source.number(2, 0),
                            source.number(3, 0)};
    for (unsigned lane = 0; lane < 4 * s.count; ++lane) {
        const uint32_t v[4] = {channel[0][lane], channel[1][lane], channel[2][lane], channel[3][lane]};
        for (uint32_t left = samples.quad[lane / 4] >> lane % 4 * 8 & 0xff; left; left &= left - 1)
            std::memcpy(color + (place_of(s, lane) + unsigned(std::countr_zero(left))) * size_B, v, size_B);
    }
    return true;
}

const hw::InternalBlend* FragmentUnits::find_blend(uint64_t packed, std::string* why) {
    if (!knows_blend_ || packed != packed_blend_) {
        fields::ReservedBits found;
        packed_blend_ = packed;
        blend_ = {};
        knows_blend_ = hw::unpack(packed, &blend_, &found);
        if (!knows_blend_) refuse(why, "blend descriptor ", hex_text(packed), " has reserved bits");
    }
    return knows_blend_ ? &blend_ : nullptr;
}

bool FragmentUnits::blend(Warp& warp, const MessageIn& m, BlendPath* path, std::string* why) {
    FragmentStage& s = stage_of(warp);
    const unsigned first = m.active ? unsigned(std::countr_zero(m.active)) : 0;
    const uint64_t packed = uint64_t(m.high(0)[first]) << 32 | m.low(0)[first];
    const hw::InternalBlend* const b = find_blend(packed, why);
    if (!b) return false;
    QuadSamples samples = writing_samples(s, m.active, m.low(1));
    if (tests_at_atest(*s.draw)) test_samples(s, samples, nullptr, nullptr);
    *path = BlendPath::FixedFunction;
    switch (b->mode) {
        case hw::BlendMode::Off:
            return true;
        case hw::BlendMode::Shader:
            *path = BlendPath::Shader;
            return true;
        case hw::BlendMode::Opaque:
        case hw::BlendMode::FixedFunction:
            break;
    }
    const hw::Blend* const equation = equation_of(*s.draw, b->rt);
    if (equation && !equation->enable) return true;
    return write_color(s, m, b->rt, uint32_t(packed >> 32), equation, samples, why);
}

bool FragmentUnits::blend(const BundleMessage& m) {
    const Warp& one = m.warps[0];
    const FragmentStage& s = stage_of(one);
    // The warps' descriptors are the same.
    const unsigned first = unsigned(std::countr_zero(one.flow.running)) % kWarpLanes;
    const uint64_t packed = uint64_t(one.r[kSourceRow + 1][first]) << 32 | one.r[kSourceRow][first];
    std::string why;
    const hw::InternalBlend* const b = tests_at_atest(*s.draw) ? nullptr : find_blend(packed, &why);
    if (!b || (b->mode != hw::BlendMode::Opaque && b->mode != hw::BlendMode::FixedFunction)) return false;
    const hw::Blend* const equation = equation_of(*s.draw, b->rt);
    if (equation && !equation->enable) return true;
    const ColorWriter* const writer =
        color_writer(s, m.instr, m.in.count, b->rt, uint32_t(packed >> 32), equation, &why);
    if (!writer || writer->raw) return false;
    constexpr unsigned kMostQuads = kMostBundled * kQuads;
    int32_t x[kMostQuads], y[kMostQuads];
    uint32_t samples[kMostQuads];
    unsigned count = 0;
    for (const Warp& w : m.warps) {
        const FragmentStage& stage = stage_of(w);
        const QuadSamples own = writing_samples(stage, w.flow.running, w.r[kSourceRow + 2]);
        touch_color(stage, own);
        std::copy_n(stage.x.quad, kQuads, x + count);
        std::copy_n(stage.y.quad, kQuads, y + count);
        std::copy_n(own.quad, kQuads, samples + count);
        count += stage.count;
    }
    units::ColorRegisters source = registers_of(&one.r[m.in.reg], m.in.count, writer->format);
    source.group_distance = sizeof(Warp) / sizeof(U32);
    const uint32_t pixel_B = s.fb->targets[b->rt].tile.size_B * s.fb->samples;
    units::write_colors(writer->how, source, nullptr, {count, x, y, samples}, s.fb->samples,
                        {s.area->color[b->rt].data(), size_t(kArea_px) * pixel_B, pixel_B}, s.area->zs.rect);
    return true;
}

bool FragmentUnits::serve_all(const BundleMessage& m) {
    const FragmentDraw& d = *stage_of(m.warps[0]).draw;
    switch (m.instr.op) {
        case isa::Op::kLdVarBufImmF32:
        case isa::Op::kLdVarBufImmF16:
            return interpolate(m);
        case isa::Op::kAtest:
            if (tests_at_atest(d) || has_alpha_coverage(d) || m.out.count != 1) return false;
            for (Warp& w : m.warps)
                w.r[m.out.reg] =
                    w.flow.running == kAllThreads
                        ? w.r[kSourceRow]
                        : wave::select(wave::mask_of(w.flow.running), w.r[kSourceRow], w.r[m.out.reg]);
            return true;
        case isa::Op::kBlend:
            return blend(m);
        default:
            return false;
    }
}

bool FragmentUnits::tile(Warp& warp, const MessageIn& m, U32* out, std::string* why) {
    FragmentStage& s = stage_of(warp);
    const unsigned first = m.active ? unsigned(std::countr_zero(m.active)) : 0;
    const uint32_t which = m.low(0)[first];
    constexpr uint32_t kCurrentPixel = 255;
    if (which >> 24 != kCurrentPixel) return refuse(why, "the tile buffer at another pixel is not executed");
    const unsigned target = which >> 8 & 0xff;
    U32 sample = m.low(0) & 0xff;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(m.active >> lane & 1)) continue;
        const unsigned own = s.sample[lane / 4];
        if (sample[lane] >= s.fb->samples || (m.low(0)[lane] ^ which) >> 8 ||
            (s.draw->per_sample && sample[lane] && sample[lane] != own))
            return refuse(why, "sample ", sample[lane], " of ", s.fb->samples,
                          " in the tile buffer, or several targets");
        if (s.draw->per_sample) sample[lane] = own;
    }
    const uint32_t word = m.low(2)[first];
    if (m.instr.op == isa::Op::kStTile) {
        QuadSamples samples = writing_samples(s, m.active, m.low(1));
        if (tests_at_atest(*s.draw)) test_samples(s, samples, nullptr, nullptr);
        for (unsigned lane = 0; lane < 4 * s.count; ++lane)
            samples.quad[lane / 4] &= ~(0xffu << lane % 4 * 8) | 1u << (lane % 4 * 8 + (sample[lane] & 7));
        return write_color(s, m, target, word, nullptr, samples, why);
    }
    hw::InternalConversion c;
    Fault fault;
    if (!take_struct(&word, &c, "conversion", &fault)) return refuse(why, fault.report);
    if (target >= s.fb->targets.size()) return refuse(why, "no render target ", target);
    const TargetState& t = s.fb->targets[target];
    const TileConversion* from = conversion(c.memory_format, why);
    if (!from) return false;
    // A wider format would also read what follows the pixel.
    if (from->blendable == t.tile.raw || (!from->blendable && from->format.size_B > t.tile.size_B))
        return refuse(why, "a load in another format than the render target's");
    const RegisterFormat f = m.instr.register_format() == RegisterFormat::kAuto
                                 ? automatic(c.register_format, m.out_count, m.instr.vector_size())
                                 : m.instr.register_format();
    const unsigned count = unsigned(m.instr.vector_size()) + 1;
    const FormatReader& reader = !from->blendable ? from->format : from->srgb ? t.tile.srgb : t.tile.format;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(m.active >> lane & 1) || !s.area->rect.contains(s.x[lane], s.y[lane])) continue;
        uint32_t v[4];
        reader.read(&s.area->color[target][(place_of(s, lane) + sample[lane]) * t.tile.size_B], v);
        put_components(f, reader.kind, v, count, out, lane);
    }
    return true;
}

}  // namespace terrazzo::mali::sim
