// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A copy is a fragment job without draws. The load shader fills the tiles from the image, or from a box of
// another image; they are written to the image, or elsewhere as rows or interleaved tiles.
#include "drivers/mali/passes/tile_copy.h"

#include <algorithm>
#include <cstring>

#include "drivers/mali/images/target.h"
#include "drivers/mali/passes/load_draw.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

constexpr uint32_t kTile_px = 16;

/// The format that copies all bits: without sRGB conversion, which may round, and with the unused channels.
pipe::Format bits_of(pipe::Format format) {
    using pipe::Format;
    switch (format) {
        case Format::R8G8B8X8_UNORM:
        case Format::R8G8B8X8_SRGB:
            return Format::R8G8B8A8_UNORM;
        case Format::B8G8R8X8_UNORM:
        case Format::B8G8R8X8_SRGB:
            return Format::B8G8R8A8_UNORM;
        case Format::R10G10B10X2_UNORM:
            return Format::R10G10B10A2_UNORM;
        case Format::B10G10R10X2_UNORM:
            return Format::B10G10R10A2_UNORM;
        default: {
            const Format linear = pipe::format_to_linear(format);
            return linear == Format::None ? format : linear;
        }
    }
}

/// A pass that loads the whole level and draws nothing. `format`: None: as bits.
pipe::RenderPassDesc pass_of(MaliResource& image, uint32_t level, uint32_t z,
                             pipe::Format format = pipe::Format::None) {
    pipe::Attachment a;
    a.resource = &image;
    a.format = format == pipe::Format::None ? bits_of(image.desc.format) : format;
    a.level = uint8_t(level);
    a.first_layer = uint16_t(z);
    a.load = pipe::LoadOp::Load;
    pipe::RenderPassDesc pass;
    pass.width = image.layout.level[level].width;
    pass.height = image.layout.level[level].height;
    if (pipe::format_info(a.format).is_depth_stencil()) {
        pass.depth_stencil = a;
        pass.stencil_load = pipe::LoadOp::Load;
    } else {
        pass.color[0] = a;
        pass.color_count = 1;
    }
    return pass;
}

hw::ZsCrcExtension depth_target(const TileCopy* to, const pipe::Attachment& a, hw::FramebufferParameters* p) {
    hw::ZsCrcExtension ext;
    depth_stencil_target(a, &ext, p);
    if (to) {
        ext.zs_block_format = ext.s_block_format = to->order;
        ext.zs_writeback_base = ext.s_writeback_base = to->va;
        ext.zs_writeback_row_stride = ext.s_writeback_row_stride = to->row_stride_B;
    }
    ext.zs_clean_pixel_write_enable = true;
    const pipe::FormatInfo& f = pipe::format_info(a.format);
    p->has_zs_crc_extension = true;
    p->z_write_enable = f.has_depth;
    p->s_write_enable = f.has_stencil;
    return ext;
}

hw::RenderTarget color_target(const TileCopy* to, const pipe::Attachment& a, uint32_t samples) {
    hw::RenderTarget t = render_target(a, samples);
    if (to) {
        t.writeback_block_format = to->order;
        t.rgb_base = to->va;
        t.rgb_row_stride = to->row_stride_B;
    }
    t.write_enable = t.clean_pixel_write_enable = true;
    return t;
}

bool is_all(const LoadUniforms& box, uint32_t width, uint32_t height) {
    return box.x == 0 && box.y == 0 && box.last_x == width - 1 && box.last_y == height - 1;
}

/// The framebuffer that loads the pass's image, or `box`, and writes the pass's image, or `to`.
uint64_t write_framebuffer(Recorder& recorder, InternalShaders& shaders, const pipe::RenderPassDesc& pass,
                           const LoadBox* box, const TileCopy* to) {
    const bool is_color = pass.color_count;
    const uint32_t tile_px = std::min(choose_tile_px(recorder.chip(), pass), kTile_px * kTile_px);
    hw::Framebuffer fb{.parameters = framebuffer_of(recorder, pass, tile_px)};
    hw::FramebufferParameters& p = fb.parameters;
    LoadKey load;
    load.colors = is_color;
    if (box) {
        load.other = is_all(box->place, pass.width, pass.height) ? LoadKey::Other::All : LoadKey::Other::Box;
        if (const uint32_t samples = box->from.resource->desc.samples; samples > p.sample_count) {
            load.read = LoadKey::Samples::Resolve;
            load.samples = uint8_t(samples);
            load.integers = pipe::format_info(box->from.format).is_pure_int();
        }
    }
    if (!is_color) {
        const pipe::FormatInfo& f = pipe::format_info(pass.depth_stencil.format);
        load.depth = f.has_depth;
        load.stencil = f.has_stencil;
    }
    p.frame_shader_dcds = write_load_shaders(recorder, shaders, pass, 1, load, box);
    (is_color ? p.pre_frame_0 : p.pre_frame_1) = hw::PrePostFrameShaderMode::Always;
    p.render_target_count = 1;
    const uint32_t pixel_B = is_color ? tile_buffer_B(pass.color[0].format, p.sample_count) : 1;
    p.color_buffer_allocation = (pixel_B * tile_px + 1023) & ~1023u;
    const uint32_t zs_B = is_color ? 0 : hw::ZsCrcExtension::kSize_B;
    const Pool::Piece piece = recorder.pool.allocate(
        hw::Framebuffer::kSize_B + zs_B + hw::RenderTarget::kSize_B, hw::Framebuffer::kAlign_B);
    uint8_t* const out = piece.cpu + hw::Framebuffer::kSize_B;
    if (!is_color) put(depth_target(to, pass.depth_stencil, &p), out);
    put(is_color ? color_target(to, pass.color[0], p.sample_count) : null_render_target(), out + zs_B);
    put(fb, piece.cpu);
    return words_of(hw::FramebufferPointer{
        .zs_crc_extension_present = !is_color, .render_target_count = 1, .pointer = piece.va});
}

