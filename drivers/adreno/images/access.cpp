// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies and blits: by the 2D engine what it can, blits else by draws, the rest by the CPU.
#include <bit>
#include <new>

#include "drivers/adreno/context.h"
#include "drivers/adreno/images/blit2d.h"
#include "drivers/adreno/images/copy2d.h"
#include "drivers/adreno/images/planes.h"
#include "drivers/adreno/submission/restore.h"

namespace terrazzo::adreno {
namespace {

EngineSide source(const ImageCopy& c) {
    return {adreno(c.src), part_of(c.src_level, c.from)};
}
EngineSide target(const ImageCopy& c) {
    return {adreno(c.dst), part_of(c.dst_level, c.to)};
}

}  // namespace

template <class F>
bool AdrenoContext::run_engine_on(const EngineSide& src, const EngineSide& dst, F&& write) {
    CsBuilder& cs = recorder_.main;
    const hw::Chip& chip = screen_.device().chip();
    // What work is recorded to write stays as it is.
    recorder_.hold_read(dst.resource);
    recorder_.hold_written(dst.resource);
    {
        const std::lock_guard guard(src.resource.mutex());
        recorder_.read(src.resource, src.part);
        recorder_.use_target(dst.resource, dst.part, CachePath::Engine2d);
        pass_.write_restore(cs, screen_.restore());
        recorder_.sync_for_sysmem(true, true, false);
        if (!write(cs, chip)) return false;
        recorder_.note_engine_2d();
        recorder_.note_written(dst.resource, dst.part, CachePath::Engine2d);
    }
    if (is_much_recorded()) (void)submit();
    return true;
}

// --- what images::ImageAccess asks for ---------------------------------------------------------------------

pipe::Ref<images::StoredResource> AdrenoContext::create_staged(const pipe::ResourceDesc& desc,
                                                               images::StagingMemory& memory) {
    return AdrenoResource::create_staged(screen_.device(), desc, memory);
}

bool AdrenoContext::copies_compressed(const images::StoredResource& r) const {
    return r.desc.samples == 1 && !pipe::format_info(r.desc.format).is_depth_stencil();
}

void AdrenoContext::record_plain_copy(images::StoredResource& from, const Bo& to) {
    AdrenoResource& r = adreno(from);
    CsBuilder& cs = recorder_.main;
    recorder_.read(r);
    pass_.write_restore(cs, screen_.restore());
    recorder_.sync_for_sysmem(true, true, false);
    for (uint32_t level = 0; level < r.desc.levels; ++level)
        copy_whole(cs, screen_.device().chip(), r.desc.format, plain_level(r, level, to.va),
                   whole_level(r, level), r.desc.layers);
    recorder_.note_engine_2d();
}

pipe::Mapping AdrenoContext::map_now(images::StoredResource& r, uint32_t level, const pipe::Box& box,
                                     uint32_t flags) {
    return adreno(r).has_stencil_plane() ? map_planes(adreno(r), level, box, flags)
                                         : images::map_resource(r, level, box, flags);
}

void AdrenoContext::unmap_now(images::StoredResource& r, const pipe::Mapping& mapping) {
    adreno(r).has_stencil_plane() ? unmap_planes(adreno(r), mapping) : images::unmap_resource(r, mapping);
}

void AdrenoContext::copy_by_cpu(const ImageCopy& c) {
    if (adreno(c.dst).has_stencil_plane() && adreno(c.src).has_stencil_plane()) return copy_planes(c);
    ImageAccess::copy_by_cpu(c);
}

bool AdrenoContext::copy_by_device(const ImageCopy& c) {
    c.dst.keep_plain();
    return !pass_.active() && (copy_by_engine(c) || copy_by_way_of_aside(c));
}

bool AdrenoContext::copy_bytes_by_device(images::StoredResource& dst, uint64_t dst_B,
                                         images::StoredResource& src, uint64_t src_B, uint64_t size_B) {
    constexpr uint64_t kMuch_B = 64 * 1024;
    const BufferCopy bytes{&adreno(dst), dst_B, &adreno(src), src_B, size_B};
    return can_copy(bytes) && !pass_.active() && device_shall_copy(dst, src, size_B, kMuch_B) &&
           run_engine_on({adreno(src)}, {adreno(dst)}, [&](CsBuilder& cs, const hw::Chip& chip) {
               copy_bytes(cs, chip, bytes);
               return true;
           });
}

bool AdrenoContext::copy_by_engine(const ImageCopy& c) {
    return can_copy(c) && run_engine_on(source(c), target(c), [&](CsBuilder& cs, const hw::Chip& chip) {
               if (!can_copy(c)) return false;
               copy_images(cs, chip, c);
               return true;
           });
}

bool AdrenoContext::copy_by_way_of_aside(const ImageCopy& c) {
    if (&c.src != &c.dst || c.src_level != c.dst_level) return false;
    const pipe::Ref<images::StoredResource> aside = create_aside(c.src, c.from, false);
    const pipe::Box all{0, 0, 0, c.from.width, c.from.height, c.from.depth};
    const ImageCopy out{*aside, 0, all, c.src, c.src_level, c.from},
        back{c.dst, c.dst_level, c.to, *aside, 0, all};
    return can_copy(out) && can_copy(back) && copy_by_engine(out) && copy_by_engine(back);
}

// --- what is bound or drawn to -----------------------------------------------------------------------------

void AdrenoContext::begin_drawing(const pipe::Attachment& a) {
    if (!a.resource) return;
    AdrenoResource& r = adreno(*a.resource);
    const pipe::Format format = a.format == pipe::Format::None ? r.desc.format : a.format;
    r.begin_drawing(format);
    if (r.is_compressed() && !r.compresses_alike(format)) (void)make_plain(r);
}

void AdrenoContext::make_odd_views_plain() {
    std::vector<AdrenoResource*> images;
    const auto add = [&](AdrenoResource& r) {
        if (r.is_compressed()) images.push_back(&r);
    };
    // Those that the program uses: others may be gone.
    for (size_t stage = 0; stage < state_.stages.size(); ++stage) {
        const contexts::BoundStage& s = state_.stages[pipe::Stage(stage)];
        const compiler::Info& info = state_.program->stages[stage].info;
        for (uint32_t rest = s.odd_views & info.textures; rest; rest &= rest - 1)
            add(static_cast<const AdrenoSamplerView&>(*s.views[size_t(std::countr_zero(rest))]).image());
        for (uint32_t rest = s.odd_images & info.images; rest; rest &= rest - 1)
            add(adreno(*s.images[size_t(std::countr_zero(rest))].resource));
    }
    if (images.empty()) return;
    const PausedPass paused(*this);
    for (AdrenoResource* const r : images)
        if (r->is_compressed()) (void)make_plain(*r);
}

// --- blits -------------------------------------------------------------------------------------------------

bool AdrenoContext::try_blit(const pipe::BlitInfo& b) {
    if (pass_.active() || !b.src.resource || !b.dst.resource) return false;
    if (blit_by_engine(b)) return true;
    blits::DrawBlits& draws = screen_.draw_blits();
    if (!draws.can(b)) return false;
    const StateAside aside(*this);
    return draws.run(*this, b, screen_.draw_clears().rectangle(), screen_.draw_clears().layout(), log_);
}

bool AdrenoContext::blit_by_engine(const pipe::BlitInfo& b) {
    AdrenoResource &src = adreno(*b.src.resource), &dst = adreno(*b.dst.resource);
    if (&src == &dst && b.src.level == b.dst.level) return blit_from_aside(b);
    dst.begin_drawing(b.dst.format);
    const bool planes = src.has_stencil_plane();
    if (planes != dst.has_stencil_plane()) return false;
    Blit2d blits[2];
    unsigned count = 0;
    const auto plan = [&] {
        count = 0;
        if ((!planes || b.depth) && !plan_blit2d(b, &blits[count++])) return false;
        return !planes || !b.stencil || plan_blit2d(b, &blits[count++], Plane::Stencil);
    };
    if (!plan()) return false;
    const EngineSide from{src, part_of(b.src.level, b.src.box)}, to{dst, part_of(b.dst.level, b.dst.box)};
    // Where both are as they were, or as others have made them.
    return run_engine_on(from, to, [&](CsBuilder& cs, const hw::Chip& chip) {
        if (!plan()) return false;
        for (unsigned i = 0; i < count; ++i)
            write_blit2d(cs, chip, blits[i]);
        return count != 0;
    });
}

/// All of the source's level is copied, so that the blit stays as it is.
bool AdrenoContext::blit_from_aside(const pipe::BlitInfo& info) {
    AdrenoResource& image = adreno(*info.src.resource);
    if (image.desc.kind == pipe::ResourceKind::Buffer || info.src.level >= image.desc.levels ||
        info.src.box.depth != 1 || info.src.box.z < 0 ||
        uint32_t(info.src.box.z) >= image.layout.z_count(info.src.level))
        return false;
    const pipe::LevelLayout& l = image.layout.level[info.src.level];
    const pipe::Box all{0, 0, info.src.box.z, int32_t(l.width), int32_t(l.height), 1};
    const pipe::Ref<images::StoredResource> aside = create_aside(image, all, false);
    const ImageCopy copy{*aside, 0, {0, 0, 0, all.width, all.height, 1}, image, info.src.level, all};
    pipe::BlitInfo from_aside = info;
    from_aside.src.resource = aside.get();
    from_aside.src.level = 0;
    from_aside.src.box.z = 0;
    Blit2d plan;
    return can_copy(copy) && plan_blit2d(from_aside, &plan) && copy_by_engine(copy) &&
           blit_by_engine(from_aside);
}

}  // namespace terrazzo::adreno
