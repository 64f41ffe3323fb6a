// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, pan_desc.c (framebuffers, checksums), pan_csf.c (the order of commands at the end of
// a pass).
#include "drivers/mali/passes/pass.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "drivers/mali/images/target.h"
#include "drivers/mali/passes/load_draw.h"
#include "drivers/mali/passes/tile_copy.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

constexpr uint32_t kAfbcRows_px = 16;  // that are written at a time
constexpr uint32_t kCrcTile_px = 16 * 16;

// The checksum field of a clear colour in the tile buffer's format, as Mesa computes it.
uint64_t crc_clear_color(uint32_t clear) {
    return clear | uint64_t(clear & 0xffff) << 32 | 0xc000000000000000;
}

}  // namespace

/// The operations of each attachment at the begin and end of tiles.
struct Pass::Plan {
    LoadKey load;
    uint8_t clear_colors = 0, store_colors = 0;  // a bit for each target
    bool has_zs = false, clear_depth = false, clear_stencil = false, store_depth = false,
         store_stencil = false;
    [[nodiscard]] bool clears() const { return clear_colors || clear_depth || clear_stencil; }
    [[nodiscard]] bool stores() const { return store_colors || store_depth || store_stencil; }
};

/// Transaction elimination: the tiles of one target are compared with checksums in memory.
struct Pass::Crc {
    int target = -1;     // -1: no target
    bool valid = false;  // those in memory match the image
    [[nodiscard]] bool used() const { return target >= 0; }
};

hw::Scissor scissor_of(const PixelRect& area) {
    hw::Scissor s;
    s.scissor_minimum_x = uint32_t(area.x0);
    s.scissor_minimum_y = uint32_t(area.y0);
    s.scissor_maximum_x = uint32_t(area.x1 - 1);
    s.scissor_maximum_y = uint32_t(area.y1 - 1);
    return s;
}

void set_fragment_area(CsBuilder& b, const PixelRect& area) {
    using R = hw::FragmentRegisters;
    b.set64(R::scissor, words_of(scissor_of(area)));
    b.set64(R::tile_enable_map, 0);
    b.set32(R::tile_enable_map_stride, 0);
}

hw::FramebufferParameters framebuffer_of(const Recorder& recorder, const pipe::RenderPassDesc& desc,
                                         uint32_t tile_px) {
    hw::FramebufferParameters p;
    p.sample_count = pass_samples(desc);
    p.sample_pattern = sample_pattern(p.sample_count);
    p.sample_locations = recorder.sample_locations_va(p.sample_count);
    p.width = desc.width;
    p.height = desc.height;
    p.bound_max_x = desc.width - 1;
    p.bound_max_y = desc.height - 1;
    p.effective_tile_size = tile_px;
    p.tie_break_rule = hw::TieBreakRule::MINUS_180_IN_0_OUT;
    p.z_internal_format = hw::ZInternalFormat::D24;
    return p;
}

void Pass::begin(const pipe::RenderPassDesc& desc) {
    open(desc);
    samples_ = pass_samples(desc);
    tile_px_ = choose_tile_px(recorder_.chip(), desc);
    touched_ = {};
    layer_ = 0;
    tiler_va_ = heap_B_ = 0;
    job_ = submission::next_job();
    needs_ = {};
    stores_ = stores_to_buffers_ = false;
    write_attachments();
    create_samples_images();
}

void Pass::create_samples_images() {
    for (uint32_t i = 0; i < desc_.color_count; ++i) {
        const pipe::Attachment& a = desc_.color[i];
        pipe::Ref<MaliResource>& image = samples_images_[i];
        if (!a.resource || a.resource->desc.samples == samples_ || is_blendable(a.format)) {
            image = nullptr;
            continue;
        }
        const pipe::LevelLayout& l = mali(*a.resource).layout.level[a.level];
        pipe::ResourceDesc d;
        d.format = a.format;
        d.width = l.width;
        d.height = l.height;
        d.samples = samples_;
        d.bind = pipe::bind::kColor | pipe::bind::kSampled;
        if (!image || image->desc != d) image = MaliResource::create(recorder_.device(), d);
        if (!image) throw std::bad_alloc();
    }
}

pipe::Attachment Pass::stored_color(uint32_t i) const {
    pipe::Attachment a = desc_.color[i];
    if (!samples_images_[i]) return a;
    a.resource = samples_images_[i].get();
    a.level = a.first_layer = 0;
    return a;
}

