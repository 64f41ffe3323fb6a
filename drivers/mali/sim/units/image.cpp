// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images and attributes that shaders access in place: LD_TEX, LEA_TEX, LEA_ATTR, ST_CVT. Sources: Mesa
// 25.0.7, compiler/bifrost_compile.c (va_emit_image_coord, bi_emit_image_load, bi_emit_image_store). The
// first source is x, or x and y as halves; the second one is the slice as the low half, and the layer as the
// high half; with several samples the low half is the sample. An address comes with a conversion: the
// descriptor's format.
#include "drivers/common/units/image.h"
#include "drivers/common/core/stored_range.h"
#include "drivers/mali/sim/units/shader_units.h"

namespace terrazzo::mali::sim {

namespace {

using isa::Op;

// Level 0 of a texture. The last coordinate is the slice, or the sample of a layer: layer * samples + sample.
class TextureImage final : public units::Image {
  public:
    TextureImage(Window& memory, TextureState& texture) : memory_(memory), texture_(texture) {
        const units::TextureView& v = texture.view();
        decoder_.format = texture.decoder().format;
        std::copy_n(texture.decoder().swizzle, 4, decoder_.swizzle);
        size_[0] = v.width_px(0);
        size_[1] = v.height_px(0);
        size_[2] = v.is_3d() ? v.depth_px(0) : v.shape.layers * v.samples;
    }
    /// False: an address that could not be found, and why.
    [[nodiscard]] bool good(std::string* why) const { return why_.empty() || refuse(why, why_); }

  private:
    bool address(const uint32_t at[3], uint64_t* va) override {
        const units::TextureView& v = texture_.view();
        const uint32_t layer = v.is_3d() ? at[2] : at[2] / v.samples,
                       sample = v.is_3d() ? 0 : at[2] % v.samples;
        return texture_.texel_address(memory_, {0, layer, sample}, at[0], at[1], va, &why_);
    }
    bool access(Window&, const uint32_t*, uint32_t*, bool, std::string* why) override {
        return refuse(why, why_);
    }
    Window& memory_;
    TextureState& texture_;
    std::string why_;
};

// The coordinates of the lanes. A texel that does not exist is beyond the size.
void find_texels(const TextureState& t, const MessageIn& m, U32 at[3]) {
    const units::TextureView& v = t.view();
    const U32 xy = m.low(0), zw = m.low(1);
    const bool is_1d = t.d.dimension == hw::TextureDimension::D1;
    at[0] = is_1d ? xy : xy & 0xffff;
    at[1] = is_1d ? U32{} : xy >> 16;
    const U32 slice = zw & 0xffff, layer = zw >> 16;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        const bool in =
            v.is_3d() ? layer[lane] == 0 : slice[lane] < v.samples && layer[lane] < v.shape.layers;
        at[2][lane] = !in ? ~0u : v.is_3d() ? slice[lane] : layer[lane] * v.samples + slice[lane];
    }
}

// The conversion of stores to an address: the memory's format. Registers have the instruction's.
uint32_t conversion_to(uint32_t pixel_format) {
    hw::InternalConversion c;
    c.memory_format = pixel_format;
    uint32_t word = 0;
    hw::pack(c, &word);
    return word;
}

void put_place(U32* out, unsigned lane, uint64_t va, uint32_t conversion) {
    out[0][lane] = uint32_t(va);
    out[1][lane] = uint32_t(va >> 32);
    out[2][lane] = conversion;
}

}  // namespace

bool ShaderUnits::image(Stage& stage, const MessageIn& m, Handle h, bool loads, U32* out, std::string* why) {
    TextureState* const t =
        textures_.find_texture(m.memory, stage.shader->resources, h, Decoding::Texture, why);
    if (!t) return false;
    TextureImage texels(m.memory, *t);
    U32 at[3];
    find_texels(*t, m, at);
    if (loads) {
        U32 v[4];
        if (!texels.read_lanes(m.memory, m.active, at, v, why)) return false;
        const unsigned count = unsigned(m.instr.vector_size()) + 1;
        each_lane(m.active, [&](unsigned lane) {
            const uint32_t bits[4] = {v[0][lane], v[1][lane], v[2][lane], v[3][lane]};
            put_components(m.instr.register_format(), texels.kind(), bits, count, out, lane);
        });
        return true;
    }
    const uint32_t conversion = conversion_to(t->d.format);
    each_lane(m.active, [&](unsigned lane) {
        const uint32_t place[3] = {at[0][lane], at[1][lane], at[2][lane]};
        uint64_t va = 0;
        put_place(out, lane, texels.find(place, &va) ? va : 0, conversion);
    });
    return texels.good(why);
}

bool ShaderUnits::attribute_address(Stage& stage, const MessageIn& m, Handle h, U32* out, std::string* why) {
    const AttributeState* a = find_attribute(m.memory, stage.shader->resources, h, why);
    if (!a) return false;
    const U32 vertex = m.low(0), instance = m.low(1);
    each_lane(m.active, [&](unsigned lane) {
        uint64_t va = 0;
        const bool in = a->find(a->index_of(vertex[lane], instance[lane], stage.attribute_offset), &va);
        put_place(out, lane, in ? va : 0, conversion_to(a->d.format));
    });
    return true;
}

bool ShaderUnits::store_converted(Warp& warp, const MessageIn& m, std::string* why) {
    const auto offset = uint64_t(int64_t(m.instr.immediate(isa::Imm::kOffset)));
    const units::ColorRegisters values = registers_of(m.in, m.in_count, m.instr.register_format());
    const U32 number[4] = {values.number(0, 0), values.number(1, 0), values.number(2, 0),
                           values.number(3, 0)};
    core::StoredRange stored(m.memory.space(), core::StoredRange::Joins::Page);
    uint32_t word = 0;
    FormatReader format;
    for (uint32_t left = m.active; left; left &= left - 1) {
        const auto lane = unsigned(std::countr_zero(left));
        const uint64_t va = uint64_t(m.high(0)[lane]) << 32 | m.low(0)[lane];
        if (!va) continue;
        if (!format || m.low(1)[lane] != word) {
            word = m.low(1)[lane];
            hw::InternalConversion c;
            if (!hw::unpack(&word, &c) || c.raw || !(format = memory_format(c.memory_format)))
                return refuse(why, "no conversion of a store: ", hex_text(word));
        }
        uint8_t texel[units::Image::kMaxTexel_B] = {};
        const uint32_t bits[4] = {number[0][lane], number[1][lane], number[2][lane], number[3][lane]};
        format.write(bits, texel);
        if (!m.memory.write(va + offset, texel, format.size_B))
            return refuse(why, "texel of lane ", lane, ": ", m.memory.fault());
        if (warp.tells_stores) stored.add(va + offset, format.size_B);
    }
    return true;
}

}  // namespace terrazzo::mali::sim
