// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device that renders nothing and records everything: the state tracker's tests check which pipe calls a GL
// command made, and their arguments. Resources have real memory (tight linear levels), so that uploads,
// copies and read-backs can be checked. It is strict: calls that pipe/context.h forbids are counted in
// FakeContext::violations with a text.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "pipe/context.h"
#include "pipe/counters.h"
#include "pipe/format.h"
#include "pipe/screen.h"
#include "pipe/state.h"

namespace terrazzo::fake {

inline uint32_t minify(uint32_t size, uint32_t level) {
    return size >> level ? size >> level : 1;
}

class FakeResource final : public pipe::Resource {
  public:
    explicit FakeResource(const pipe::ResourceDesc& d) : Resource(d) {
        uint64_t total = 0;
        for (uint32_t l = 0; l < d.levels; ++l) {
            level_offset_B.push_back(total);
            total += layer_B(l) * layers(l);
        }
        bytes.resize(total);
    }
    uint32_t width(uint32_t l) const { return minify(desc.width, l); }
    uint32_t height(uint32_t l) const {
        return desc.kind == pipe::ResourceKind::Buffer ? 1 : minify(desc.height, l);
    }
    uint32_t layers(uint32_t l) const {
        return desc.kind == pipe::ResourceKind::Tex3D ? minify(desc.depth, l) : desc.layers;
    }
    uint64_t row_B(uint32_t l) const {
        return desc.kind == pipe::ResourceKind::Buffer
                   ? desc.width
                   : pipe::format_row_B(desc.format, width(l)) * desc.samples;
    }
    uint64_t layer_B(uint32_t l) const {
        return row_B(l) * (desc.kind == pipe::ResourceKind::Buffer
                               ? 1
                               : pipe::format_block_rows(desc.format, height(l)));
    }
    /// The first byte of the block that holds the pixel.
    uint8_t* at(uint32_t l, int32_t x, int32_t y, int32_t z) {
        uint64_t offset = level_offset_B[l] + layer_B(l) * uint64_t(z);
        if (desc.kind == pipe::ResourceKind::Buffer) return bytes.data() + offset + x;
        const pipe::FormatInfo& f = pipe::format_info(desc.format);
        return bytes.data() + offset + row_B(l) * uint64_t(y / f.block_h_px) +
               uint64_t(x / f.block_w_px) * f.block_B;
    }
    std::vector<uint64_t> level_offset_B;
    std::vector<uint8_t> bytes;
};

class FakeSampler final : public pipe::SamplerState {
  public:
    explicit FakeSampler(const pipe::SamplerDesc& d) : desc(d) {}
    const pipe::SamplerDesc desc;
};
class FakeRaster final : public pipe::RasterState {
  public:
    explicit FakeRaster(const pipe::RasterDesc& d) : desc(d) {}
    const pipe::RasterDesc desc;
};
class FakeDepthStencil final : public pipe::DepthStencilState {
  public:
    explicit FakeDepthStencil(const pipe::DepthStencilDesc& d) : desc(d) {}
    const pipe::DepthStencilDesc desc;
};
class FakeBlend final : public pipe::BlendState {
  public:
    explicit FakeBlend(const pipe::BlendDesc& d) : desc(d) {}
    const pipe::BlendDesc desc;
};
class FakeVertexLayout final : public pipe::VertexLayout {
  public:
    explicit FakeVertexLayout(const pipe::VertexLayoutDesc& d) : desc(d) {}
    const pipe::VertexLayoutDesc desc;
};
class FakeProgram final : public pipe::Program {};

class FakeFence final : public pipe::Fence {
  public:
    bool wait(uint64_t) override { return true; }
};

/// Lets the n-th creation from now fail (0: the next); -1: none. All create_* calls of the screen count.
struct FakeScreen : public pipe::Screen {
    FakeScreen() {
        caps_.renderer = "fake";
        caps_.gles_version = 32;
        caps_.max_anisotropy = 16;
        caps_.float_textures_linear = true;
        caps_.dual_source_blend = caps_.framebuffer_fetch = true;
        caps_.sample_shading = caps_.advanced_blend = caps_.instance_layers = true;
        caps_.max_samples = 4;
        caps_.max_viewports = pipe::kMaxViewports;
        caps_.max_distances = 8;
        caps_.line_width_px[1] = 16;
        caps_.point_size_px[1] = 256;
    }
    pipe::Caps& mutable_caps() { return caps_; }
    int fail_after = -1;
    int created_resources = 0, created_states = 0, created_programs = 0;
    bool (*unsupported)(pipe::Format, uint32_t bind) = nullptr;  // formats that this device refuses
    uint32_t least_samples = 2;                                  // of multisampled images