void Pass::resolve_samples(InternalShaders& shaders, const Plan& plan, const PixelRect& area) {
    for (uint32_t i = 0; i < desc_.color_count; ++i) {
        const pipe::Attachment& a = desc_.color[i];
        if (!samples_images_[i] || !(plan.store_colors >> i & 1)) continue;
        const pipe::Box box{area.x0,           area.y0,           int32_t(a.first_layer),
                            area.x1 - area.x0, area.y1 - area.y0, 1};
        record_box_copy(recorder_, shaders,
                        {mali(*a.resource), a.level, box, *samples_images_[i], 0, area.x0, area.y0, 0,
                         a.format, a.format});
    }
}

void Pass::touch(const PixelRect& r) {
    touched_ = touched_.empty() ? r
                                : PixelRect{std::min(touched_.x0, r.x0), std::min(touched_.y0, r.y0),
                                            std::max(touched_.x1, r.x1), std::max(touched_.y1, r.y1)};
}

uint64_t Pass::tiler_context() {
    if (!tiler_va_) {
        recorder_.open_vertex();
        const Pool::Piece p = recorder_.pool.allocate(hw::TilerContext::kSize_B, hw::TilerContext::kAlign_B);
        write_tiler_context(p.cpu);
        oom_ = recorder_.pool.allocate(sizeof(OomContext), 64);
        tiler_va_ = p.va;
        TilerOomHandler::enter(recorder_.vertex, oom_.va);
        hw::CsHeapOperation started;
        started.operation = hw::CsHeapEvent::VertexTilerStarted;
        started.signal_slot = kSlotDeferred;
        recorder_.vertex.emit(started);
    }
    return tiler_va_;
}

void Pass::write_tiler_context(uint8_t* out) const {
    hw::TilerContext t;
    // Bins have 16 << n pixels; the largest ones must cover the framebuffer.
    const unsigned levels = recorder_.chip().tiler_levels();
    const unsigned needed = unsigned(std::bit_width((std::max(desc_.width, desc_.height) + 15) / 16));
    t.hierarchy_mask = ((1u << levels) - 1) << (needed > levels ? needed - levels : 0);
    if (tile_px_ > 256) t.hierarchy_mask &= ~1u;
    t.fb_width = desc_.width;
    t.fb_height = desc_.height;
    t.layer_count = layers();
    t.sample_pattern = sample_pattern(samples_);
    t.heap = recorder_.queue().tiler_heap_va();
    t.geometry_buffer = recorder_.queue().geometry_buffer_va();
    t.geometry_buffer_size = recorder_.queue().geometry_buffer_B();
    put(t, out);
}

Pass::Plan Pass::plan() const {
    Plan p;
    const auto color_op = [&](uint32_t i) {
        if (!desc_.color[i].resource) return;
        const uint8_t bit = uint8_t(1u << i);
        if (desc_.color[i].load == pipe::LoadOp::Clear) p.clear_colors |= bit;
        if (desc_.color[i].load == pipe::LoadOp::Load && draws_) p.load.colors |= bit;
        // Without draws, memory only changes where it is cleared.
        const bool changes = draws_ || desc_.color[i].load == pipe::LoadOp::Clear;
        if (desc_.color[i].store == pipe::StoreOp::Store && changes) p.store_colors |= bit;
    };
    for (uint32_t i = 0; i < desc_.color_count; ++i)
        color_op(i);
    if (!desc_.depth_stencil.resource) return p;
    const pipe::FormatInfo& f = pipe::format_info(desc_.depth_stencil.format);
    p.clear_depth = f.has_depth && desc_.depth_stencil.load == pipe::LoadOp::Clear;
    p.clear_stencil = f.has_stencil && desc_.stencil_load == pipe::LoadOp::Clear;
    // Draws without depth and stencil tests do not change memory.
    p.has_zs = uses_depth_stencil_ || p.clear_depth || p.clear_stencil;
    if (!p.has_zs) return p;
    p.load.depth = f.has_depth && desc_.depth_stencil.load == pipe::LoadOp::Load;
    p.load.stencil = f.has_stencil && desc_.stencil_load == pipe::LoadOp::Load;
    p.store_depth = f.has_depth && desc_.depth_stencil.store == pipe::StoreOp::Store;
    p.store_stencil = f.has_stencil && desc_.stencil_store == pipe::StoreOp::Store;
    return p;
}

/// The hardware must also write clean tiles if tiles differ from AFBC superblocks (Mesa 25.0.7, pan_desc.c).
bool Pass::writes_clean_tiles(const pipe::Resource* r) const {
    const pipe::AfbcLayout* const afbc = r ? static_cast<const MaliResource*>(r)->afbc() : nullptr;
    return afbc && tile_px_ != pipe::afbc_superblock_w_px(afbc->mode) *
                                   std::max(kAfbcRows_px, pipe::afbc_superblock_h_px(afbc->mode));
}