uint64_t run_copy(Recorder& recorder, uint64_t framebuffer, const PixelRect& area) {
    recorder.fragment.set64(hw::FragmentRegisters::framebuffer, framebuffer);
    set_fragment_area(recorder.fragment, area);
    const uint64_t job = submission::next_job();
    recorder.run_fragment(job, 0);
    return job;
}

/// Rounds up to the next border of tiles.
int32_t tiles_end(int32_t px) {
    return (px + int32_t(kTile_px) - 1) / int32_t(kTile_px) * int32_t(kTile_px);
}

}  // namespace

uint64_t record_tile_copies(Recorder& recorder, InternalShaders& shaders, std::span<const TileCopy> copies) {
    uint64_t last = 0;
    if (copies.empty()) return last;
    recorder.open_fragment();
    Needs needs;
    for (const TileCopy& c : copies)
        needs.reads(c.from->jobs);
    // Waits for earlier work of this context. The kernel orders the work of others.
    recorder.meet(QueueKind::Fragment, needs);
    for (const TileCopy& c : copies) {
        const std::lock_guard guard(c.from->mutex());
        recorder.read(*c.from);
        const pipe::RenderPassDesc pass = pass_of(*c.from, c.level, c.z);
        last = run_copy(recorder, write_framebuffer(recorder, shaders, pass, nullptr, &c), c.area);
        c.from->jobs.note_read(size_t(QueueKind::Fragment), last);
    }
    return last;
}

bool box_copy_keeps_bits(const MaliResource& to, const MaliResource& from) {
    return bits_of(to.desc.format) == bits_of(from.desc.format);
}

void record_box_copy(Recorder& recorder, InternalShaders& shaders, const BoxCopy& c) {
    MaliResource &to = c.to, &from = c.from;
    const pipe::Box& box = c.box;
    const pipe::LevelLayout& l = to.layout.level[c.level];
    constexpr int32_t kTile = int32_t(kTile_px);
    const PixelRect area{box.x / kTile * kTile, box.y / kTile * kTile,
                         std::min(int32_t(l.width), tiles_end(box.x + box.width)),
                         std::min(int32_t(l.height), tiles_end(box.y + box.height))};
    recorder.open_fragment();
    const LoadUniforms place{uint32_t(box.x),          uint32_t(box.y), uint32_t(box.width - 1),
                             uint32_t(box.height - 1), uint32_t(c.x),   uint32_t(c.y)};
    Needs needs;
    needs.reads(from.jobs);
    if (!is_all(place, l.width, l.height)) needs.reads(to.jobs);
    needs.writes(to.jobs);
    recorder.meet(QueueKind::Fragment, needs);
    recorder.write(to);  // from here on its form does not change
    to.forget_crc();
    for (int32_t i = 0; i < box.depth; ++i) {
        const pipe::RenderPassDesc pass = pass_of(to, c.level, uint32_t(box.z + i), c.format);
        LoadBox other;
        other.from = pass.color_count ? pass.color[0] : pass.depth_stencil;
        other.from.resource = &from;
        other.from.level = uint8_t(c.from_level);
        other.from.first_layer = uint16_t(c.z + i);
        if (c.from_format != pipe::Format::None) other.from.format = c.from_format;
        other.place = place;
        const std::lock_guard guard(from.mutex());
        recorder.read(from);
        const uint64_t job =
            run_copy(recorder, write_framebuffer(recorder, shaders, pass, &other, nullptr), area);
        from.jobs.note_read(size_t(QueueKind::Fragment), job);
        to.jobs.note_written(size_t(QueueKind::Fragment), job);
    }
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
    // The copies' target becomes the memory of `from`, which they have written.
    from.jobs.note_written(size_t(QueueKind::Fragment), record_tile_copies(recorder, shaders, copies));
}

}  // namespace terrazzo::mali
