// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device that is only memory: resources in linear layout, maps, simple copies. Tests of the code that pipe/
// builds on these use it.
#pragma once

#include <cstring>
#include <vector>

#include "pipe/context.h"
#include "pipe/layout/layout.h"

namespace terrazzo::pipe::fake {

class MemoryResource : public Resource {
  public:
    MemoryResource(const ResourceDesc& d, const SurfaceLayout& l)
        : Resource(d), layout(l), bytes(l.size_B, 0xcd) {}
    const SurfaceLayout layout;
    std::vector<uint8_t> bytes;
    int maps = 0;  // that are open
};

class MemoryScreen : public Screen {
  public:
    bool format_supported(Format, ResourceKind, uint32_t, uint32_t) const override { return true; }
    Ref<Resource> create_resource(const ResourceDesc& desc) override {
        SurfaceLayout layout;
        LayoutDesc wanted = layout_desc_of(desc);
        wanted.row_align_B = 4;
        if (resources_left == 0 || layout_compute(wanted, &layout) != LayoutStatus::Ok) return nullptr;
        --resources_left;
        ++created;
        return Ref<Resource>::adopt(new MemoryResource(desc, layout));
    }
    Ref<SamplerView> create_sampler_view(Ref<Resource>, const SamplerViewDesc&) override { return nullptr; }
    Ref<SamplerState> create_sampler(const SamplerDesc&) override { return nullptr; }
    Ref<RasterState> create_raster(const RasterDesc&) override { return nullptr; }
    Ref<DepthStencilState> create_depth_stencil(const DepthStencilDesc&) override { return nullptr; }
    Ref<BlendState> create_blend(const BlendDesc&) override { return nullptr; }
    Ref<VertexLayout> create_vertex_layout(const VertexLayoutDesc&) override { return nullptr; }
    Ref<Program> create_program(const ProgramDesc&, const Log&) override { return nullptr; }
    std::unique_ptr<Context> create_context(const ContextDesc&) override;
    uint64_t timestamp_ns() const override { return 0; }
    int resources_left = 1000, maps_left = 1000;  // open maps are counted for each context
    int created = 0;
};

class MemoryContext : public Context {
  public:
    using Context::Context;
    Mapping map(Resource& resource, uint32_t level, const Box& box, uint32_t) override {
        auto& r = static_cast<MemoryResource&>(resource);
        Mapping m;
        if (maps_left == 0 || !layout_box_valid(r.layout, level, box)) return m;
        --maps_left;
        ++r.maps;
        m.data = r.bytes.data() +
                 r.layout.block_offset_B(level, uint32_t(box.z), uint32_t(box.x), uint32_t(box.y));
        m.row_stride_B = r.layout.level[level].row_stride_B;
        m.layer_stride_B = r.layout.z_stride_B(level);
        return m;
    }
    void unmap(Resource& resource, const Mapping&) override { --static_cast<MemoryResource&>(resource).maps; }
    void copy_region(Resource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z, Resource& src,
                     uint32_t src_level, const Box& box) override {
        auto &d = static_cast<MemoryResource&>(dst), &s = static_cast<MemoryResource&>(src);
        ++copies;
        const auto format_of = [](const Resource& r) {
            return r.desc.kind == ResourceKind::Buffer ? Format::R8_UINT : r.desc.format;
        };
        const FormatInfo &from = format_info(format_of(src)), &into = format_info(format_of(dst));
        const auto columns = box.width + from.block_w_px - 1, rows = box.height + from.block_h_px - 1;
        // The copy may be between formats with different block sizes. Then the box has another size in
        // pixels, but as many blocks, also where the image's edge cuts a block.
        Box to{x, y, z, box.width, box.height, 1};
        if (from.block_w_px != into.block_w_px || from.block_h_px != into.block_h_px)
            to.width = columns / from.block_w_px * into.block_w_px,
            to.height = rows / from.block_h_px * into.block_h_px;
        // A block of the layout has all samples of its pixels.
        const size_t row_B = size_t(columns / from.block_w_px) * s.layout.block_B,
                     image_B = row_B * size_t(rows / from.block_h_px);
        std::vector<uint8_t> bytes(image_B * size_t(box.depth));  // the boxes may overlap
        for (int32_t k = 0; k < box.depth; ++k) {
            Box part = box;
            part.z += k, part.depth = 1;
            if (!detile_rect(s.layout, s.bytes.data(), src_level, part, &bytes[size_t(k) * image_B],
                             ptrdiff_t(row_B), 0))
                ++bad_copies;
        }
        for (int32_t k = 0; k < box.depth; ++k, ++to.z)
            if (!tile_rect(d.layout, d.bytes.data(), dst_level, to, &bytes[size_t(k) * image_B],
                           ptrdiff_t(row_B), 0))
                ++bad_copies;
    }
    bool try_blit(const BlitInfo&) override { return driver_blits; }