    bool fails() { return fail_after >= 0 && fail_after-- == 0; }

    bool format_supported(pipe::Format f, pipe::ResourceKind, uint32_t samples,
                          uint32_t bind) const override {
        const pipe::FormatInfo& info = pipe::format_info(f);
        if (samples > caps_.max_samples || f == pipe::Format::None) return false;
        if (samples > 1 && samples < least_samples) return false;
        if (unsupported && unsupported(f, bind)) return false;
        if (info.is_vertex_only) return bind == pipe::bind::kVertex;
        if ((bind & pipe::bind::kDepthStencil) && !info.is_depth_stencil()) return false;
        if ((bind & pipe::bind::kColor) && (info.is_depth_stencil() || info.is_compressed)) return false;
        return true;
    }
    pipe::Ref<pipe::Resource> create_resource(const pipe::ResourceDesc& d) override {
        if (fails()) return nullptr;
        ++created_resources;
        return pipe::Ref<pipe::Resource>::adopt(new FakeResource(d));
    }
    pipe::Ref<pipe::SamplerView> create_sampler_view(pipe::Ref<pipe::Resource> r,
                                                     const pipe::SamplerViewDesc& d) override {
        return make<pipe::SamplerView, pipe::SamplerView>(std::move(r), d);
    }
    pipe::Ref<pipe::SamplerState> create_sampler(const pipe::SamplerDesc& d) override {
        return make<pipe::SamplerState, FakeSampler>(d);
    }
    pipe::Ref<pipe::RasterState> create_raster(const pipe::RasterDesc& d) override {
        return make<pipe::RasterState, FakeRaster>(d);
    }
    pipe::Ref<pipe::DepthStencilState> create_depth_stencil(const pipe::DepthStencilDesc& d) override {
        return make<pipe::DepthStencilState, FakeDepthStencil>(d);
    }
    pipe::Ref<pipe::BlendState> create_blend(const pipe::BlendDesc& d) override {
        return make<pipe::BlendState, FakeBlend>(d);
    }
    pipe::Ref<pipe::VertexLayout> create_vertex_layout(const pipe::VertexLayoutDesc& d) override {
        return make<pipe::VertexLayout, FakeVertexLayout>(d);
    }
    pipe::Ref<pipe::Program> create_program(const pipe::ProgramDesc&, const pipe::Log&) override {
        ++created_programs;
        return make<pipe::Program, FakeProgram>();
    }
    std::unique_ptr<pipe::Context> create_context(const pipe::ContextDesc& desc) override;
    uint64_t timestamp_ns() const override { return 0; }

  private:
    template <class T, class D, class... A>
    pipe::Ref<T> make(A&&... a) {
        if (fails()) return nullptr;
        ++created_states;
        return pipe::Ref<T>(pipe::Ref<D>::adopt(new D(std::forward<A>(a)...)));
    }
};

/// The last set state, and the names of all calls in order ("draw", "clear", ...).
/// Two groups of counters. The value of a counter is 100 times its group's number plus its own.
class FakeCounters final : public pipe::PerformanceCounters {
  public:
    struct Query final : pipe::CounterQuery {
        std::vector<pipe::CounterId> ids;
    };
    std::span<const pipe::CounterGroup> groups() const override {
        static constexpr pipe::Counter kFirst[] = {{"draws"}, {"pixels"}, {"waves"}}, kSecond[] = {{"bytes"}};
        static constexpr pipe::CounterGroup kGroups[] = {{"front", 2, kFirst}, {"back", 1, kSecond}};
        return kGroups;
    }
    pipe::Ref<pipe::CounterQuery> create_counter_query(std::span<const pipe::CounterId> ids) override {
        auto q = pipe::Ref<Query>::adopt(new Query);
        q->ids.assign(ids.begin(), ids.end());
        return q;
    }
    void begin_counters(pipe::CounterQuery&) override { log += 'b'; }
    void end_counters(pipe::CounterQuery&) override { log += 'e'; }
    bool counter_values(pipe::CounterQuery& q, bool wait, uint64_t* values) override {
        if (!wait && !available) return false;
        for (const pipe::CounterId& id : static_cast<Query&>(q).ids)
            *values++ = id.group * 100 + id.counter;
        return true;
    }
    std::string log;
    bool available = true;
};

class FakeContext final : public pipe::Context {
  public:
    FakeCounters perf;
    bool has_counters = true;
    pipe::PerformanceCounters* counters() override { return has_counters ? &perf : nullptr; }
    explicit FakeContext(pipe::Screen& s) : Context(s) {}

