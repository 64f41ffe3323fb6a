// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attachments with more samples in the pass than in their image (pipe::Attachment::samples). In GMEM the
// samples have no other memory: a tile's load copies the image's pixel to each, and its store resolves them.
// In sysmem they are in an image of their own. Source: Mesa 25.0.7, fd6_gmem.cc (blit_can_resolve,
// emit_resolve_blit), fd6_blitter.cc (fd6_resolve_tile).
#include <algorithm>
#include <new>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/images/blit2d.h"
#include "drivers/adreno/images/blit_event.h"
#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/submission/restore.h"

namespace terrazzo::adreno {

using namespace pipe::attachment_bit;
using pipe::Format;

namespace {

/// Whether BLIT events resolve the format: they average small unsigned numbers, or take the first sample.
bool event_resolves(const Surface& s) {
    const pipe::FormatInfo& f = pipe::format_info(s.pipe_format);
    constexpr unsigned kMostBits = 10;
    const pipe::ChannelType type = f.channel[0].type;
    const bool two_bytes = f.block_B == 2 && f.channel_count == 2;
    return !f.is_srgb && !two_bytes && f.component_bits(0) <= kMostBits &&
           (type == pipe::ChannelType::Unorm || f.is_pure_int());
}

/// The format of the image with the samples. It has four channels for formats of one or two bytes, whose
/// samples are not columns that the 2D engine could fill.
Format samples_format(Format f) {
    using enum pipe::Format;
    static constexpr Format kForms[][3] = {{R8_UNORM, R8G8_UNORM, R8G8B8A8_UNORM},
                                           {R8_SRGB, R8G8_SRGB, R8G8B8A8_SRGB},
                                           {R8_SNORM, R8G8_SNORM, R8G8B8A8_SNORM},
                                           {R8_UINT, R8G8_UINT, R8G8B8A8_UINT},
                                           {R8_SINT, R8G8_SINT, R8G8B8A8_SINT}};
    for (const auto& [one, two, four] : kForms)
        if (f == one || f == two) return four;
    return f;
}

pipe::Scissor all_of(const Side2d& s) {
    return {0, 0, int32_t(s.width), int32_t(s.height)};
}

}  // namespace

bool Pass::resolves() const {
    return std::any_of(targets_.color, targets_.color + targets_.color_count,
                       [](const Surface& s) { return s.is_resolved(); });
}

void Pass::store_color_tile(CsBuilder& cs, uint32_t i) {
    const Surface& s = targets_.color[i];
    if (!s.is_resolved() || event_resolves(s))
        return store_tile(cs, s, plan_.places.color_B[i], desc_.width, desc_.height);
    const pipe::FormatInfo& f = pipe::format_info(s.pipe_format);
    const Side2d dst = side2d(s);
    Side2d src{.format = s.format, .srgb = dst.srgb};
    src.tile_mode = hw::TileMode::TILE6_2;
    src.samples = s.pass_samples;
    src.width = desc_.width;
    src.height = desc_.height;
    src.pitch_B = plan_.tile_w_px * s.pass_samples * f.block_B;
    src.va = recorder_.device().gmem_va() + plan_.places.color_B[i];
    // GRAS_2D_RESOLVE_CNTL has the tile's rectangle.
    Engine2d engine;
    (void)hw::blit_format(s.format, &engine.ifmt);
    if (f.is_srgb) engine.ifmt = hw::Ifmt2d::R2D_UNORM8_SRGB;
    engine.is_uint = f.is_pure_uint;
    engine.is_sint = f.is_pure_sint;
    engine.scissored = true;
    write_rects(cs, all_of(src), all_of(src));
    write_engine(cs, engine, dst);
    write_source(cs, src, 0, false, !f.is_pure_int());
    write_target(cs, dst, 0);
    recorder_.sync_caches(cs, {.invalidate_uche = true, .wait_for_idle = true});
    cs.packet(hw::CpBlit{.op = hw::BlitOp::BLIT_OP_SCALE});
    cs.wait_for_idle();
    // The next tile's loads do not go through the CCU.
    recorder_.sync_caches(cs, {.flush_color = true, .wait_for_idle = true});
}

AdrenoResource& Pass::samples_of(uint32_t i) {
    const Surface& s = targets_.color[i];
    pipe::ResourceDesc d;
    d.format = samples_format(s.pipe_format);
    d.width = s.width_px;
    d.height = s.height_px;
    d.samples = s.pass_samples;
    d.bind = pipe::bind::kColor;
    pipe::Ref<AdrenoResource>& image = samples_[i];
    if (!image || image->desc != d) image = AdrenoResource::create(recorder_.device(), d);
    if (!image) throw std::bad_alloc();
    return *image;
}

void Pass::write_sysmem_resolved(CsBuilder& cs, bool goes_on) {
    const hw::Chip& chip = recorder_.device().chip();
    const Traffic t = traffic(goes_on);
    pipe::BlitInfo back[pipe::kMaxColorTargets];
    recorder_.sync_caches(cs, {.flush_color = true,
                               .flush_depth = true,
                               .invalidate_color = true,
                               .invalidate_depth = true,
                               .resolve = true,
                               .invalidate_uche = true});
    recorder_.sync_for_sysmem(true, true, true);
    for (uint32_t i = 0; i < targets_.color_count; ++i) {
        Surface& s = targets_.color[i];
        if (!s.is_resolved()) continue;
        AdrenoResource& image = samples_of(i);
        recorder_.hold_read(image);
        recorder_.hold_written(image);
        const pipe::Attachment& a = desc_.color[i];
        const pipe::Box box{0, 0, 0, int32_t(s.width_px), int32_t(s.height_px), 1};
        back[i].src = {&image, image.desc.format, 0, box};
        back[i].dst = {a.resource, s.pipe_format, a.level, box};
        back[i].dst.box.z = int32_t(a.first_layer);
        Blit2d spread;
        if ((t.loads & kColor0 << i) && plan_spread2d({.src = back[i].dst, .dst = back[i].src}, &spread))
            write_blit2d(cs, chip, spread);
        (void)describe_surface(image, Format::None, 0, 0, &s);
    }
    recorder_.note_engine_2d();
    recorder_.sync_caches(cs, {.invalidate_color = true, .invalidate_depth = true});
    write_sysmem(cs);
    recorder_.sync_caches(cs, {.invalidate_color = true, .invalidate_uche = true});
    for (uint32_t i = 0; i < targets_.color_count; ++i) {
        Blit2d resolve;
        if (back[i].src.resource && (t.stores & kColor0 << i) && plan_blit2d(back[i], &resolve))
            write_blit2d(cs, chip, resolve);
    }
    recorder_.note_engine_2d();
    note_written(kAllTargets, CachePath::Several, CachePath::Several);
}

}  // namespace terrazzo::adreno
