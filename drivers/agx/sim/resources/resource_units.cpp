// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operands: Mesa 25.0.7, agx_compile.c (agx_emit_tex), agx_pack.c, agx_nir_lower_texture.c.
#include "drivers/agx/sim/resources/resource_units.h"

#include <algorithm>
#include <bit>

#include "drivers/common/units/decode_once.h"
#include "drivers/common/units/find_value.h"
#include "pipe/half.h"

namespace terrazzo::agx::sim {

using isa::OperandKind;
using pipe::raster::PixelRect;

namespace {

// Sources of texture instructions.
enum : unsigned { kCoordinates, kLod, kBase, kTexture, kSampler, kExtra };

constexpr std::pair<hw::Wrap, pipe::Wrap> kWraps[] = {
    {hw::Wrap::ClampToEdge, pipe::Wrap::ClampToEdge},
    {hw::Wrap::Repeat, pipe::Wrap::Repeat},
    {hw::Wrap::MirroredRepeat, pipe::Wrap::MirroredRepeat},
    {hw::Wrap::ClampToBorder, pipe::Wrap::ClampToBorder},
    {hw::Wrap::MirroredClampToEdge, pipe::Wrap::MirrorClampToEdge}};

// By hw::CompareFunc.
constexpr pipe::Compare kCompares[] = {
    pipe::Compare::LessEqual, pipe::Compare::GreaterEqual, pipe::Compare::Less,   pipe::Compare::Greater,
    pipe::Compare::Equal,     pipe::Compare::NotEqual,     pipe::Compare::Always, pipe::Compare::Never};

pipe::ResourceKind kind_of(hw::TextureDimension d) {
    switch (d) {
        case hw::TextureDimension::N3d:
            return pipe::ResourceKind::Tex3D;
        case hw::TextureDimension::Cube:
            return pipe::ResourceKind::Cube;
        case hw::TextureDimension::CubeArray:
            return pipe::ResourceKind::CubeArray;
        default:
            return is_array(d) ? pipe::ResourceKind::Tex2DArray : pipe::ResourceKind::Tex2D;
    }
}

float half(uint32_t bits) {
    return pipe::half_to_float(uint16_t(bits));
}

}  // namespace

bool find_texture(const UnitCall& call, unsigned base, unsigned texture, unsigned thread, uint64_t* va,
                  std::string* why) {
    const uint32_t number = wave::at(call.in[texture][0], thread);
    if (call.instr.src[base].kind == OperandKind::kUniform) {
        *va = (uint64_t(wave::at(call.in[base][1], thread)) << 32 | wave::at(call.in[base][0], thread)) +
              number;
        return true;
    }
    if (const Bindings* const b = call.group.bindings)
        for (const DescriptorRange& r : b->textures)
            if (number >= r.first && number - r.first < r.count) {
                *va = r.va + uint64_t(number - r.first) * hw::Texture::kSize_B;
                return true;
            }
    return refuse(why, "texture ", number, " is not bound");
}

namespace {

bool find_sampler(const UnitCall& call, unsigned thread, uint64_t* va, std::string* why) {
    if (call.instr.src[kSampler].kind != OperandKind::kSamplerState)
        return refuse(why, "samplers of the heap are not modelled");
    const uint32_t number = wave::at(call.in[kSampler][0], thread);
    if (const Bindings* const b = call.group.bindings)
        for (const DescriptorRange& r : b->samplers)
            if (number >= r.first && number - r.first < r.count) {
                const unsigned each_B =
                    hw::Sampler::kSize_B + (b->extended_samplers ? hw::Border::kSize_B : 0u);
                *va = r.va + uint64_t(number - r.first) * each_B;
                return true;
            }
    return refuse(why, "sampler ", number, " is not bound");
}

}  // namespace

bool TextureState::load(window::Window& memory, uint64_t va, std::string* why) {
    uint32_t words[hw::Texture::kSize_dw];
    hw::Texture d;
    if (!memory.read(va, words, sizeof words)) return refuse(why, "texture: ", memory.fault());
    if (!unpack(words, &d))
        return refuse(why, "the texture at ", host::hex_text(va), " has bits without a meaning");
    pipe::Format format;
    if (!open_image(d, &format, &image_, why)) return false;
    is_bound = format != pipe::Format::None;
    if (!is_bound) return true;
    if (d.last_level < d.first_level || d.last_level >= image_.layout().levels)
        return refuse(why, "the texture at ", host::hex_text(va), " has no level ", d.last_level);
    decoder_.format = units::format_reader(format);
    const hw::Channel swizzle[4] = {d.swizzle_r, d.swizzle_g, d.swizzle_b, d.swizzle_a};
    for (unsigned c = 0; c < 4; ++c)
        decoder_.swizzle[c] = swizzle[c] == hw::Channel::One    ? units::kOne
                              : swizzle[c] == hw::Channel::Zero ? units::kZero
                                                                : uint8_t(swizzle[c]);
    first_level_ = d.first_level;
    pipe::raster::TextureShape& shape = view_.shape;
    shape.kind = kind_of(d.dimension);
    shape.width = std::max(1u, d.width >> first_level_);
    shape.height = std::max(1u, d.height >> first_level_);
    shape.depth = d.dimension == hw::TextureDimension::N3d ? std::max(1u, d.depth >> first_level_) : 1;
    shape.layers = image_.layout().layers;
    shape.last_level = d.last_level - first_level_;
    view_.samples = samples_of(d.dimension, d.samples);
    return true;
}

bool TextureState::read_elements(window::Window& memory, const Image& image, const PixelRect& elements,
                                 uint8_t* rows, std::string* why) {
    const uint32_t level = image.level + first_level_;
    const units::FormatReader& f = decoder_.format;
    const pipe::LevelLayout& size = image_.layout().level[level];
    const PixelRect pixels = pipe::raster::intersect({elements.x0 * f.block_w_px, elements.y0 * f.block_h_px,
                                                      elements.x1 * f.block_w_px, elements.y1 * f.block_h_px},
                                                     {0, 0, int32_t(size.width), int32_t(size.height)});
    const size_t row_B = size_t(units::kTexelBlock_px) * f.size_B;
    if (view_.samples == 1) return image_.load(memory, level, image.z, pixels, rows, row_B, why);
    const auto width = size_t(pixels.x1 - pixels.x0);
    std::vector<uint8_t> all(width * size_t(pixels.y1 - pixels.y0) * view_.samples * f.size_B);
    if (!image_.load(memory, level, image.z, pixels, all.data(), width * view_.samples * f.size_B, why))
        return false;
    for (size_t y = 0; y < size_t(pixels.y1 - pixels.y0); ++y)
        for (size_t x = 0; x < width; ++x)
            std::memcpy(rows + y * row_B + x * f.size_B,
                        all.data() + ((y * width + x) * view_.samples + image.sample) * f.size_B, f.size_B);
    return true;
}

bool SamplerState::load(window::Window& memory, uint64_t va, bool has_border, std::string* why) {
    uint32_t words[hw::Sampler::kSize_dw + hw::Border::kSize_dw] = {};
    hw::Sampler d;
    if (!memory.read(va, words, hw::Sampler::kSize_B + (has_border ? hw::Border::kSize_B : 0u)))
        return refuse(why, "sampler: ", memory.fault());
    const auto name = [&] { return host::text_of("the sampler at ", host::hex_text(va)); };
    if (!unpack(words, &d)) return refuse(why, name(), " has bits without a meaning");
    const auto s = units::find_value(kWraps, d.wrap_s), t = units::find_value(kWraps, d.wrap_t),
               r = units::find_value(kWraps, d.wrap_r);
    if (!s || !t || !r || d.magnify == hw::Filter::Bicubic || d.minify == hw::Filter::Bicubic)
        return refuse(why, name(), " has a mode that is not modelled");
    desc.wrap_s = *s, desc.wrap_t = *t, desc.wrap_r = *r;
    desc.min = d.minify == hw::Filter::Linear ? pipe::Filter::Linear : pipe::Filter::Nearest;
    desc.mag = d.magnify == hw::Filter::Linear ? pipe::Filter::Linear : pipe::Filter::Nearest;
    desc.mip = d.mip_filter == hw::MipFilter::None      ? pipe::MipFilter::None
               : d.mip_filter == hw::MipFilter::Nearest ? pipe::MipFilter::Nearest
                                                        : pipe::MipFilter::Linear;
    desc.compare_enable = d.compare_enable;
    desc.compare = kCompares[unsigned(d.compare_func)];
    desc.seamless_cube = !d.seamful_cube_maps;
    desc.min_lod = d.minimum_lod;
    desc.max_lod = d.maximum_lod;
    if (d.maximum_anisotropy > 1) desc.max_anisotropy = float(d.maximum_anisotropy);
    const float white = d.border_color == hw::BorderColor::OpaqueWhite,
                alpha = d.border_color != hw::BorderColor::TransparentBlack;
    desc.border = {white, white, white, alpha};
    if (d.border_color == hw::BorderColor::Custom) {
        if (!has_border) return refuse(why, name(), " has a border colour of its own, but no Border");
        const auto channel = [&](unsigned c) {
            return std::bit_cast<float>(words[hw::Sampler::kSize_dw + c]);
        };
        desc.border = {channel(0), channel(1), channel(2), channel(3)};
    }
    pixel_coordinates = d.pixel_coordinates;
    return true;
}

/// A texture instruction with its operands by meaning.
struct ResourceUnits::Request {
    UnitCall& call;
    TextureState* texture = nullptr;
    const SamplerState* sampler = nullptr;  // null: a load

