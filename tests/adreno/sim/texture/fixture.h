// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A machine with memory, images of pipe/layout in it, and their descriptors with freedreno's values (Mesa
// 25.0.7, src/freedreno/fdl/fd6_view.c).
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/sim/texture/shader_units.h"
#include "pipe/layout/a6xx.h"
#include "tests/adreno/sim/surface/array_space.h"

namespace terrazzo::adreno::test {

struct TestHost : sim::Host {
    ArraySpace memory;
    window::Space& space() override { return memory; }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return false; }
};

inline const hw::Chip& chip() {
    return *hw::find_chip("adreno-630");
}
inline pipe::A6xxMemory chip_memory() {
    return {uint8_t(chip().highest_bank_bit), uint8_t(chip().ubwc_swizzle), chip().macrotile_mode != 0,
            false};
}

/// An image with random bytes as its pixels.
struct TestImage {
    pipe::A6xxLayoutDesc desc;
    pipe::A6xxLayout layout;
    uint64_t va = 0;
    std::vector<std::vector<uint8_t>> pixels;  // for each level all slices or layers, rows without gaps

    uint32_t levels() const { return layout.surface.levels; }
    uint32_t size(uint32_t s, uint32_t level) const { return std::max(1u, s >> level); }
    uint32_t row_B(uint32_t level) const {
        const uint32_t bw = layout.surface.block_w_px;
        return (size(desc.image.width, level) + bw - 1) / bw * layout.surface.block_B;
    }
    uint32_t slice_B(uint32_t level) const { return row_B(level) * layout.surface.level[level].rows; }
    /// The bytes of the pixel or block at the position.
    const uint8_t* at(uint32_t level, uint32_t x_el, uint32_t y_el, uint32_t z) const {
        return pixels[level].data() + size_t(z) * slice_B(level) + size_t(y_el) * row_B(level) +
               size_t(x_el) * layout.surface.block_B;
    }
};

inline void swizzle_of(pipe::Format format, hw::TexConst* d) {
    using S = hw::TexSwiz;
    const pipe::FormatInfo& info = pipe::format_info(format);
    S s[4] = {S::A6XX_TEX_X, S::A6XX_TEX_Y, S::A6XX_TEX_Z, S::A6XX_TEX_W};
    const std::string name = info.name;
    if (name.starts_with("L") && info.has_alpha) {
        s[1] = s[2] = S::A6XX_TEX_X;
        s[3] = S::A6XX_TEX_Y;
    } else if (name.starts_with("L")) {
        s[1] = s[2] = S::A6XX_TEX_X;
        s[3] = S::A6XX_TEX_ONE;
    } else if (name.starts_with("A16_") || name.starts_with("A32_")) {
        s[3] = S::A6XX_TEX_X;
        s[0] = s[1] = s[2] = S::A6XX_TEX_ZERO;
    } else if (!info.has_alpha) {
        s[3] = S::A6XX_TEX_ONE;
    }
    d->swiz_x = s[0], d->swiz_y = s[1], d->swiz_z = s[2], d->swiz_w = s[3];
}

inline hw::TexConst describe(const TestImage& image, uint32_t base_level = 0) {
    const pipe::LayoutDesc& i = image.desc.image;
    const pipe::LevelLayout& level = image.layout.surface.level[base_level];
    const hw::TileMode mode =
        level.tiling == pipe::Tiling::Linear ? hw::TileMode::TILE6_LINEAR : hw::TileMode::TILE6_3;
    const hw::FormatRow& row = *hw::format_row(i.format);
    hw::TexConst d;
    d.tile_mode = mode;
    d.srgb = pipe::format_info(i.format).is_srgb;
    swizzle_of(i.format, &d);
    d.miplvls = image.levels() - 1 - base_level;
    d.samples = hw::MsaaSamples(std::countr_zero(i.samples));
    d.fmt = row.texture_format(mode);
    d.swap = row.texture_swap(mode);
    d.width = level.width;
    d.height = level.height;
    d.pitchalign = uint32_t(std::countr_zero(image.layout.row_align_B)) - 6;
    d.pitch = level.row_stride_B;
    const bool is_3d = i.kind == pipe::ResourceKind::Tex3D;
    const bool cube = i.kind == pipe::ResourceKind::Cube || i.kind == pipe::ResourceKind::CubeArray;
    d.type = is_3d ? hw::TexType::A6XX_TEX_3D : cube ? hw::TexType::A6XX_TEX_CUBE : hw::TexType::A6XX_TEX_2D;
    d.array_pitch = is_3d ? level.slice_stride_B : image.layout.surface.layer_stride_B;
    d.depth = is_3d ? level.depth : cube ? i.layers / 6 : i.layers;
    if (is_3d) d.min_layersz = image.layout.min_slice_B();
    const bool ubwc = image.layout.ubwc.enabled;
    d.tile_all = image.desc.tile_all_levels || pipe::format_info(i.format).is_depth_stencil() || ubwc;
    d.base = image.va + level.offset_B;
    d.flag = ubwc;
    if (ubwc) {
        const pipe::UbwcBlockShape block = image.layout.ubwc.block;
        const auto log2 = [](uint32_t size, uint32_t by) {
            return uint32_t(std::countr_zero(std::bit_ceil((size + by - 1) / by)));
        };
        d.flag_base = image.va + image.layout.ubwc.level[base_level].offset_B;
        d.flag_buffer_array_pitch = uint32_t(image.layout.ubwc.layer_stride_B >> 2);
        d.flag_buffer_pitch = image.layout.ubwc.level[base_level].row_stride_B;
        d.flag_buffer_logw = log2(level.width, block.w_px);
        d.flag_buffer_logh = log2(level.height, block.h_px);
    }
    return d;
}

