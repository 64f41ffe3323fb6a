// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture and sampler descriptors, and texels in linear, interleaved and AFBC memory. Sources: Mesa 25.0.7,
// genxml/v10.xml, pan_texture.c (planes: layer by layer, levels innermost), pan_cmdstream.c (samplers;
// comparisons have the texel on the left).
#include <algorithm>
#include <bit>

#include "drivers/common/units/find_value.h"
#include "drivers/mali/sim/afbc/codec.h"
#include "drivers/mali/sim/units/texture.h"

namespace terrazzo::mali::sim {

namespace {

constexpr uint32_t kMaxLayers = 1u << 14;
using pipe::raster::PixelRect;
using units::kTexelBlock_px;

// An element's index in a tile of 16x16 has the bits x xor y and y alternating, from the lowest
// (pipe/layout).
unsigned interleaved_index(unsigned x, unsigned y) {
    unsigned index = 0;
    for (unsigned b = 0; b < 4; ++b)
        index |= ((x >> b ^ y >> b) & 1) << 2 * b | (y >> b & 1) << (2 * b + 1);
    return index;
}

constexpr std::pair<hw::WrapMode, pipe::Wrap> kWraps[] = {
    {hw::WrapMode::Repeat, pipe::Wrap::Repeat},
    {hw::WrapMode::ClampToEdge, pipe::Wrap::ClampToEdge},
    {hw::WrapMode::ClampToBorder, pipe::Wrap::ClampToBorder},
    {hw::WrapMode::MirroredRepeat, pipe::Wrap::MirroredRepeat},
    {hw::WrapMode::MirroredClampToEdge, pipe::Wrap::MirrorClampToEdge}};

// By hw::CompareFunc, which has the texel on the left.
constexpr pipe::Compare kCompares[] = {
    pipe::Compare::Never, pipe::Compare::Greater,  pipe::Compare::Equal,     pipe::Compare::GreaterEqual,
    pipe::Compare::Less,  pipe::Compare::NotEqual, pipe::Compare::LessEqual, pipe::Compare::Always};

pipe::ResourceKind kind_of(const hw::Texture& t) {
    if (t.dimension == hw::TextureDimension::Cube)
        return t.array_size > 1 ? pipe::ResourceKind::CubeArray : pipe::ResourceKind::Cube;
    if (t.dimension == hw::TextureDimension::D3) return pipe::ResourceKind::Tex3D;
    return t.array_size > 1 ? pipe::ResourceKind::Tex2DArray : pipe::ResourceKind::Tex2D;
}

unsigned astc_side(hw::Astc2dDimension d) {
    constexpr unsigned kSide[] = {4, 5, 6, 8, 8, 8, 10, 12};
    return kSide[unsigned(d) & 7];
}

}  // namespace

bool SamplerState::load(Window& memory, uint64_t va, std::string* why) {
    if (!read_descriptor(memory, va, &d, "sampler descriptor", why)) return false;
    const auto wrap_s = units::find_value(kWraps, d.wrap_mode_s),
               wrap_t = units::find_value(kWraps, d.wrap_mode_t),
               wrap_r = units::find_value(kWraps, d.wrap_mode_r);
    if (!wrap_s || !wrap_t || !wrap_r || d.reduction_mode != hw::ReductionMode::Average)
        return refuse(why, "sampler descriptor at ", hex_text(va), ": a mode that is not executed");
    desc.wrap_s = *wrap_s, desc.wrap_t = *wrap_t, desc.wrap_r = *wrap_r;
    desc.min = d.minify_nearest ? pipe::Filter::Nearest : pipe::Filter::Linear;
    desc.mag = d.magnify_nearest ? pipe::Filter::Nearest : pipe::Filter::Linear;
    desc.mip = d.mipmap_mode == hw::MipmapMode::None      ? pipe::MipFilter::None
               : d.mipmap_mode == hw::MipmapMode::Nearest ? pipe::MipFilter::Nearest
                                                          : pipe::MipFilter::Linear;
    desc.compare = kCompares[unsigned(d.compare_function) % std::size(kCompares)];
    desc.seamless_cube = d.seamless_cube_map;
    desc.lod_bias = d.lod_bias;
    desc.min_lod = d.minimum_lod;
    desc.max_lod = d.maximum_lod;
    if (d.lod_algorithm == hw::LodAlgorithm::Anisotropic) desc.max_anisotropy = float(d.maximum_anisotropy);
    desc.border = {std::bit_cast<float>(d.border_color_r), std::bit_cast<float>(d.border_color_g),
                   std::bit_cast<float>(d.border_color_b), std::bit_cast<float>(d.border_color_a)};
    return true;
}

bool TextureState::load(Window& memory, uint64_t va, std::string* why, Decoding decoding) {
    va_ = va;
    if (!read_descriptor(memory, va, &d, "texture descriptor", why)) return false;
    if (decoding == Decoding::NoSrgb) d.format = hw::without_srgb(d.format);
    const std::string name = "texture descriptor at " + hex_text(va);
    const bool cube = d.dimension == hw::TextureDimension::Cube;
    const uint64_t layers = uint64_t(d.array_size) * (cube ? 6 : 1);
    if (d.minimum_level || layers > kMaxLayers)
        return refuse(why, name, ": a least level, or more than 16384 layers");
    if (!hw::swizzle_valid(d.swizzle))
        return refuse(why, name, ": a swizzle with a channel that does not exist");
    planes_.resize(layers * d.levels);
    pipe::raster::TextureShape& shape = view_.shape;
    FormatReader& format = decoder_.format;
    shape.kind = kind_of(d);
    shape.width = d.width;
    shape.height = d.height;
    shape.depth = d.dimension == hw::TextureDimension::D3 ? d.depth : 1;
    shape.layers = uint32_t(layers);
    shape.last_level = d.levels - 1;
    view_.samples = d.sample_count;
    if (!read_images(memory, why) || !load_plane(memory, 0, why)) return false;
    const hw::Plane& first = planes_[0].d;
    if (first.plane_type == hw::PlaneType::Astc2d)
        format = astc_format(astc_side(first.astc_block_width), astc_side(first.astc_block_height),
                             hw::pixel_format_srgb(d.format));
    else if (first.plane_type == hw::PlaneType::Afbc) {
        for (const hw::ClumpFormat clump :
             {hw::ClumpFormat::RAW32, hw::ClumpFormat::RAW8, hw::ClumpFormat::RAW16, hw::ClumpFormat::RAW24,
              hw::ClumpFormat::RAW64, hw::ClumpFormat::A8, hw::ClumpFormat::X24S8, hw::ClumpFormat::S8})
            if (!format) format = texture_format(d.format, clump);
    } else
        format = texture_format(d.format, first.clump_format);
    if (!format) return refuse(why, name, ": no format ", hex_text(d.format), " in such planes");
    decode_swizzle(d.swizzle, decoder_.swizzle);
    return true;
}

// The stream's author cannot know which levels are sampled, so all of them must be ready.
bool TextureState::read_images(Window& memory, std::string* why) const {
    for (size_t i = 0; i < planes_.size(); ++i) {
        uint32_t words[hw::Plane::kSize_dw];
        hw::Plane plane;
        // Errors in a plane are reported when it is used.
        if (!memory.read(d.surfaces + i * hw::Plane::kSize_B, words, sizeof(words)) ||
            !hw::unpack(words, &plane))
            continue;
        if (const char* mistake = memory.space().read_image(plane.pointer, plane.size))
            return refuse(why, "image at ", hex_text(plane.pointer), " ", mistake);
    }
    return true;
}

bool TextureState::load_plane(Window& memory, unsigned index, std::string* why) {
    Plane& p = planes_[index];
    if (p.va) return true;
    const uint64_t va = d.surfaces + uint64_t(index) * hw::Plane::kSize_B;
    const std::string name = "plane " + std::to_string(index) + " of the texture at " + hex_text(va_);
    if (!read_descriptor(memory, va, &p.d, name.c_str(), why)) return false;
    if (p.d.plane_type != hw::PlaneType::Generic && p.d.plane_type != hw::PlaneType::Astc2d &&
        p.d.plane_type != hw::PlaneType::Afbc)
        return refuse(why, name, ": a type that is not executed");
    p.va = va;
    return true;
}

bool TextureState::element(const Plane& p, unsigned x, unsigned y, unsigned slice, uint64_t* va,
                           std::string* why) const {
    const unsigned size_B = format().size_B;
    uint64_t offset = uint64_t(slice) * uint64_t(int64_t(p.d.slice_stride));
    if (p.d.clump_ordering == hw::ClumpOrdering::TiledUInterleaved) {
        const unsigned side = format().is_compressed() ? 4 : 16;
        offset += uint64_t(y / side) * p.d.row_stride + uint64_t(x / side) * side * side * size_B +
                  uint64_t(interleaved_index(x % side, y % side)) * size_B;
    } else {
        offset += uint64_t(y) * p.d.row_stride + uint64_t(x) * size_B;
    }
    if (!view_.is_3d() && d.sample_count == 1 && offset + size_B > p.d.size)
        return refuse(why, "texel (", x, ", ", y, ") of the plane at ", hex_text(p.va), " is beyond its ",
                      p.d.size, " bytes");
    *va = p.d.pointer + offset;
    return true;
}

bool TextureState::texel_address(Window& memory, const Image& image, unsigned x, unsigned y, uint64_t* va,
                                 std::string* why) {
    const unsigned index = (view_.is_3d() ? 0 : image.z) * d.levels + image.level;
    if (!load_plane(memory, index, why)) return false;
    if (format().is_compressed() || planes_[index].d.plane_type == hw::PlaneType::Afbc)
        return refuse(why, "texture at ", hex_text(va_), ": an image that is compressed");
    return element(planes_[index], x, y, view_.is_3d() ? image.z : image.sample, va, why);
}

// A tile of 16x16 pixels that is mapped contiguously: from its first element to its last one, which is at
// (0, 15). False: it is not.
bool TextureState::read_tile(Window& memory, const Plane& p, const PixelRect& r, unsigned slice,
                             uint8_t* rows) const {
    uint64_t first = 0, last = 0;
    std::string ignored;
    const unsigned x = unsigned(r.x0), y = unsigned(r.y0), n = format().size_B;
    if (!element(p, x, y, slice, &first, &ignored) ||
        !element(p, x, y + kTexelBlock_px - 1, slice, &last, &ignored))
        return false;
    const uint8_t* const tile = memory.at(first, uint64_t(256) * n, Access::Read);
    for (unsigned i = 0; tile && i < 256; ++i)
        std::memcpy(rows + size_t(i) * n, tile + size_t(interleaved_index(i % 16, i / 16)) * n, n);
    return tile != nullptr;
}

bool TextureState::read_elements(Window& memory, const Image& image, const PixelRect& r, uint8_t* rows,
                                 std::string* why) {
    const unsigned index = (view_.is_3d() ? 0 : image.z) * d.levels + image.level;
    if (!load_plane(memory, index, why)) return false;
    const Plane& p = planes_[index];
    const unsigned slice = view_.is_3d() ? image.z : image.sample, n = format().size_B;
    if (!format().is_compressed() && p.d.plane_type == hw::PlaneType::Afbc)
        return read_afbc(memory, p, r, slice, rows, why);
    const bool linear = p.d.clump_ordering == hw::ClumpOrdering::Linear;
    if (!linear && !format().is_compressed() && read_tile(memory, p, r, slice, rows)) return true;
    const auto run = unsigned(linear ? r.x1 - r.x0 : 1);
    for (auto y = unsigned(r.y0); y < unsigned(r.y1); ++y, rows += size_t(kTexelBlock_px) * n) {
        for (auto x = unsigned(r.x0); x < unsigned(r.x1); x += run) {
            uint64_t va = 0, end = 0;
            if (!element(p, x, y, slice, &va, why) || !element(p, x + run - 1, y, slice, &end, why))
                return false;
            if (!memory.read(va, rows + size_t(x - unsigned(r.x0)) * n, size_t(n) * run))
                return refuse(why, "texture at ", hex_text(va_), ": ", memory.fault());
        }
    }
    return true;
}

bool TextureState::read_afbc(Window& memory, const Plane& p, const PixelRect& r, unsigned slice,
                             uint8_t* rows, std::string* why) {
    const bool wide = p.d.afbc_superblock_size == hw::AfbcSuperblockSize::N32x8;
    if (p.d.afbc_superblock_size == hw::AfbcSuperblockSize::N64x4)
        return refuse(why, "AFBC superblocks of 64x4 are not executed");
    const unsigned sw = wide ? 32 : 16, sh = wide ? 8 : 16, n = format().size_B;
    pipe::AfbcLayout layout;
    layout.mode = {.wide = wide, .tiled = p.d.afbc_tiled_header};
    layout.level[0].header_row_stride_B = p.d.row_stride;
    const uint64_t base = p.d.pointer + uint64_t(slice) * uint64_t(int64_t(p.d.slice_stride));
    for (unsigned y = 0; y < kTexelBlock_px; y += sh) {
        const unsigned column = unsigned(r.x0) / sw, row = (unsigned(r.y0) + y) / sh;
        const uint64_t header_va = base + uint64_t(layout.header_index(0, column, row)) * pipe::kAfbcHeader_B;
        uint32_t header[4];
        uint8_t payload[kSuperblockPixels * kMaxPixel_B], block[kSuperblockPixels * kMaxPixel_B];
        if (!memory.read(header_va, header, sizeof(header)))
            return refuse(why, "AFBC header: ", memory.fault());
        const uint32_t size = afbc_payload_B(header, n);
        if (size > sizeof(payload) || (size && !memory.read(base + header[0], payload, size)))
            return refuse(why, "AFBC payload: ", memory.fault());
        if (!afbc_decode(header, {payload, size}, n, wide, block))
            return refuse(why, "AFBC header at ", hex_text(header_va), ": not of this GPU's making");
        const unsigned skip = unsigned(r.x0) % sw;
        for (unsigned i = 0; i < sh; ++i)
            std::memcpy(rows + (y + i) * kTexelBlock_px * n, block + (i * sw + skip) * n,
                        size_t(kTexelBlock_px) * n);
    }
    return true;
}

}  // namespace terrazzo::mali::sim