    const isa::Instr& instr() const { return call.instr; }
    unsigned axes() const {
        switch (instr().dimension()) {
            case isa::Dimension::k1D:
            case isa::Dimension::k1DArray:
                return 1;
            case isa::Dimension::k3D:
            case isa::Dimension::kCube:
            case isa::Dimension::kCubeArray:
                return 3;
            default:
                return 2;
        }
    }
    bool is(isa::Dimension a, isa::Dimension b) const {
        return instr().dimension() == a || instr().dimension() == b;
    }
    bool has_samples() const { return is(isa::Dimension::k2DMs, isa::Dimension::k2DMsArray); }
    bool has_layer() const {
        return is(isa::Dimension::k1DArray, isa::Dimension::k2DArray) ||
               is(isa::Dimension::kCubeArray, isa::Dimension::k2DMsArray);
    }
    // Words, halves, or words in two halves each with a half of its own at the end.
    U32 coordinate(unsigned axis, unsigned v, bool integers) const {
        const isa::Operand& o = instr().src[kCoordinates];
        const auto& in = call.in[kCoordinates];
        if (o.size == 32) return in[axis][v];
        if (is_mixed()) return in[2 * axis][v] | in[2 * axis + 1][v] << 16;
        const U32 bits = in[axis][v];
        return integers ? wave::as_bits(__builtin_convertvector(bits, F32))
                        : wave::map(bits, [](uint32_t b) { return std::bit_cast<uint32_t>(half(b)); });
    }
    bool is_mixed() const {
        const isa::Operand& o = instr().src[kCoordinates];
        return o.size == 16 && o.count == 2 * axes() + 1;
    }
    /// The layer and the sample share a word's two halves, or are halves.
    U32 extra(unsigned v, bool layer) const {
        const unsigned first = is_mixed() ? 2 * axes() : axes();
        const auto& in = call.in[kCoordinates];
        const bool both = has_samples() && has_layer();
        return in[first + (both && layer ? 1 : 0)][v];
    }
    wave::I32 offset(unsigned axis, unsigned v) const {
        const isa::Operand& o = instr().src[kExtra];
        if (o.kind != OperandKind::kRegister || o.size != 16) return wave::I32{};
        const U32 packed = call.in[kExtra][o.count == 3 ? 2 : 0][v];
        return wave::as_signed(packed << (28 - 4 * axis)) >> 28;
    }
    bool has_offset() const {
        const isa::Operand& o = instr().src[kExtra];
        return o.kind == OperandKind::kRegister && o.size == 16;
    }
    U32 reference(unsigned v) const {
        const auto& in = call.in[kExtra];
        return instr().src[kExtra].size == 32 ? in[0][v] : in[0][v] | in[1][v] << 16;
    }
    void put(const U32 bits[4], unsigned v) {
        const bool is_half = instr().dest.size == 16;
        for (unsigned c = 0; c < 4; ++c) {
            U32 word = bits[c];
            if (is_half && texture->kind() == units::NumberKind::Float)
                word = wave::map(
                    word, [](uint32_t b) { return uint32_t(pipe::float_to_half(std::bit_cast<float>(b))); });
            call.out[c][v] = word;
        }
    }
};

bool ResourceUnits::texture(UnitCall& call, std::string* why) {
    const isa::Instr& i = call.instr;
    if (i.sample_mode() != isa::SampleMode::kSample) return refuse(why, "queries of levels are not modelled");
    texture_fetches_ += unsigned(std::popcount(call.active));
    // Threads may have different textures: those with the same one run together.
    for (uint32_t left = call.active; left;) {
        const unsigned thread = wave::lowest(left);
        uint64_t va = 0, sampler_va = 0;
        if (!find_texture(call, kBase, kTexture, thread, &va, why)) return false;
        uint32_t same = 0;
        for (uint32_t rest = left; rest; rest &= rest - 1) {
            const auto t = unsigned(std::countr_zero(rest));
            if (wave::at(call.in[kTexture][0], t) == wave::at(call.in[kTexture][0], thread) &&
                wave::at(call.in[kSampler][0], t) == wave::at(call.in[kSampler][0], thread))
                same |= 1u << t;
        }
        left &= ~same;
        Request r{call};
        const auto* const texture = units::decode_once(textures_, va, [&](auto* t) {
            *t = std::make_unique<TextureState>();
            return (*t)->load(call.memory, va, why);
        });
        if (!texture) return false;
        r.texture = texture->get();
        if (i.op == isa::Op::kTextureSample) {
            if (!find_sampler(call, thread, &sampler_va, why)) return false;
            const bool has_border = call.group.bindings->extended_samplers;
            r.sampler = units::decode_once(samplers_, sampler_va, [&](SamplerState* s) {
                return s->load(call.memory, sampler_va, has_border, why);
            });
            if (!r.sampler) return false;
        }
        if (!r.texture->is_bound) continue;  // zeros
        for (unsigned v = 0; v < kVectors; ++v)
            if (const uint32_t lanes = same >> v * wave::kLanes & 0xffff; lanes && !run(r, v, lanes, why))
                return false;
    }
    return true;
}

bool ResourceUnits::run(Request& r, unsigned v, uint32_t lanes, std::string* why) {
    const isa::Instr& i = r.instr();
    const auto& lod = r.call.in[kLod];
    U32 bits[4];
    if (!r.sampler) {
        units::FetchLanes f;
        f.lanes = lanes;
        for (unsigned c = 0; c < r.axes(); ++c) {
            f.at[c] = wave::as_signed(r.call.instr.src[kCoordinates].size == 32 || r.is_mixed()
                                          ? r.coordinate(c, v, false)
                                          : r.call.in[kCoordinates][c][v]);
            f.offset[c] = r.offset(c, v);
        }
        if (r.has_layer()) f.at[2] = wave::as_signed(r.extra(v, true));
        if (r.has_samples()) f.sample = r.extra(v, false);
        if (i.lod() != isa::Lod::kAuto) f.level = lod[0][v];
        if (!r.texture->fetch(r.call.memory, f, bits, why)) return false;
        r.put(bits, v);
        return true;
    }
    units::SampleLanes s{};
    s.lanes = lanes;
    float scale[3];
    const bool cube = r.is(isa::Dimension::kCube, isa::Dimension::kCubeArray);
    units::find_scale(r.texture->view(), cube || !r.sampler->pixel_coordinates, scale);
    F32 position[3]{};
    for (unsigned c = 0; c < r.axes(); ++c) {
        position[c] = wave::as_float(r.coordinate(c, v, false));
        s.coord[c] = position[c] * scale[c];
    }
    if (r.has_layer()) s.layer = __builtin_convertvector(r.extra(v, true), F32);
    pipe::SamplerDesc desc = r.sampler->desc;
    desc.compare_enable = i.compare();
    if (i.compare()) s.reference = wave::as_float(r.reference(v));
    s.has_offset = r.has_offset();
    for (unsigned c = 0; c < 3; ++c)
        s.offset[c] = r.offset(c, v);
    const auto halves = [&](const U32& words) {
        return wave::as_float(wave::map(words, [](uint32_t b) { return std::bit_cast<uint32_t>(half(b)); }));
    };
    switch (i.lod()) {
        case isa::Lod::kAuto:
        case isa::Lod::kBias:
        case isa::Lod::kBiasUniform:
            if (i.lod() != isa::Lod::kAuto) s.lod = halves(lod[0][v]);
            if (!has_quads_) break;
            s.lod_source = units::LodSource::Quad;
            for (unsigned c = 0; c < 3 && !cube; ++c)
                units::find_derivatives(position[c], scale[c], &s.ddx[c], &s.ddy[c]);
            for (unsigned c = 0; c < 3 && cube; ++c)
                units::find_derivatives(position[c], 1, &s.ddx[c], &s.ddy[c]);
            break;
        case isa::Lod::kMin:
        case isa::Lod::kMinUniform:
            s.lod = halves(lod[0][v]);
            break;
        case isa::Lod::kGrad:
            s.lod_source = units::LodSource::Derivatives;
            for (unsigned c = 0; c < r.axes(); ++c) {
                s.ddx[c] = wave::as_float(lod[2 * c][v]) * scale[c];
                s.ddy[c] = wave::as_float(lod[2 * c + 1][v]) * scale[c];
            }
            break;
        default:
            return refuse(why, "this mode of levels of detail is not modelled");
    }
    if (i.gather() != isa::Gather::kNone && i.gather() != isa::Gather::kCompare) {
        s.gathers = true;
        s.component = i.gather() == isa::Gather::kG   ? 1
                      : i.gather() == isa::Gather::kB ? 2
                      : i.gather() == isa::Gather::kA ? 3
                                                      : 0;
        s.lod_source = units::LodSource::Level;
        s.lod = F32{};
    }
    if (!units::sample(*r.texture, desc, s, r.call.memory, bits, why)) return false;
    r.put(bits, v);
    return true;
}

// Sources: data, coordinates, a number, the bindless base, the image.
bool ResourceUnits::image_write(UnitCall& call, std::string* why) {
    Request r{call};
    const isa::Instr& i = call.instr;
    for (uint32_t left = call.active & ~call.group.helpers; left; left &= left - 1) {
        const auto t = unsigned(std::countr_zero(left));
        uint64_t va = 0;
        if (!find_texture(call, 3, 4, t, &va, why)) return false;
        uint32_t words[hw::Pbe::kSize_dw];
        hw::Pbe d;
        if (!call.memory.read(va, words, sizeof words)) return refuse(why, "image: ", call.memory.fault());
        if (!unpack(words, &d))
            return refuse(why, "the image at ", host::hex_text(va), " has bits without a meaning");
        pipe::Format format;
        StoredImage image;
        if (!open_image(d, &format, &image, why)) return false;
        if (d.srgb) return refuse(why, "image stores that convert to sRGB are not modelled");
        if (samples_of(d.dimension, d.samples) > 1)
            return refuse(why, "image stores of samples are not modelled");
        const isa::Operand& o = i.src[1];
        const unsigned axes = r.axes();
        const bool mixed = o.size == 16 && o.count == 2 * axes + 1;
        const auto at = [&](unsigned axis) -> uint32_t {
            if (mixed && axis < axes)
                return wave::at(call.in[1][2 * axis], t) | wave::at(call.in[1][2 * axis + 1], t) << 16;
            return wave::at(call.in[1][mixed ? 2 * axes : axis], t);
        };
        const uint32_t x = at(0), y = axes > 1 ? at(1) : 0,
                       z = axes > 2                ? at(2)
                           : is_array(d.dimension) ? at(axes)
                                                   : 0;
        const uint32_t level = d.layout == hw::Layout::Linear ? 0 : d.level;
        if (level >= image.layout().levels) continue;
        const pipe::LevelLayout& size = image.layout().level[level];
        if (x >= size.width || y >= size.height || z >= image.layout().z_count(level)) continue;
        const units::FormatReader f = units::format_reader(format);
        const uint8_t source[4] = {uint8_t(d.swizzle_r), uint8_t(d.swizzle_g), uint8_t(d.swizzle_b),
                                   uint8_t(d.swizzle_a)};
        uint32_t v[4] = {}, ordered[4];
        for (unsigned c = 0; c < 4 && c < i.src[0].count; ++c) {
            v[c] = wave::at(call.in[0][c], t);
            if (i.src[0].size != 16) continue;
            if (f.kind == units::NumberKind::Float)
                v[c] = std::bit_cast<uint32_t>(half(v[c]));
            else if (f.kind == units::NumberKind::Sint)
                v[c] = uint32_t(int32_t(int16_t(v[c])));
        }
        for (unsigned c = 0; c < 4; ++c)
            ordered[c] = v[source[c]];
        uint8_t pixel[16];
        f.write(ordered, pixel);
        const auto px = int32_t(x), py = int32_t(y);
        if (!image.store(call.memory, level, z, {px, py, px + 1, py + 1}, pixel, f.size_B, why)) return false;
    }
    return true;
}

}  // namespace terrazzo::agx::sim