struct Fixture {
    TestHost host;
    sim::Machine machine{chip(), host, 1};
    sim::ShaderUnits units{machine};
    sim::Wave wave;
    std::string why;
    uint64_t next_va = 0x100000000ull;
    std::mt19937 random{1};

    Fixture() {
        wave.groups = 4;
        wave.lanes = sim::LaneMask::first(64);
        units.set_stage(sim::Stage::Fragment);
    }
    uint8_t* map(uint64_t size_B, uint64_t* va) {
        *va = next_va;
        next_va += (size_B + 0xffff) / 0x10000 * 0x10000 + 0x10000;
        return host.memory.map(*va, size_B);
    }
    /// Returns false if pipe/layout has no such image.
    bool create(const pipe::A6xxLayoutDesc& desc, TestImage* image) {
        image->desc = desc;
        if (pipe::a6xx_layout_compute(desc, chip_memory(), &image->layout) != pipe::LayoutStatus::Ok)
            return false;
        if (image->layout.ubwc.enabled != desc.ubwc) return false;
        uint8_t* memory = map(image->layout.surface.size_B, &image->va);
        image->pixels.clear();
        for (uint32_t l = 0; l < image->levels(); ++l) {
            const uint32_t zs = image->layout.surface.z_count(l);
            std::vector<uint8_t>& p = image->pixels.emplace_back(size_t(image->slice_B(l)) * zs);
            for (uint8_t& b : p)
                b = uint8_t(random());
            const pipe::LevelLayout& level = image->layout.surface.level[l];
            const pipe::Box box{0, 0, 0, int32_t(level.width), int32_t(level.height), int32_t(zs)};
            if (!pipe::ubwc_tile_rect(image->layout, memory, l, box, p.data(), ptrdiff_t(image->row_B(l)),
                                      ptrdiff_t(image->slice_B(l))))
                return false;
        }
        return true;
    }
    void load_texture(const hw::TexConst& d) {
        hw::TexConst kept;
        uint32_t words[hw::TexConst::kSize_dw] = {};
        hw::pack(d, words);
        REQUIRE(hw::unpack(words, &kept));
        REQUIRE(kept.min_layersz == d.min_layersz);  // a value that does not fit would change its neighbours
        load(d, &machine.stages[unsigned(sim::Stage::Fragment)].textures);
    }
    void load_image(const hw::TexConst& d) {
        load(d, &machine.stages[unsigned(sim::Stage::Fragment)].images);
    }
    void load_sampler(const hw::TexSamp& d) {
        load(d, &machine.stages[unsigned(sim::Stage::Fragment)].samplers);
    }
    void load_uniform_buffer(const hw::Ubo& d) {
        load(d, &machine.stages[unsigned(sim::Stage::Fragment)].uniform_buffers);
    }
    template <class Descriptor>
    void load(const Descriptor& d, std::vector<uint32_t>* words) {
        words->assign(Descriptor::kSize_dw, 0);
        hw::pack(d, words->data());
        ++machine.stages[unsigned(sim::Stage::Fragment)].serial;
        units.set_stage(sim::Stage::Fragment);
    }
    sim::UnitCall call(const isa::Instr& instr) {
        sim::UnitCall c(instr, wave, wave.lanes, machine.memory);
        for (auto& word : c.in)
            std::fill_n(word, sim::kMaxGroups, sim::U32{});
        return c;
    }
};

inline void set(sim::U32* groups, unsigned lane, uint32_t v) {
    groups[lane / sim::kGroupLanes][lane % sim::kGroupLanes] = v;
}
inline void set(sim::U32* groups, unsigned lane, float v) {
    set(groups, lane, std::bit_cast<uint32_t>(v));
}
inline uint32_t get(const sim::U32* groups, unsigned lane) {
    return groups[lane / sim::kGroupLanes][lane % sim::kGroupLanes];
}

inline isa::Instr instruction(const char* text) {
    isa::Instr instr;
    isa::Error error;
    if (!isa::assemble_line(text, &instr, &error)) std::abort();
    return instr;
}

}  // namespace terrazzo::adreno::test
