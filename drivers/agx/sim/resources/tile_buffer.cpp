// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/resources/tile_buffer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/agx/hw/formats.h"
#include "drivers/agx/sim/core/memory_format.h"
#include "drivers/agx/sim/resources/resource_units.h"
#include "drivers/agx/sim/resources/stored_image.h"

namespace terrazzo::agx::sim {

using isa::OperandKind;
using pipe::raster::PixelRect;

namespace {

constexpr size_t kMost_B = 32768;

int32_t width_of(hw::SharedLayout l) {
    return l == hw::SharedLayout::N16x16 ? 16 : l == hw::SharedLayout::VertexCompute ? 0 : 32;
}
int32_t height_of(hw::SharedLayout l) {
    return l == hw::SharedLayout::N32x32 ? 32 : l == hw::SharedLayout::VertexCompute ? 0 : 16;
}

}  // namespace

bool TileBuffer::begin(const hw::UscShared& shape, const PixelRect& tile, std::string* why) {
    const int32_t width = width_of(shape.layout), height = height_of(shape.layout);
    if (tile.x1 - tile.x0 != width || tile.y1 - tile.y0 != height)
        return refuse(why, "the program has tiles of ", width, "x", height, ", the command of ",
                      tile.x1 - tile.x0, "x", tile.y1 - tile.y0);
    tile_ = tile;
    samples_ = shape.sample_count;
    sample_B_ = shape.sample_stride * 8;
    const size_t size_B = size_t(width) * size_t(height) * samples_ * sample_B_;
    if (size_B > kMost_B) return refuse(why, "a tile of ", size_B, " bytes");
    memory_.assign(size_B, 0);
    return true;
}

bool TileBuffer::access(UnitCall& call, std::string* why) {
    const isa::Instr& i = call.instr;
    const bool stores = i.op == isa::Op::kStTile;
    const unsigned samples_at = stores ? 1 : 0;
    const isa::Operand& data = stores ? i.src[0] : i.dest;
    const std::optional<MemoryFormat> f = memory_format(i.format());
    if (!f) return refuse(why, "this format of the tilebuffer is not modelled");
    const auto mask = unsigned(i.mask());
    if (i.offset() + f->size_B(unsigned(std::bit_width(mask))) > sample_B_)
        return refuse(why, "bytes from ", i.offset(), " on, of a sample that has ", sample_B_);
    const bool explicit_place = i.src[samples_at + 1].kind == OperandKind::kRegister;
    for (uint32_t left = call.active; left; left &= left - 1) {
        const auto t = unsigned(std::countr_zero(left));
        uint32_t samples = wave::at(call.in[samples_at][0], t) & ((1u << samples_) - 1);
        auto x = int32_t(wave::at(call.group.special.in_grid[0], t)),
             y = int32_t(wave::at(call.group.special.in_grid[1], t));
        if (explicit_place) {
            x = tile_.x0 + int32_t(wave::at(call.in[samples_at + 1][0], t) & 0xffff);
            y = tile_.y0 + int32_t(wave::at(call.in[samples_at + 1][1], t) & 0xffff);
        }
        // Helpers may lie outside: they load zeros.
        if (!samples || !tile_.contains(x, y)) continue;
        uint32_t words[4] = {};
        if (stores) {
            for (unsigned n = 0; n < data.count && n < 4; ++n)
                words[n] = wave::at(call.in[0][n], t);
            for (; samples; samples &= samples - 1)
                store_pixel(*f, mask, data.size, words,
                            at(x, y) + unsigned(std::countr_zero(samples)) * sample_B_ + i.offset());
            continue;
        }
        load_pixel(*f, mask, data.size,
                   at(x, y) + unsigned(std::countr_zero(samples)) * sample_B_ + i.offset(), words);
        for (unsigned c = 0; c < 4; ++c)
            wave::put_at(call.out[c], t, words[c]);
    }
    return true;
}

// Sources: the offset in a sample, coordinates, a number, the bindless base, the image. Without explicit
// coordinates, they have the layer: the first half, or the second one of multisampled images.
bool TileBuffer::store_block(UnitCall& call, const PixelRect& bounds, std::string* why) {
    if (!call.active) return true;
    const isa::Instr& i = call.instr;
    const unsigned thread = wave::lowest(call.active);
    if (i.explicit_coordinates()) return refuse(why, "explicit coordinates of blocks are not modelled");
    uint64_t va = 0;
    if (!find_texture(call, 3, 4, thread, &va, why)) return false;
    uint32_t words[hw::Pbe::kSize_dw];
    hw::Pbe d;
    if (!call.memory.read(va, words, sizeof words)) return refuse(why, "image: ", call.memory.fault());
    if (!unpack(words, &d))
        return refuse(why, "the image at ", host::hex_text(va), " has bits without a meaning");
    const unsigned samples = samples_of(d.dimension, d.samples);
    const bool many = samples > 1;
    if (samples != samples_)
        return refuse(why, "a tile with ", samples_, " samples and an image with ", samples);
    const std::optional<MemoryFormat> f = memory_format(i.format());
    if (!f) return refuse(why, "this format of the tilebuffer is not modelled");
    units::FormatReader reader;
    StoredImage image;
    if (d.layout == hw::Layout::Null) return true;
    if (d.dimension == hw::TextureDimension::N1d || d.dimension == hw::TextureDimension::N1dArray ||
        d.dimension == hw::TextureDimension::N3d)
        return refuse(why, "blocks are stored to 2D images only");
    if (!open_image(d, false, &reader, &image, why)) return false;  // the tilebuffer's bits are sRGB already
    const unsigned layer = is_array(d.dimension) ? wave::at(call.in[1][many ? 1 : 0], thread) & 0xffff : 0;
    const unsigned level = d.layout == hw::Layout::Linear ? 0 : d.level;
    if (level >= image.layout().levels || layer >= image.layout().layers) return true;
    const pipe::LevelLayout& size = image.layout().level[level];
    const PixelRect r = intersect(bounds, {0, 0, int32_t(size.width), int32_t(size.height)});
    if (r.empty()) return true;
    const pipe::FormatInfo& info = pipe::format_info(reader.format);
    const unsigned count = std::max<unsigned>(info.channel_count, 1),
                   offset = wave::at(call.in[0][0], thread) & 0xffff;
    const uint8_t source[4] = {uint8_t(d.swizzle_r), uint8_t(d.swizzle_g), uint8_t(d.swizzle_b),
                               uint8_t(d.swizzle_a)};
    // Memory gets the tilebuffer's bits if it has components of the same size, otherwise their numbers.
    const bool is_plain = info.layout == pipe::FormatLayout::Plain && info.channel[0].bits % 8 == 0;
    const bool copies = f->component_B && is_plain && f->component_B == info.block_B / count;
    constexpr uint8_t kInOrder[4] = {0, 1, 2, 3};
    const bool is_same =
        !f->component_B && f->reader.format == reader.format && std::equal(source, source + count, kInOrder);
    // Components that are stored, up to the last one.
    const unsigned used = !f->component_B ? 1 : 1u + *std::max_element(source, source + count);
    if (offset + f->size_B(used) > sample_B_)
        return refuse(why, "bytes from ", offset, " on, of a sample that has ", sample_B_);
    // Halves are numbers of images that are not integers, although the instruction's format says i16: so Mesa
    // stores formats of less than 16 bits a channel.
    const bool has_halves = i.format() == isa::Format::kI16 && reader.kind == units::NumberKind::Float;
    const bool has_integers = !f->is_number && reader.kind != units::NumberKind::Float;
    if (!copies && !f->is_number && !has_halves && !has_integers)
        return refuse(why, "components of another size than the image's");
    const std::optional<MemoryFormat> numbers = has_halves ? memory_format(isa::Format::kF16) : f;
    const size_t row_B = size_t(r.x1 - r.x0) * samples * info.block_B;
    std::vector<uint8_t> rows(row_B * size_t(r.y1 - r.y0));
    uint8_t* to = rows.data();
    for (int32_t y = r.y0; y < r.y1; ++y)
        for (int32_t x = r.x0; x < r.x1; ++x)
            for (unsigned s = 0; s < samples; ++s, to += info.block_B) {
                const uint8_t* const from = at(x, y) + s * sample_B_ + offset;
                if (is_same) {
                    std::memcpy(to, from, info.block_B);
                } else if (copies) {
                    for (unsigned c = 0; c < count; ++c)
                        std::memcpy(to + c * f->component_B, from + source[c] * f->component_B,
                                    f->component_B);
                } else {
                    uint32_t v[4] = {}, ordered[4];
                    load_pixel(*numbers, (1u << used) - 1, 32, from, v);
                    for (unsigned c = 0; c < 4; ++c)
                        ordered[c] = v[source[c]];
                    reader.write(ordered, to);
                }
            }
    return image.store(call.memory, level, layer, r, rows.data(), row_B, why);
}

}  // namespace terrazzo::agx::sim