    std::vector<std::string> calls;
    std::vector<std::string> violations;
    bool in_pass = false;
    int maps = 0;
    uint32_t last_map_flags = 0;
    pipe::ResetStatus reset = pipe::ResetStatus::None;

    pipe::Ref<pipe::RasterState> raster;
    pipe::Ref<pipe::DepthStencilState> depth_stencil;
    pipe::Ref<pipe::BlendState> blend;
    pipe::Ref<pipe::VertexLayout> layout;
    pipe::Ref<pipe::Program> program;
    pipe::Viewport viewport{};
    pipe::Scissor scissor{};
    std::vector<pipe::Viewport> viewports;
    std::vector<pipe::Scissor> scissors;
    float blend_color[4] = {};
    uint8_t stencil_ref[2] = {};
    float coverage = 1;
    bool coverage_invert = false;
    std::vector<pipe::VertexBuffer> vertex_buffers;
    std::vector<uint32_t> uniforms[pipe::kStageCount];
    std::array<pipe::SamplerView*, pipe::kMaxSamplers> views[pipe::kStageCount]{};
    std::array<pipe::SamplerState*, pipe::kMaxSamplers> samplers[pipe::kStageCount]{};
    std::array<pipe::BufferRange, pipe::kMaxConstantBuffers> constant_buffers[pipe::kStageCount]{};
    std::vector<pipe::BufferRange> stream_outputs;
    pipe::RenderPassDesc pass;
    std::vector<pipe::RenderPassDesc> passes;
    std::vector<pipe::ClearInfo> clears;
    std::vector<uint32_t> discards;
    struct Draw {
        pipe::DrawInfo info;
        std::vector<pipe::DrawRange> ranges;
        std::vector<pipe::VertexBuffer> vertex_buffers;
    };
    std::vector<Draw> draws;
    std::vector<pipe::DispatchInfo> dispatches;

    const pipe::RasterDesc& raster_desc() const { return static_cast<FakeRaster*>(raster.get())->desc; }
    const pipe::DepthStencilDesc& depth_stencil_desc() const {
        return static_cast<FakeDepthStencil*>(depth_stencil.get())->desc;
    }
    const pipe::BlendDesc& blend_desc() const { return static_cast<FakeBlend*>(blend.get())->desc; }
    const pipe::VertexLayoutDesc& layout_desc() const {
        return static_cast<FakeVertexLayout*>(layout.get())->desc;
    }
    unsigned count(const char* name) const {
        unsigned n = 0;
        for (const std::string& c : calls)
            n += c == name;
        return n;
    }

