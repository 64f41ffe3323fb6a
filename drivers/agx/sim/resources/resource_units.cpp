// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Operands: Mesa 25.0.7, agx_compile.c (agx_emit_tex), agx_pack.c, agx_nir_lower_texture.c.
#include "drivers/agx/sim/resources/resource_units.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "drivers/agx/hw/formats.h"
#include "drivers/common/core/stored_range.h"
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

/// Numbers in registers from this one on are those of the heap. Source: Mesa 25.0.7, agx_uniforms.c.
constexpr uint32_t kFirstOfHeap = 28;

bool find_sampler(const UnitCall& call, unsigned thread, uint64_t* va, bool* has_border, std::string* why) {
    const uint32_t number = wave::at(call.in[kSampler][0], thread);
    const Bindings* const b = call.group.bindings;
    if (b && call.instr.src[kSampler].kind == OperandKind::kRegister && number >= kFirstOfHeap) {
        if (number - kFirstOfHeap >= b->sampler_heap_count)
            return refuse(why, "sampler ", number - kFirstOfHeap, " of a heap of ", b->sampler_heap_count);
        *va = b->sampler_heap + uint64_t(number - kFirstOfHeap) * hw::Sampler::kSize_B;
        *has_border = false;
        return true;
    }
    if (b)
        for (const DescriptorRange& r : b->samplers)
            if (number >= r.first && number - r.first < r.count) {
                *has_border = b->extended_samplers;
                const unsigned each_B = hw::Sampler::kSize_B + (*has_border ? hw::Border::kSize_B : 0u);
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
    if (!open_image(d, &decoder_.format, &image_, why)) return false;
    is_bound = bool(decoder_.format);
    if (!is_bound) return true;
    if (d.last_level < d.first_level || d.last_level >= image_.layout().levels)
        return refuse(why, "the texture at ", host::hex_text(va), " has no level ", d.last_level);
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

bool TextureState::fetch_stored(window::Window& memory, const units::FetchLanes& call, U32 out[4],
                                std::string* why) const {
    for (unsigned c = 0; c < 4; ++c)
        out[c] = U32{};
    for (uint32_t left = call.lanes; left;) {
        const uint32_t level = call.level[unsigned(std::countr_zero(left))];
        uint32_t lanes = 0;
        wave::each_lane(left, [&](unsigned l) { lanes |= uint32_t(call.level[l] == level) << l; });
        left &= ~lanes;
        U32 at[3], v[4];
        for (unsigned c = 0; c < 3; ++c)
            at[c] = U32(call.at[c]) + U32(call.offset[c]);
        // A sample that does not exist is in a layer that does not.
        at[2] = wave::map(at[2], call.sample, [&](uint32_t layer, uint32_t sample) {
            return sample < view_.samples && layer < view_.shape.layers * std::max(1u, view_.shape.depth)
                       ? layer * view_.samples + sample
                       : ~0u;
        });
        if (level > view_.shape.last_level) continue;
        StoredTexels texels(image_, decoder_, level + first_level_);
        if (!texels.read_lanes(memory, lanes, at, v, why)) return false;
        wave::each_lane(lanes, [&](unsigned l) {
            for (unsigned c = 0; c < 4; ++c)
                out[c][l] = v[c][l];
        });
    }
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
    desc_.wrap_s = *s, desc_.wrap_t = *t, desc_.wrap_r = *r;
    desc_.min = d.minify == hw::Filter::Linear ? pipe::Filter::Linear : pipe::Filter::Nearest;
    desc_.mag = d.magnify == hw::Filter::Linear ? pipe::Filter::Linear : pipe::Filter::Nearest;
    desc_.mip = d.mip_filter == hw::MipFilter::None      ? pipe::MipFilter::None
                : d.mip_filter == hw::MipFilter::Nearest ? pipe::MipFilter::Nearest
                                                         : pipe::MipFilter::Linear;
    desc_.compare = kCompares[unsigned(d.compare_func)];
    desc_.seamless_cube = !d.seamful_cube_maps;
    desc_.min_lod = d.minimum_lod;
    desc_.max_lod = d.maximum_lod;
    if (d.maximum_anisotropy > 1) desc_.max_anisotropy = float(d.maximum_anisotropy);
    pixel_coordinates = d.pixel_coordinates;
    border_color_ = d.border_color;
    if (border_color_ == hw::BorderColor::Custom && !has_border)
        return refuse(why, name(), " has a border colour of its own, but no Border");
    (void)unpack(words + hw::Sampler::kSize_dw, &border_);  // all bits have a meaning
    return true;
}

namespace {

uint32_t border_bits(const pipe::ChannelInfo& channel, uint32_t word) {
    const unsigned unused = 32u - channel.bits;
    const uint32_t low = channel.bits < 32 ? word & ((1u << channel.bits) - 1) : word;
    const int32_t is_signed = int32_t(low << unused) >> unused;
    switch (channel.type) {
        case pipe::ChannelType::Unorm:
            return std::bit_cast<uint32_t>(float(low) / float((1u << channel.bits) - 1));
        case pipe::ChannelType::Snorm:
            return std::bit_cast<uint32_t>(
                std::max(-1.0f, float(is_signed) / float((1u << (channel.bits - 1)) - 1)));
        case pipe::ChannelType::Sint:
            return uint32_t(is_signed);
        case pipe::ChannelType::Float:
            return channel.bits == 32 ? word : std::bit_cast<uint32_t>(half(word));
        case pipe::ChannelType::Uint:
        case pipe::ChannelType::None:
        case pipe::ChannelType::Uscaled:
        case pipe::ChannelType::Sscaled:
        case pipe::ChannelType::Fixed:
            break;
    }
    return low;
}

}  // namespace

bool SamplerState::for_texture(const TextureState& texture, pipe::SamplerDesc* out, std::string* why) const {
    *out = desc_;
    constexpr auto kBorder = pipe::Wrap::ClampToBorder;
    if (desc_.wrap_s != kBorder && desc_.wrap_t != kBorder && desc_.wrap_r != kBorder) return true;
    const units::FormatReader& f = texture.format();
    const pipe::FormatInfo& info = pipe::format_info(f.format);
    const uint32_t white = border_color_ == hw::BorderColor::OpaqueWhite ? f.one() : 0,
                   alpha = border_color_ != hw::BorderColor::TransparentBlack ? f.one() : 0;
    uint32_t v[4] = {white, white, white, alpha};
    for (unsigned c = 0; c < 4 && border_color_ == hw::BorderColor::Custom; ++c) {
        v[c] = c == 3 ? f.one() : 0;
        if (c >= info.channel_count) continue;
        const std::optional<pipe::ChannelInfo> channel = hw::border_channel(f.format, c);
        if (!channel) return refuse(why, "the encoding of ", info.name, "'s border colours is not known");
        v[c] = border_bits(*channel, border_.channel[c]);
    }
    texture.decoder().apply_swizzle(v, out->border.bits.data());
    return true;
}

bool ImageState::load(window::Window& memory, uint64_t va, std::string* why) {
    uint32_t words[hw::Pbe::kSize_dw];
    hw::Pbe d;
    if (!memory.read(va, words, sizeof words)) return refuse(why, "image: ", memory.fault());
    if (!unpack(words, &d))
        return refuse(why, "the image at ", host::hex_text(va), " has bits without a meaning");
    if (d.layout == hw::Layout::Null) return true;
    if (samples_of(d.dimension, d.samples) > 1)
        return refuse(why, "image stores of samples are not modelled");
    units::TexelDecoder decoder;
    if (!open_image(d, true, &decoder.format, &image_, why)) return false;
    has_layers = is_array(d.dimension);
    const hw::StoredChannel swizzle[4] = {d.swizzle_r, d.swizzle_g, d.swizzle_b, d.swizzle_a};
    for (unsigned c = 0; c < 4; ++c)
        from[c] = uint8_t(swizzle[c]);
    texels = StoredTexels(image_, decoder, d.layout == hw::Layout::Linear ? 0 : d.level);
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
    /// The layer or the sample: a half each. Those of multisampled arrays are the two halves of the last
    /// word (the sample first); the instruction's table counts one of them.
    U32 extra(unsigned v, bool layer) const {
        const isa::Operand& o = instr().src[kCoordinates];
        const unsigned n = (is_mixed() ? 2 * axes() : axes()) + (has_samples() && has_layer() && layer);
        if (n < call.in_count[kCoordinates]) return call.in[kCoordinates][n][v] & 0xffffu;
        const unsigned half = unsigned(o.value) + n;
        return half < 2 * kRegisters ? call.group.r[half / 2][v] >> 16 * (half % 2) & 0xffffu : U32{};
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
            bool has_border = false;
            if (!find_sampler(call, thread, &sampler_va, &has_border, why)) return false;
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
        // Image loads have the low one of the bits from 43 on.
        const bool good = i.unknown0() & 1 && !r.texture->format().is_compressed()
                              ? r.texture->fetch_stored(r.call.memory, f, bits, why)
                              : r.texture->fetch(r.call.memory, f, bits, why);
        if (!good) return false;
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
    pipe::SamplerDesc desc;
    if (!r.sampler->for_texture(*r.texture, &desc, why)) return false;
    desc.compare_enable = i.compare();
    // Inferred: the hardware passes the conformance tests of OpenGL ES 2.0 (section 3.7.8), and Mesa sets
    // nothing for this.
    s.late_magnify = desc.mag == pipe::Filter::Linear && desc.min == pipe::Filter::Nearest;
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

// Sources: data, coordinates, the level, the bindless base, the image.
bool ResourceUnits::image_write(UnitCall& call, std::string* why) {
    const isa::Instr& i = call.instr;
    const Request r{call};
    if (i.write_round() != isa::WriteRound::kEven) return refuse(why, "stores that round to zero");
    const isa::Operand& o = i.src[1];
    const unsigned axes = r.axes();
    const bool mixed = o.size == 16 && o.count == 2 * axes + 1;
    core::StoredRange stored(call.memory.space());
    for (uint32_t left = call.active & ~call.group.helpers; left;) {
        const unsigned thread = wave::lowest(left);
        uint64_t va = 0;
        if (!find_texture(call, 3, 4, thread, &va, why)) return false;
        uint32_t same = 0;
        wave::each_lane(left, [&](unsigned t) {
            same |= uint32_t(wave::at(call.in[4][0], t) == wave::at(call.in[4][0], thread)) << t;
        });
        left &= ~same;
        ImageState* const image =
            units::decode_once(images_, va, [&](ImageState* s) { return s->load(call.memory, va, why); });
        if (!image) return false;
        for (unsigned v = 0; v < kVectors; ++v) {
            const uint32_t lanes = same >> v * wave::kLanes & 0xffff;
            if (!lanes) continue;
            // Levels are those of descriptors. What an operand adds is not known.
            bool has_level = false;
            wave::each_lane(lanes, [&](unsigned l) { has_level |= call.in[2][0][v][l] != 0; });
            if (has_level) return refuse(why, "stores to a level in a register");
            const auto axis = [&](unsigned n) {
                return mixed ? call.in[1][2 * n][v] | call.in[1][2 * n + 1][v] << 16 : call.in[1][n][v];
            };
            const U32 at[3] = {axis(0), axes > 1 ? axis(1) : U32{},
                               axes > 2             ? axis(2)
                               : !image->has_layers ? U32{}
                               : r.has_layer()      ? call.in[1][mixed ? 2 * axes : axes][v] & 0xffffu
                                                    : U32{}};
            U32 value[4], ordered[4];
            for (unsigned c = 0; c < 4; ++c) {
                value[c] = call.in[0][c][v];
                if (i.src[0].size != 16) continue;
                if (image->texels.kind() == units::NumberKind::Float)
                    value[c] =
                        wave::map(value[c], [](uint32_t b) { return std::bit_cast<uint32_t>(half(b)); });
                else if (image->texels.kind() == units::NumberKind::Sint)
                    value[c] = U32(wave::as_signed(value[c] << 16) >> 16);
            }
            for (unsigned c = 0; c < 4; ++c)
                ordered[c] = value[image->from[c]];
            if (!image->texels.write_lanes(call.memory, lanes, at, ordered, &stored, why)) return false;
        }
    }
    return true;
}

}  // namespace terrazzo::agx::sim