bool Pass::writes_clean_tiles(const Plan& plan) const {
    for (uint32_t i = 0; i < desc_.color_count; ++i)
        if ((plan.store_colors >> i & 1) && writes_clean_tiles(desc_.color[i].resource)) return true;
    return (plan.store_depth || plan.store_stencil) && writes_clean_tiles(desc_.depth_stencil.resource);
}

/// Chooses a target whose checksums are valid, or become valid because the whole target is written.
Pass::Crc Pass::choose_crc(const Plan& plan, const PixelRect& area) const {
    Crc crc;
    // Hardware computes checksums of tiles.
    if (tile_px_ < kCrcTile_px || layers() > 1) return crc;
    for (uint32_t i = 0; i < desc_.color_count; ++i) {
        if (!(plan.store_colors >> i & 1)) continue;
        const MaliResource& r = static_cast<const MaliResource&>(*desc_.color[i].resource);
        if (!r.crc.row_stride_B || samples_images_[i]) continue;
        const bool valid = r.crc_valid(tile_px_);
        const bool all = area.x0 == 0 && area.y0 == 0 && area.x1 >= int32_t(r.desc.width) &&
                         area.y1 >= int32_t(r.desc.height);
        const bool clean = (plan.clear_colors >> i & 1) || writes_clean_tiles(&r);
        if (!valid && (crc.used() || !all || !clean)) continue;
        crc = {int(i), valid};
        if (valid) break;
    }
    return crc;
}

/// Updates which checksums are valid after the fragment jobs.
void Pass::note_crc(const Plan& plan, const Crc& crc, bool partial) const {
    for (uint32_t i = 0; i < desc_.color_count; ++i) {
        if (!desc_.color[i].resource) continue;
        MaliResource& r = mali(*desc_.color[i].resource);
        if (int(i) == crc.target)
            r.set_crc_valid(tile_px_);
        else if (partial || (plan.store_colors >> i & 1))
            r.forget_crc();
    }
}

uint64_t Pass::write_framebuffer(InternalShaders& shaders, const Plan& plan, const Crc& crc, bool again) {
    const uint32_t targets = target_count();
    const bool has_extension = plan.has_zs || crc.used();
    const uint32_t zs_B = has_extension ? hw::ZsCrcExtension::kSize_B : 0;
    const uint32_t size_B = hw::Framebuffer::kSize_B + zs_B + targets * hw::RenderTarget::kSize_B;
    hw::Framebuffer fb{.parameters = framebuffer_of(recorder_, desc_, tile_px_)};
    hw::FramebufferParameters& p = fb.parameters;
    pipe::RenderPassDesc stored = desc_;
    bool all_tiles = false;
    for (uint32_t i = 0; i < desc_.color_count; ++i) {
        stored.color[i] = stored_color(i);
        all_tiles |= samples_images_[i] != nullptr;
    }
    p.frame_shader_dcds = write_load_shaders(recorder_, shaders, again ? stored : desc_, targets, plan.load);
    // If hardware must write clean tiles, it does not know which tiles primitives touch (Mesa: TSIX-2033).
    using Mode = hw::PrePostFrameShaderMode;
    const bool always = plan.clears() || all_tiles || writes_clean_tiles(plan);
    if (plan.load.colors) p.pre_frame_0 = always ? Mode::Always : Mode::Intersect;
    if (plan.load.depth || plan.load.stencil) p.pre_frame_1 = always ? Mode::Always : Mode::EarlyZsAlways;
    p.render_target_count = targets;
    p.point_sprite_coord_origin_max_y = true;  // gl_PointCoord.y grows downwards, rows grow upwards
    p.has_zs_crc_extension = has_extension;
    p.crc_read_enable = crc.valid;
    p.crc_write_enable = crc.used();
    p.z_clear = desc_.clear_depth;
    p.s_clear = desc_.clear_stencil;
    p.z_write_enable = plan.store_depth;
    p.s_write_enable = plan.store_stencil;
    p.tiler = tiler_va_;
    p.internal_layer_index = p.frame_argument = layer_;
    const Pool::Piece piece = recorder_.pool.allocate(size_B, hw::Framebuffer::kAlign_B);
    uint8_t* out = piece.cpu + hw::Framebuffer::kSize_B;
    if (has_extension) {
        hw::ZsCrcExtension ext;
        if (plan.has_zs) {
            depth_stencil_target(desc_.depth_stencil, &ext, &p);
            ext.zs_clean_pixel_write_enable = plan.clear_depth || plan.clear_stencil;
        }
        if (crc.used()) {
            const auto target = uint32_t(crc.target);
            const MaliResource& r = mali(*desc_.color[target].resource);
            ext.crc_base = r.crc_va();
            ext.crc_row_stride = r.crc.row_stride_B;
            ext.crc_render_target = target;
            if (plan.clear_colors >> target & 1) {
                uint32_t clear[4];
                pack_clear_color(desc_.color[target].format, desc_.clear_color[target], clear);
                ext.crc_clear_color = crc_clear_color(clear[0]);
            }
        }
        put(ext, out);
        out += zs_B;
    }
    uint32_t offset_B = 0;
    for (uint32_t i = 0; i < targets; ++i, out += hw::RenderTarget::kSize_B) {
        const pipe::Attachment& a = stored.color[i];
        if (i >= desc_.color_count || !a.resource) {
            hw::RenderTarget none = null_render_target();
            none.internal_buffer_offset = offset_B;
            put(none, out);
            continue;
        }
        hw::RenderTarget rt = render_target(a, samples_);
        rt.internal_buffer_offset = offset_B;
        rt.write_enable = plan.store_colors >> i & 1;
        const bool clears = plan.clear_colors >> i & 1;
        // A whole area of an image with samples is resolved.
        rt.clean_pixel_write_enable = clears || samples_images_[i];
        if (clears) pack_clear_color(a.format, desc_.clear_color[i], rt.clear);
        put(rt, out);
        offset_B += tile_buffer_B(a.format, samples_) * tile_px_;
    }
    p.color_buffer_allocation = (std::max(offset_B, 1u) + 1023) & ~1023u;
    put(fb, piece.cpu);
    return words_of(hw::FramebufferPointer{
        .zs_crc_extension_present = has_extension, .render_target_count = targets, .pointer = piece.va});
}

