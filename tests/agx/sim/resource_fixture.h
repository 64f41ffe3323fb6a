// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images with random pixels, their descriptors as Mesa packs them, and a group of threads that accesses them.
#pragma once

#include <random>

#include "drivers/agx/hw/formats.h"
#include "drivers/agx/sim/core/core.h"
#include "drivers/agx/sim/resources/resource_units.h"
#include "tests/agx/sim/gpu_fixture.h"

namespace terrazzo::tests::agx {

namespace sim = terrazzo::agx::sim;

/// An image in memory, and the same pixels in rows.
struct StoredPixels {
    pipe::AgxLayoutDesc desc;
    pipe::AgxLayout layout;
    uint64_t va = 0;
    std::vector<std::vector<uint8_t>> images;  // of each level, and of each layer or slice of it

    /// False: there is no such layout.
    bool create(GpuMemory& memory, const pipe::AgxLayoutDesc& d, uint32_t seed = 1) {
        desc = d;
        if (pipe::agx_layout_compute(d, &layout) != pipe::LayoutStatus::Ok) return false;
        va = memory.allocate(layout.surface.size_B, 16384);
        std::mt19937 random(seed);
        images.assign(size_t(d.image.levels) * depth(), {});
        for (uint32_t l = 0; l < d.image.levels; ++l)
            for (uint32_t z = 0; z < layout.surface.z_count(l); ++z) {
                std::vector<uint8_t>& rows = images[l * depth() + z];
                rows.resize(row_B(l) * ((height(l) - 1) / pipe::format_info(d.image.format).block_h_px + 1));
                for (uint8_t& b : rows)
                    b = uint8_t(random());
                REQUIRE(pipe::tile_rect(layout.surface, memory.at(va), l, box(l, z), rows.data(),
                                        ptrdiff_t(row_B(l)), 0));
            }
        return true;
    }
    /// Reads the rows back.
    void read(GpuMemory& memory) {
        for (uint32_t l = 0; l < desc.image.levels; ++l)
            for (uint32_t z = 0; z < layout.surface.z_count(l); ++z)
                REQUIRE(pipe::detile_rect(layout.surface, memory.at(va), l, box(l, z),
                                          images[l * depth() + z].data(), ptrdiff_t(row_B(l)), 0));
    }
    uint32_t depth() const {
        return desc.image.kind == pipe::ResourceKind::Tex3D ? desc.image.depth : desc.image.layers;
    }
    uint32_t width(uint32_t l) const { return std::max(1u, desc.image.width >> l); }
    uint32_t height(uint32_t l) const { return std::max(1u, desc.image.height >> l); }
    size_t row_B(uint32_t l) const {
        return size_t(pipe::format_row_B(desc.image.format, width(l))) * desc.image.samples;
    }
    pipe::Box box(uint32_t l, uint32_t z) const {
        return {0, 0, int32_t(z), int32_t(width(l)), int32_t(height(l)), 1};
    }
    /// The pixel's bytes, or those of its block.
    uint8_t* at(uint32_t l, uint32_t z, uint32_t x, uint32_t y, uint32_t sample = 0) {
        const pipe::FormatInfo& f = pipe::format_info(desc.image.format);
        return images[l * depth() + z].data() + y / f.block_h_px * row_B(l) +
               (x / f.block_w_px * desc.image.samples + sample) * f.block_B;
    }
    /// pipe's numbers of a pixel.
    void number(uint32_t l, uint32_t z, uint32_t x, uint32_t y, uint32_t sample, uint32_t out[4]) {
        const units::FormatReader reader = units::format_reader(desc.image.format);
        if (!reader.is_compressed()) return reader.read(at(l, z, x, y, sample), out);
        float block[12 * 12 * 4];
        reader.ops->decode_block(block, at(l, z, x, y));
        for (unsigned c = 0; c < 4; ++c)
            out[c] = std::bit_cast<uint32_t>(
                block[(y % reader.block_h_px * reader.block_w_px + x % reader.block_w_px) * 4 + c]);
    }
};

inline hw::TextureDimension dimension_of(const pipe::LayoutDesc& d) {
    using D = hw::TextureDimension;
    const bool array = d.kind == pipe::ResourceKind::Tex2DArray;
    if (d.samples > 1) return array ? D::N2dArrayMultisampled : D::N2dMultisampled;
    return d.kind == pipe::ResourceKind::Tex3D ? D::N3d : array ? D::N2dArray : D::N2d;
}

/// The descriptor for a view whose components are those of the format.
inline hw::Texture describe(const StoredPixels& p) {
    const pipe::LayoutDesc& i = p.desc.image;
    const pipe::FormatInfo& f = pipe::format_info(i.format);
    const auto numbers = terrazzo::agx::hw::pixel_format(i.format);
    REQUIRE(numbers);
    hw::Texture d;
    d.dimension = dimension_of(i);
    d.channels = numbers->channels, d.type = numbers->type;
    const auto channel = [&](unsigned c) {
        const pipe::Swizzle depth[4] = {pipe::Swizzle::Channel0, pipe::Swizzle::Zero, pipe::Swizzle::Zero,
                                        pipe::Swizzle::One};
        const pipe::Swizzle s = f.is_depth_stencil() ? depth[c] : f.swizzle[c];
        return s == pipe::Swizzle::Zero  ? hw::Channel::Zero
               : s == pipe::Swizzle::One ? hw::Channel::One
                                         : hw::Channel(unsigned(s) - unsigned(pipe::Swizzle::Channel0));
    };
    d.swizzle_r = channel(0), d.swizzle_g = channel(1), d.swizzle_b = channel(2), d.swizzle_a = channel(3);
    d.width = i.width, d.height = i.height;
    d.srgb = f.is_srgb;
    d.last_level = i.levels - 1;
    d.mipmapped = i.levels > 1;
    d.samples = i.samples == 4 ? hw::SampleCount::N4 : hw::SampleCount::N2;
    d.address = p.va;
    if (i.tiling == pipe::Tiling::Linear) {
        d.layout = hw::Layout::Linear;
        d.stride = p.layout.surface.level[0].row_stride_B - 16;
        if (i.layers > 1) {
            d.extended = true;
            d.depth_linear = i.layers;
            d.layer_stride = p.layout.surface.layer_stride_B - 128;
        }
    } else {
        d.layout = hw::Layout::Twiddled;
        d.depth = p.depth();
        d.page_aligned_layers = p.layout.page_aligned_layers;
    }
    return d;
}

/// The descriptor of the image that programs write.
inline hw::Pbe describe_stored(const StoredPixels& p, uint32_t level) {
    const pipe::LayoutDesc& i = p.desc.image;
    const pipe::FormatInfo& f = pipe::format_info(i.format);
    const auto numbers = terrazzo::agx::hw::pixel_format(i.format);
    REQUIRE(numbers);
    hw::Pbe d;
    d.dimension = dimension_of(i);
    d.channels = numbers->channels, d.type = numbers->type;
    hw::StoredChannel* const stored[4] = {&d.swizzle_r, &d.swizzle_g, &d.swizzle_b, &d.swizzle_a};
    for (unsigned c = 4; c-- > 0;)
        if (f.swizzle[c] <= pipe::Swizzle::Channel3) *stored[unsigned(f.swizzle[c])] = hw::StoredChannel(c);
    d.width = i.width, d.height = i.height;
    d.srgb = f.is_srgb;
    d.level = level;
    d.samples = i.samples == 4 ? hw::SampleCount::N4 : hw::SampleCount::N2;
    d.mipmapped = i.levels > 1;
    d.address = p.va;
    if (i.tiling == pipe::Tiling::Linear) {
        d.layout = hw::Layout::Linear;
        d.stride = p.layout.surface.level[0].row_stride_B - 4;
        if (i.layers > 1) {
            d.extended = true;
            d.depth_linear = i.layers;
            d.layer_stride = p.layout.surface.layer_stride_B - 128;
        }
    } else {
        d.layout = hw::Layout::Twiddled;
        d.levels = i.levels;
        d.layers = p.depth();
        d.page_aligned_layers = p.layout.page_aligned_layers;
    }
    return d;
}

/// 32 threads with one bound descriptor each of textures (or images) and samplers.
struct Threads {
    explicit Threads(bool has_quads = false) : resources(has_quads), core(memory.space(), resources) {
        begin();
    }
    explicit Threads(sim::Units& units) : core(memory.space(), units) { begin(); }
    void begin() {
        group.threads = ~0u;
        group.uniforms = &uniforms;
        group.bindings = &bindings;
    }
    template <class T>
    void bind(const T& d) {
        bindings.textures = {{0, 1, Words().add(d).put(memory)}};
    }
    void bind_sampler(const hw::Sampler& s, const hw::Border* border = nullptr) {
        Words words;
        words.add(s);
        if (border) words.add(*border);
        bindings.samplers = {{0, 1, words.put(memory)}};
        bindings.extended_samplers = border != nullptr;
    }
    void set(unsigned reg, unsigned thread, uint32_t v) { wave::put_at(group.r[reg], thread, v); }
    void set(unsigned reg, unsigned thread, float v) { set(reg, thread, std::bit_cast<uint32_t>(v)); }
    uint32_t get(unsigned reg, unsigned thread) const { return wave::at(group.r[reg], thread); }
    /// The fault's text, or "". r0 becomes 0.
    std::string run(const std::string& text) {
        for (unsigned t = 0; t < sim::kThreads; ++t)
            set(0, t, 0u);
        core.start(group, memory.code(text + "wait 0\nstop\n"));
        sim::CoreFault fault;
        return core.run(group, &fault) == sim::Outcome::Fault ? core::to_string(fault, 0) : "";
    }

    GpuMemory memory;
    sim::ResourceUnits resources;
    sim::Core core;
    sim::SimdGroup group;
    sim::Uniforms uniforms;
    sim::Bindings bindings;
    std::mt19937 random{7};
};

}  // namespace terrazzo::tests::agx
