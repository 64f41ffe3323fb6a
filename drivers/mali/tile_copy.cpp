// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
#include "drivers/mali/tile_copy.h"

#include <algorithm>
#include <cstring>

#include "drivers/mali/load_draw.h"
#include "drivers/mali/target.h"

namespace terrazzo::mali {

namespace {

constexpr uint32_t kTile_px = 16;
// Rows begin at 64 bytes, whatever the pixel's size.
constexpr int32_t kAlign_px = 64;
constexpr uint32_t kAlign_B = 64;

template <class T>
void put(const T& descriptor, uint8_t* out) {
    hw::pack(descriptor, reinterpret_cast<uint32_t*>(out));
}

/// A pass that loads all of the level and draws nothing.
pipe::RenderPassDesc pass_of(const TileCopy& c) {
    pipe::Attachment a;
    a.resource = c.from;
    // Bits, not colours: without conversions of sRGB, which may round.
    const pipe::Format linear = pipe::format_to_linear(c.from->desc.format);
    a.format = linear == pipe::Format::None ? c.from->desc.format : linear;
    a.level = uint8_t(c.level);
    a.first_layer = uint16_t(c.z);
    a.load = pipe::LoadOp::Load;
    pipe::RenderPassDesc pass;
    pass.width = c.from->layout.level[c.level].width;
    pass.height = c.from->layout.level[c.level].height;
    if (pipe::format_info(a.format).is_depth_stencil()) {
        pass.depth_stencil = a;
        pass.stencil_load = pipe::LoadOp::Load;
    } else {
        pass.color[0] = a;
        pass.color_count = 1;
    }
    return pass;
}

hw::ZsCrcExtension depth_target(const TileCopy& c, const pipe::Attachment& a, hw::FramebufferParameters* p) {
    hw::ZsCrcExtension ext;
    depth_stencil_target(a, &ext, p);
    ext.zs_block_format = ext.s_block_format = c.order;
    ext.zs_writeback_base = ext.s_writeback_base = c.va;
    ext.zs_writeback_row_stride = ext.s_writeback_row_stride = c.row_stride_B;
    ext.zs_clean_pixel_write_enable = true;
    const pipe::FormatInfo& f = pipe::format_info(a.format);
    p->has_zs_crc_extension = true;
    p->z_write_enable = f.has_depth;
    p->s_write_enable = f.has_stencil;
    return ext;
}

hw::RenderTarget color_target(const TileCopy& c, const pipe::Attachment& a) {
    hw::RenderTarget t = render_target(a);
    t.writeback_block_format = c.order;
    t.rgb_base = c.va;
    t.rgb_row_stride = c.row_stride_B;
    t.write_enable = t.clean_pixel_write_enable = true;
    return t;
}

uint64_t write_framebuffer(Recorder& recorder, InternalShaders& shaders, const TileCopy& c) {
    const pipe::RenderPassDesc pass = pass_of(c);
    const bool is_color = pass.color_count;
    hw::Framebuffer fb;
    hw::FramebufferParameters& p = fb.parameters;
    LoadKey load;
    load.colors = is_color;
    if (!is_color) {
        const pipe::FormatInfo& f = pipe::format_info(pass.depth_stencil.format);
        load.depth = f.has_depth;
        load.stencil = f.has_stencil;
    }
    p.frame_shader_dcds = write_load_shaders(recorder, shaders, pass, 1, load);
    (is_color ? p.pre_frame_0 : p.pre_frame_1) = hw::PrePostFrameShaderMode::Always;
    p.sample_locations = recorder.sample_locations_va();
    p.width = pass.width;
    p.height = pass.height;
    p.bound_max_x = pass.width - 1;
    p.bound_max_y = pass.height - 1;
    p.effective_tile_size = kTile_px * kTile_px;
    p.render_target_count = 1;
    p.tie_break_rule = hw::TieBreakRule::MINUS_180_IN_0_OUT;
    p.z_internal_format = hw::ZInternalFormat::D24;
    p.color_buffer_allocation = 4 * kTile_px * kTile_px;  // compressed formats have 32 bits a pixel there
    const uint32_t zs_B = is_color ? 0 : hw::ZsCrcExtension::kSize_B;
    const Pool::Piece piece = recorder.pool.allocate(
        hw::Framebuffer::kSize_B + zs_B + hw::RenderTarget::kSize_B, hw::Framebuffer::kAlign_B);
    uint8_t* const out = piece.cpu + hw::Framebuffer::kSize_B;
    if (!is_color) put(depth_target(c, pass.depth_stencil, &p), out);
    put(is_color ? color_target(c, pass.color[0]) : null_render_target(), out + zs_B);
    put(fb, piece.cpu);
    hw::FramebufferPointer pointer;
    pointer.zs_crc_extension_present = !is_color;
    pointer.render_target_count = 1;
    pointer.pointer = piece.va;
    uint32_t words[2];
    hw::pack(pointer, words);
    return words[0] | uint64_t(words[1]) << 32;
}

}  // namespace

uint64_t record_tile_copies(Recorder& recorder, InternalShaders& shaders, std::span<const TileCopy> copies) {
    uint64_t last = 0;
    if (copies.empty()) return last;
    CsBuilder& b = recorder.fragment;
    recorder.open_fragment();
    Needs needs;
    for (const TileCopy& c : copies)
        needs.reads(c.from->jobs);
    // What earlier work of the same context has drawn; the kernel sees to that of others.
    recorder.meet(QueueKind::Fragment, needs);
    for (const TileCopy& c : copies) {
        recorder.read(*c.from);
        b.set64(hw::FragmentRegisters::framebuffer, write_framebuffer(recorder, shaders, c));
        set_fragment_area(b, c.area);
        const uint64_t job = Recorder::next_job();
        recorder.run_fragment(job, 0);
        c.from->jobs.note_read(QueueKind::Fragment, job);
        last = job;
    }
    return last;
}

void record_plain_copy(Recorder& recorder, InternalShaders& shaders, MaliResource& from, const Bo& to) {
    const pipe::SurfaceLayout& layout = from.layout;
    std::vector<TileCopy> copies;
    for (uint32_t z = 0; z < layout.layers; ++z)
        for (uint32_t level = 0; level < layout.levels; ++level) {
            const pipe::LevelLayout& l = layout.level[level];
            copies.push_back({&from,
                              level,
                              z,
                              {0, 0, int32_t(l.width), int32_t(l.height)},
                              to.va + layout.image_offset_B(level, z),
                              l.row_stride_B,
                              layout.tiling == pipe::Tiling::Interleaved
                                  ? hw::BlockFormat::TILED_U_INTERLEAVED
                                  : hw::BlockFormat::LINEAR});
        }
    // They become the resource's memory.
    from.jobs.note_written(QueueKind::Fragment, record_tile_copies(recorder, shaders, copies));
}

TileRows tile_rows(const MaliResource& from, uint32_t level, const pipe::Box& box) {
    const pipe::LevelLayout& l = from.layout.level[level];
    constexpr int32_t kTile = int32_t(kTile_px);
    TileRows r;
    r.area = {box.x / kAlign_px * kAlign_px, box.y / kTile * kTile,
              std::min(int32_t(l.width), (box.x + box.width + kTile - 1) / kTile * kTile),
              std::min(int32_t(l.height), (box.y + box.height + kTile - 1) / kTile * kTile)};
    const auto row_B = uint32_t(pipe::format_row_B(from.desc.format, uint32_t(r.area.x1 - r.area.x0)));
    r.row_stride_B = (row_B + kAlign_B - 1) & ~(kAlign_B - 1);
    r.image_B = uint64_t(r.row_stride_B) * uint32_t(r.area.y1 - r.area.y0);
    r.size_B = r.image_B * uint32_t(box.depth);
    return r;
}

void record_rows_copy(Recorder& recorder, InternalShaders& shaders, MaliResource& from, uint32_t level,
                      const pipe::Box& box, const Bo& to) {
    const TileRows rows = tile_rows(from, level, box);
    const uint64_t before_B = uint64_t(rows.area.y0) * rows.row_stride_B +
                              pipe::format_row_B(from.desc.format, uint32_t(rows.area.x0));
    std::vector<TileCopy> copies;
    for (int32_t i = 0; i < box.depth; ++i)
        copies.push_back({&from, level, uint32_t(box.z + i), rows.area,
                          to.va + rows.image_B * uint32_t(i) - before_B, rows.row_stride_B,
                          hw::BlockFormat::LINEAR});
    (void)record_tile_copies(recorder, shaders, copies);
}

}  // namespace terrazzo::mali