    void bind_raster(pipe::RasterState* s) override { call("bind_raster"), raster = pipe::Ref(s); }
    void bind_depth_stencil(pipe::DepthStencilState* s) override {
        call("bind_depth_stencil"), depth_stencil = pipe::Ref(s);
    }
    void bind_blend(pipe::BlendState* s) override { call("bind_blend"), blend = pipe::Ref(s); }
    void bind_vertex_layout(pipe::VertexLayout* s) override {
        call("bind_vertex_layout"), layout = pipe::Ref(s);
    }
    void bind_program(pipe::Program* s) override { call("bind_program"), program = pipe::Ref(s); }
    void set_viewport(const pipe::Viewport& v) override { call("set_viewport"), viewport = v; }
    void set_scissor(const pipe::Scissor& s) override { call("set_scissor"), scissor = s; }
    void set_viewport_array(std::span<const pipe::Viewport> v, std::span<const pipe::Scissor> s) override {
        call("set_viewport_array");
        viewports.assign(v.begin(), v.end());
        scissors.assign(s.begin(), s.end());
    }
    void set_blend_color(const float c[4]) override {
        call("set_blend_color");
        std::memcpy(blend_color, c, sizeof blend_color);
    }
    void set_stencil_ref(uint8_t front, uint8_t back) override {
        call("set_stencil_ref");
        stencil_ref[0] = front, stencil_ref[1] = back;
    }
    void set_sample_mask(float c, bool invert, uint32_t) override {
        call("set_sample_mask"), coverage = c, coverage_invert = invert;
    }
    void set_vertex_buffers(std::span<const pipe::VertexBuffer> b) override {
        call("set_vertex_buffers");
        vertex_buffers.assign(b.begin(), b.end());
    }
    void set_uniforms(pipe::Stage stage, std::span<const uint32_t> dwords) override {
        call("set_uniforms");
        uniforms[size_t(stage)].assign(dwords.begin(), dwords.end());
    }
    void set_constant_buffers(pipe::Stage stage, uint32_t first,
                              std::span<const pipe::BufferRange> b) override {
        call("set_constant_buffers");
        if (first + b.size() > pipe::kMaxConstantBuffers) return violate("set_constant_buffers: bad sizes");
        std::copy(b.begin(), b.end(), constant_buffers[size_t(stage)].begin() + first);
    }
    void set_textures(pipe::Stage stage, uint32_t first, std::span<pipe::SamplerView* const> v,
                      std::span<pipe::SamplerState* const> s) override {
        call("set_textures");
        if (v.size() != s.size() || first + v.size() > pipe::kMaxSamplers)
            return violate("set_textures: bad sizes");
        for (size_t i = 0; i < v.size(); ++i)
            views[size_t(stage)][first + i] = v[i], samplers[size_t(stage)][first + i] = s[i];
    }
    void set_storage_buffers(pipe::Stage, uint32_t, std::span<const pipe::BufferRange>) override {
        call("set_storage_buffers");
    }
    void set_images(pipe::Stage, uint32_t, std::span<const pipe::ImageView>) override { call("set_images"); }
    void memory_barrier() override {
        call("memory_barrier");
        if (in_pass) violate("memory_barrier inside a pass");
    }
    void set_stream_outputs(std::span<const pipe::BufferRange> b) override {
        call("set_stream_outputs");
        stream_outputs.assign(b.begin(), b.end());
    }

    void begin_render_pass(const pipe::RenderPassDesc& d) override {
        call("begin_render_pass");
        if (in_pass) violate("begin_render_pass inside a pass");
        if (!d.width || !d.height) violate("begin_render_pass of no pixels");
        in_pass = true;
        pass = d;
        passes.push_back(d);
        for (uint32_t i = 0; i < d.color_count; ++i)
            if (d.color[i].resource && d.color[i].load == pipe::LoadOp::Clear)
                fill(d.color[i], d.clear_color[i].f, 0xf, d.width, d.height, nullptr);
    }
    void end_render_pass() override {
        call("end_render_pass");
        if (!in_pass) violate("end_render_pass outside a pass");
        in_pass = false;
    }
    void discard_attachments(uint32_t a) override {
        call("discard_attachments");
        if (!in_pass) violate("discard_attachments outside a pass");
        discards.push_back(a);
    }
    void clear(const pipe::ClearInfo& c) override {
        call("clear");
        if (!in_pass) violate("clear outside a pass");
        clears.push_back(c);
        for (uint32_t i = 0; i < pass.color_count; ++i)
            if ((c.attachments & (pipe::attachment_bit::kColor0 << i)) && pass.color[i].resource)
                fill(pass.color[i], c.color[i].f, c.color_mask[i], pass.width, pass.height,
                     c.scissored ? &c.scissor : nullptr);
    }
    void draw(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) override {
        call("draw");
        if (!in_pass) violate("draw outside a pass");
        if (!program) violate("draw without a program");
        draws.push_back({info, {ranges.begin(), ranges.end()}, vertex_buffers});
    }
    void dispatch(const pipe::DispatchInfo& d) override {
        call("dispatch");
        if (in_pass) violate("dispatch inside a pass");
        dispatches.push_back(d);
    }