void Pass::finish_tiling() {
    CsBuilder& b = recorder_.vertex;
    b.emit(hw::CsFinishTiling{});
    b.wait(1u << kSlotIterators);
    hw::CsHeapOperation completed;
    completed.operation = hw::CsHeapEvent::VertexTilerCompleted;
    completed.signal_slot = kSlotDeferred;
    b.emit(completed);
    recorder_.signal_vertex();
}

template <class F>
void Pass::each_attachment(const Plan& plan, bool in_parts, const F& f) const {
    for (uint32_t i = 0; i < desc_.color_count; ++i) {
        const bool stores = in_parts || (plan.store_colors >> i & 1);
        if (pipe::Resource* const r = desc_.color[i].resource)
            f(mali(*r).jobs, plan.load.colors >> i & 1, stores);
        if (MaliResource* const r = samples_images_[i].get()) f(r->jobs, in_parts, stores);
    }
    if (pipe::Resource* const r = desc_.depth_stencil.resource; r && plan.has_zs)
        f(mali(*r).jobs, plan.load.depth || plan.load.stencil,
          in_parts || plan.store_depth || plan.store_stencil);
}

uint64_t Pass::write_oom_context(InternalShaders& shaders, const Plan& plan, const Crc& crc, bool in_parts,
                                 uint64_t framebuffer, const PixelRect& area) {
    OomContext c;
    c.tiler_context = tiler_va_;
    bool flushes = false;
    const uint64_t number = recorder_.signal_handler(needs_, in_parts, &flushes);
    c.draw_after(recorder_.queue().sequence_va(QueueKind::Fragment), number);
    c.reads_drawn = flushes;
    uint64_t partial = 0;
    if (in_parts) {
        Plan all = plan;
        for (uint32_t i = 0; i < desc_.color_count; ++i)
            if (desc_.color[i].resource) all.store_colors |= uint8_t(1u << i);
        if (plan.has_zs) {
            const pipe::FormatInfo& f = pipe::format_info(desc_.depth_stencil.format);
            all.store_depth = f.has_depth;
            all.store_stencil = f.has_stencil;
        }
        const bool stores_all = all.store_colors == plan.store_colors &&
                                all.store_depth == plan.store_depth &&
                                all.store_stencil == plan.store_stencil;
        c.first_framebuffer = stores_all ? framebuffer : write_framebuffer(shaders, all, crc, false);
        Plan more = all;
        more.clear_colors = 0;
        more.clear_depth = more.clear_stencil = false;
        more.load = {all.store_colors, all.store_depth, all.store_stencil};
        // The first part has made the checksums valid.
        const Crc later{crc.target, crc.used()};
        c.middle_framebuffer = write_framebuffer(shaders, more, later, true);
        more.store_colors = plan.store_colors;
        more.store_depth = plan.store_depth;
        more.store_stencil = plan.store_stencil;
        partial = stores_all ? c.middle_framebuffer : write_framebuffer(shaders, more, later, true);
        hw::pack(scissor_of(area), c.scissor);
        if (recorder_.device().tells_slow()) recorder_.watch_heap(oom_.cpu);
    }
    std::memcpy(oom_.cpu, &c, sizeof c);
    return partial;
}