    void bind_raster(RasterState*) override {}
    void bind_depth_stencil(DepthStencilState*) override {}
    void bind_blend(BlendState*) override {}
    void bind_vertex_layout(VertexLayout*) override {}
    void bind_program(Program*) override {}
    void set_viewport(const Viewport&) override {}
    void set_scissor(const Scissor&) override {}
    void set_blend_color(const float[4]) override {}
    void set_stencil_ref(uint8_t, uint8_t) override {}
    void set_sample_mask(float, bool, uint32_t) override {}
    void set_vertex_buffers(std::span<const VertexBuffer>) override {}
    void set_uniforms(Stage, std::span<const uint32_t>) override {}
    void set_constant_buffers(Stage, uint32_t, std::span<const BufferRange>) override {}
    void set_textures(Stage, uint32_t, std::span<SamplerView* const>,
                      std::span<SamplerState* const>) override {}
    void set_storage_buffers(Stage, uint32_t, std::span<const BufferRange>) override {}
    void set_stream_outputs(std::span<const BufferRange>) override {}
    void begin_render_pass(const RenderPassDesc&) override {}
    void end_render_pass() override {}
    void discard_attachments(uint32_t) override {}
    void clear(const ClearInfo&) override {}
    void draw(const DrawInfo&, std::span<const DrawRange>) override {}
    void dispatch(const DispatchInfo&) override {}
    Ref<Query> create_query(QueryKind) override { return nullptr; }
    void begin_query(Query&) override {}
    void end_query(Query&) override {}
    bool query_result(Query&, bool, uint64_t*) override { return false; }
    Ref<Fence> flush() override { return nullptr; }
    void wait_fence(Fence&) override {}

    int maps_left = 1000;
    int copies = 0, bad_copies = 0;
    bool driver_blits = false;
};

inline std::unique_ptr<Context> MemoryScreen::create_context(const ContextDesc&) {
    auto context = std::make_unique<MemoryContext>(*this);
    context->maps_left = maps_left;
    return context;
}

/// An image, with helpers that read and write the pixel at a position.
struct Image {
    Ref<Resource> resource;
    MemoryResource& memory() const { return static_cast<MemoryResource&>(*resource); }
    uint8_t* at(uint32_t x, uint32_t y, uint32_t z = 0, uint32_t level = 0) const {
        return &memory().bytes[memory().layout.block_offset_B(level, z, x, y)];
    }
    template <class T>
    T get(uint32_t x, uint32_t y, uint32_t z = 0, uint32_t level = 0) const {
        T v;
        std::memcpy(&v, at(x, y, z, level), sizeof(T));
        return v;
    }
    template <class T>
    void put(T v, uint32_t x, uint32_t y, uint32_t z = 0, uint32_t level = 0) const {
        std::memcpy(at(x, y, z, level), &v, sizeof(T));
    }
};

}  // namespace terrazzo::pipe::fake