    pipe::Mapping map(pipe::Resource& r, uint32_t level, const pipe::Box& b, uint32_t flags) override {
        call("map");
        last_map_flags = flags;
        auto& f = static_cast<FakeResource&>(r);
        if (in_pass && !(flags & pipe::map_flag::kUnsynchronized)) violate("synchronized map inside a pass");
        if (!inside(f, level, b)) {
            violate("map outside the resource");
            return {};
        }
        ++maps;
        return {f.at(level, b.x, b.y, b.z), uint32_t(f.row_B(level)), f.layer_B(level), nullptr};
    }
    void unmap(pipe::Resource&, const pipe::Mapping&) override { call("unmap"), --maps; }
    void copy_region(pipe::Resource& d, uint32_t dl, int32_t x, int32_t y, int32_t z, pipe::Resource& s,
                     uint32_t sl, const pipe::Box& b) override {
        call("copy_region");
        auto& dst = static_cast<FakeResource&>(d);
        auto& src = static_cast<FakeResource&>(s);
        if (in_pass) violate("copy_region inside a pass");
        const pipe::FormatInfo &f = pipe::format_info(s.desc.format), &g = pipe::format_info(d.desc.format);
        const bool blocks =
            f.is_compressed != g.is_compressed;  // the same number of blocks, in pixels of each format
        const int rows = (b.height + f.block_h_px - 1) / f.block_h_px;
        const int columns = (b.width + f.block_w_px - 1) / f.block_w_px;
        pipe::Box to{x, y, z, b.width, b.height, b.depth};
        if (blocks) to.width = (columns - 1) * g.block_w_px + 1, to.height = (rows - 1) * g.block_h_px + 1;
        if (!inside(src, sl, b) || !inside(dst, dl, to)) return violate("copy_region outside a resource");
        bool buffer = s.desc.kind == pipe::ResourceKind::Buffer;
        size_t row = buffer ? size_t(b.width) : pipe::format_row_B(s.desc.format, uint32_t(b.width));
        for (int k = 0; k < b.depth; ++k)
            for (int j = 0; j < (buffer ? b.height : rows); ++j)
                std::memmove(dst.at(dl, x, y + j * g.block_h_px, z + k),
                             src.at(sl, b.x, b.y + j * f.block_h_px, b.z + k), row);
    }
    bool try_blit(const pipe::BlitInfo&) override {
        call("try_blit");
        return false;
    }
    pipe::Ref<pipe::Query> create_query(pipe::QueryKind k) override {
        return pipe::Ref<pipe::Query>::adopt(new pipe::Query(k));
    }
    void begin_query(pipe::Query&) override { call("begin_query"); }
    void end_query(pipe::Query&) override { call("end_query"); }
    bool query_result(pipe::Query&, bool, uint64_t* out) override {
        *out = 0;
        return true;
    }
    pipe::Ref<pipe::Fence> flush() override {
        call("flush");
        if (in_pass) violate("flush inside a pass");
        return pipe::Ref<pipe::Fence>(pipe::Ref<FakeFence>::adopt(new FakeFence));
    }
    void wait_fence(pipe::Fence&) override { call("wait_fence"); }
    pipe::ResetStatus reset_status() override { return std::exchange(reset, pipe::ResetStatus::None); }

  private:
    void call(const char* name) { calls.emplace_back(name); }
    void violate(const char* text) { violations.emplace_back(text); }
    static bool inside(const FakeResource& r, uint32_t l, const pipe::Box& b) {
        return l < r.desc.levels && b.x >= 0 && b.y >= 0 && b.z >= 0 && b.width >= 0 && b.height >= 0 &&
               b.depth >= 0 && uint64_t(b.x) + uint64_t(b.width) <= r.width(l) &&
               uint64_t(b.y) + uint64_t(b.height) <= r.height(l) &&
               uint64_t(b.z) + uint64_t(b.depth) <= r.layers(l);
    }
    /// Colours of clears are written if the format can be packed from floats.
    static void fill(const pipe::Attachment& a, const float* color, uint8_t mask, uint32_t w, uint32_t h,
                     const pipe::Scissor* s) {
        auto& r = static_cast<FakeResource&>(*a.resource);
        const pipe::FormatOps& ops = pipe::format_ops(a.format);
        if (!ops.pack_f32 || !ops.unpack_f32) return;
        int x0 = s ? std::max(s->x0, 0) : 0, x1 = s ? std::min(s->x1, int(w)) : int(w);
        int y0 = s ? std::max(s->y0, 0) : 0, y1 = s ? std::min(s->y1, int(h)) : int(h);
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) {
                float v[4];
                uint8_t* p = r.at(a.level, x, y, int(a.first_layer));
                ops.unpack_f32(v, p, 1);
                for (int c = 0; c < 4; ++c)
                    if (mask >> c & 1) v[c] = color[c];
                ops.pack_f32(p, v, 1);
            }
    }
};

inline std::unique_ptr<pipe::Context> FakeScreen::create_context(const pipe::ContextDesc&) {
    if (fails()) return nullptr;
    return std::make_unique<FakeContext>(*this);
}

}  // namespace terrazzo::fake