/// The layers before the last one, a fragment job each. The heap is freed after the last one's.
void Pass::draw_other_layers(std::span<const uint64_t> framebuffers) {
    for (const uint64_t framebuffer : framebuffers) {
        recorder_.fragment.set64(hw::FragmentRegisters::framebuffer, framebuffer);
        recorder_.run_fragment(job_, 0);
        // The shaders of several layers may store to the same memory.
        if (stores_) recorder_.separate_fragment_jobs();
    }
}

/// Changes the attachments to those of the layer.
void Pass::choose_layer(uint32_t layer) {
    const auto choose = [&](pipe::Attachment& a) {
        if (a.resource && a.layer_count > 1) a.first_layer += layer - layer_;
    };
    for (uint32_t i = 0; i < desc_.color_count; ++i)
        choose(desc_.color[i]);
    choose(desc_.depth_stencil);
    layer_ = layer;
}

void Pass::emit_fragment_job(const Plan& plan, uint64_t framebuffer, uint64_t partial,
                             const PixelRect& area) {
    using R = hw::FragmentRegisters;
    CsBuilder& b = recorder_.fragment;
    recorder_.open_fragment();
    // Waits for all earlier vertex work: this pass's, and vertices that read what the pass will change.
    recorder_.await_vertex();
    recorder_.meet(QueueKind::Fragment, needs_);
    if (partial)
        TilerOomHandler::choose_framebuffer(b, oom_.va, framebuffer, partial);
    else
        b.set64(R::framebuffer, framebuffer);
    set_fragment_area(b, area);
    draw_other_layers(other_layers_);
    if (!other_layers_.empty()) b.set64(R::framebuffer, framebuffer);
    recorder_.run_fragment(job_, tiler_va_);
    if (stores_to_buffers_) recorder_.note_fragment_stores(job_);
    each_attachment(plan, partial, [&](LastJobs& image, bool loads, bool stores) {
        if (loads) image.note_read(size_t(QueueKind::Fragment), job_);
        if (stores) image.note_written(size_t(QueueKind::Fragment), job_);
    });
}

/// The pixels whose tiles the fragment job draws. Never empty: the job also frees the tiler's memory.
PixelRect Pass::drawn_area(bool all) const {
    const PixelRect r = all ? extent() : touched_;
    const PixelRect inside = intersect(r, {desc_.area.x0, desc_.area.y0, desc_.area.x1, desc_.area.y1});
    return inside.empty() ? r : inside;
}

void Pass::end(InternalShaders& shaders) {
    if (!active_) return;
    // Another context may have replaced an attachment's memory since begin().
    write_attachments();
    for (const pipe::Ref<MaliResource>& image : samples_images_)
        if (image) recorder_.write(*image);
    contexts::drop_stores(&desc_, discarded_);
    const Plan p = plan();
    const bool keeps = p.stores() && (p.clears() || draws_);
    // Even if nothing is stored, the tiler may have run, and occlusion queries may count.
    if (keeps || tiler_va_) {
        const PixelRect area = drawn_area(keeps && p.clears());
        const Crc crc = choose_crc(p, area);
        other_layers_.clear();
        for (; layer_ + 1 < layers(); choose_layer(layer_ + 1))
            other_layers_.push_back(write_framebuffer(shaders, p, crc, false));
        const uint64_t framebuffer = write_framebuffer(shaders, p, crc, false);
        choose_layer(0);
        // If the pass certainly fits into the heap with a margin, an exhausted heap only waits until earlier
        // passes have released their part. So do layered passes: the handler draws one framebuffer.
        const bool in_parts = heap_B_ > recorder_.queue().heap_limit_B() / 4 && layers() == 1;
        each_attachment(p, in_parts, [&](const LastJobs& image, bool loads, bool stores) {
            if (loads) needs_.reads(image);
            if (stores) needs_.writes(image);
        });
        uint64_t partial = 0;
        if (tiler_va_) {
            partial = write_oom_context(shaders, p, crc, in_parts, framebuffer, area);
            finish_tiling();
        }
        emit_fragment_job(p, framebuffer, partial, area);
        note_crc(p, crc, partial != 0);
        resolve_samples(shaders, p, area);
    }
    drop();
}

}  // namespace terrazzo::mali
