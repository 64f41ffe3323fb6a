// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Maps, copies and blits: by the 2D engine what it can, blits else by draws, the rest by the CPU.
#include <bit>
#include <new>

#include "drivers/adreno/context.h"
#include "drivers/adreno/images/blit2d.h"
#include "drivers/adreno/images/copy2d.h"
#include "drivers/adreno/images/planes.h"
#include "drivers/adreno/passes/restore.h"
#include "drivers/adreno/passes/state_aside.h"
#include "drivers/common/images/transfer.h"

namespace terrazzo::adreno {

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

void AdrenoContext::before_access(AdrenoResource& r, bool write) {
    if (!recorder_.uses(*r.bo(), write)) return;
    screen_.device().slow("recorded work is submitted and waited for: the CPU wants to %s %s",
                          write ? "write" : "read",
                          r.desc.kind == pipe::ResourceKind::Buffer ? "a buffer" : "an image");
    (void)submit();
}

pipe::Mapping AdrenoContext::map(pipe::Resource& resource, uint32_t level, const pipe::Box& box,
                                 uint32_t flags) {
    using namespace pipe::map_flag;
    AdrenoResource& r = adreno(resource);
    if (flags & kWrite) r.keep_plain();
    if (r.ubwc() && pipe::layout_box_valid(r.layout, level, box)) {
        if (maps_through_rows(r, box, flags)) {
            if (!maps_often(r) || try_make_plain(r) == images::FormChange::Others)
                return map_compressed(r, level, box, flags);
        } else if ((flags & kDontBlock) || !make_plain(r)) {
            return {};
        }
        flags &= ~kUnsynchronized;
    }
    if (!(flags & kUnsynchronized)) {
        // New memory for a buffer whose contents nobody wants costs less than waiting.
        if (r.desc.kind == pipe::ResourceKind::Buffer && (flags & kDiscardWhole) && !(flags & kRead) &&
            !(r.bo()->flags & bo_flag::kShareable) && (recorder_.uses(*r.bo(), true) || r.bo()->busy(true)) &&
            r.rename(recorder_.count_writes(*r.bo()))) {
            touch_memory(r);
            flags |= kUnsynchronized;
        } else {
            before_access(r, flags & kWrite);
        }
    }
    if (r.has_stencil_plane()) return map_planes(r, level, box, flags);
    const uint32_t serial = r.storage_serial();
    const pipe::Mapping m = images::map_resource(r, level, box, flags);
    if (serial != r.storage_serial()) touch_memory(r);
    return m;
}

void AdrenoContext::unmap(pipe::Resource& resource, const pipe::Mapping& mapping) {
    AdrenoResource& r = adreno(resource);
    if (r.has_stencil_plane()) return unmap_planes(r, mapping);
    const images::UnmapAtEnd unmap(r, mapping);
    write_compressed(r, mapping);
}

void AdrenoContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                                int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                                const pipe::Box& box) {
    AdrenoResource &dst = adreno(dst_resource), &src = adreno(src_resource);
    const ImageCopy copy{&dst, dst_level, x, y, z, &src, src_level, box};
    dst.keep_plain();
    if (!can_copy(copy))
        for (AdrenoResource* const r : {&dst, &src})
            if (r->ubwc() && !make_plain(*r)) return;
    if ((!pass_.active() && copy_by_engine(copy)) || copy_by_way_of_aside(copy)) return;
    // Another context has compressed or decompressed one of them meanwhile.
    if (src.ubwc() || dst.ubwc())
        for (AdrenoResource* const r : {&dst, &src})
            if (r->ubwc() && !make_plain(*r)) return;
    const BufferCopy bytes{&dst, uint64_t(x), &src, uint64_t(box.x), uint64_t(box.width)};
    if (can_copy(bytes) && !pass_.active() && copies_by_engine(dst, src, bytes.size_B)) {
        (void)run_engine_on({src}, {dst}, [&](CsBuilder& cs, const hw::Chip& chip) {
            copy_bytes(cs, chip, bytes);
            return true;
        });
        return;
    }
    before_access(src, false);
    before_access(dst, true);
    if (dst.has_stencil_plane() && src.has_stencil_plane())
        return copy_planes(dst, dst_level, x, y, z, src, src_level, box);
    images::copy_region_cpu(dst, dst_level, x, y, z, src, src_level, box);
}

/// What the CPU had to wait for, and what is much.
bool AdrenoContext::copies_by_engine(AdrenoResource& dst, AdrenoResource& src, uint64_t size_B) {
    constexpr uint64_t kMuch_B = 64 * 1024;
    return size_B >= kMuch_B || recorder_.uses(*src.bo(), false) || recorder_.uses(*dst.bo(), true) ||
           src.bo()->busy(false) || dst.bo()->busy(true);
}

bool AdrenoContext::copy_by_engine(const ImageCopy& c) {
    return can_copy(c) && run_engine_on(c.from(), c.to(), [&](CsBuilder& cs, const hw::Chip& chip) {
               if (!can_copy(c)) return false;
               copy_images(cs, chip, c);
               return true;
           });
}

bool AdrenoContext::copy_by_way_of_aside(const ImageCopy& c) {
    if (c.src->desc.kind == pipe::ResourceKind::Buffer || c.src != c.dst || c.src_level != c.dst_level ||
        pass_.active() || !pipe::layout_box_valid(c.src->layout, c.src_level, c.box))
        return false;
    const pipe::Ref<AdrenoResource> aside = create_aside(*c.src, c.box, false);
    const ImageCopy out{aside.get(), 0, 0, 0, 0, c.src, c.src_level, c.box},
        back{c.dst, c.dst_level, c.x, c.y,
             c.z,   aside.get(), 0,   {0, 0, 0, c.box.width, c.box.height, c.box.depth}};
    return can_copy(out) && can_copy(back) && copy_by_engine(out) && copy_by_engine(back);
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
    const pipe::Ref<AdrenoResource> aside = create_aside(image, all, false);
    const ImageCopy copy{aside.get(), 0, 0, 0, 0, &image, info.src.level, all};
    pipe::BlitInfo from_aside = info;
    from_aside.src.resource = aside.get();
    from_aside.src.level = 0;
    from_aside.src.box.z = 0;
    Blit2d plan;
    return can_copy(copy) && plan_blit2d(from_aside, &plan) && copy_by_engine(copy) &&
           blit_by_engine(from_aside);
}

// --- compressed images -------------------------------------------------------------------------------------

void AdrenoContext::begin_drawing(const pipe::Attachment& a) {
    if (!a.resource) return;
    AdrenoResource& r = adreno(*a.resource);
    const pipe::Format format = a.format == pipe::Format::None ? r.desc.format : a.format;
    r.begin_drawing(format);
    if (r.ubwc() && !ubwc_compatible(r.desc.format, format)) (void)make_plain(r);
}

bool AdrenoContext::make_plain(AdrenoResource& r) {
    if (r.pins.load(std::memory_order_relaxed)) {
        log_(pipe::Severity::Error,
             "adreno: a compressed image that others share cannot be used in this way");
        return false;
    }
    if (try_make_plain(r) == images::FormChange::Done) return true;
    log_(pipe::Severity::Error,
         "adreno: cannot decompress an image: another context draws to it and does not flush");
    throw std::bad_alloc();
}

images::FormChange AdrenoContext::try_make_plain(AdrenoResource& r) {
    screen_.device().slow("a compressed image of %s becomes plain", pipe::format_info(r.desc.format).name);
    const PausedPass paused(*this);
    (void)submit();  // then nothing but the copy is recorded under the lock
    const images::FormChange change = images::change_form(
        r, [&] { return !r.ubwc(); },
        [&] {
            const pipe::Ref<Bo> old = r.bo();
            pipe::Ref<Bo> memory = screen_.device().create_bo(old->size_B, old->flags);
            if (!memory) throw std::bad_alloc();
            CsBuilder& cs = recorder_.main;
            recorder_.read(r);
            recorder_.use(memory, true);
            pass_.write_restore(cs, screen_.restore());
            recorder_.sync_for_sysmem(true, true, false);
            for (uint32_t level = 0; level < r.desc.levels; ++level)
                copy_whole(cs, screen_.device().chip(), r.desc.format, plain_level(r, level, memory->va),
                           whole_level(r, level), r.desc.layers);
            recorder_.note_engine_2d();
            (void)submit();
            r.become_plain(std::move(memory));
        });
    touch_memory(r);
    return change;
}

void AdrenoContext::make_odd_views_plain() {
    std::vector<AdrenoResource*> images;
    const auto add = [&](AdrenoResource& r) {
        if (r.ubwc()) images.push_back(&r);
    };
    // Those that the program uses: others may be gone.
    for (size_t stage = 0; stage < stages_.size(); ++stage) {
        const StageState& s = stages_[stage];
        const compiler::Info& info = program_->stages[stage].info;
        for (uint32_t rest = s.odd_views & info.textures; rest; rest &= rest - 1)
            add(static_cast<const AdrenoSamplerView&>(*s.textures.views[size_t(std::countr_zero(rest))])
                    .image());
        for (uint32_t rest = s.odd_images & info.images; rest; rest &= rest - 1)
            add(adreno(*s.images[size_t(std::countr_zero(rest))].resource));
    }
    if (images.empty()) return;
    const PausedPass paused(*this);
    for (AdrenoResource* const r : images)
        if (r->ubwc()) (void)make_plain(*r);
}

pipe::Ref<AdrenoResource> AdrenoContext::create_aside(const AdrenoResource& r, const pipe::Box& box,
                                                      bool rows) {
    pipe::ResourceDesc d;
    d.kind = box.depth > 1 ? pipe::ResourceKind::Tex2DArray : pipe::ResourceKind::Tex2D;
    d.format = r.desc.format;
    d.width = uint32_t(box.width);
    d.height = uint32_t(box.height);
    d.layers = uint32_t(box.depth);
    d.samples = r.desc.samples;
    d.bind = rows ? pipe::bind::kLinear : pipe::bind::kSampled;
    pipe::Ref<AdrenoResource> aside = AdrenoResource::create(screen_.device(), d, bo_flag::kUndefined);
    if (!aside) throw std::bad_alloc();
    return aside;
}

bool AdrenoContext::maps_through_rows(const AdrenoResource& r, const pipe::Box& box, uint32_t flags) {
    using namespace pipe::map_flag;
    return !(flags & (kDontBlock | kPersistent)) && r.desc.samples == 1 && box.width > 0 && box.height > 0 &&
           !pipe::format_info(r.desc.format).is_depth_stencil();
}

bool AdrenoContext::maps_often(AdrenoResource& r) {
    constexpr uint32_t kOften = 8;
    return !r.pins.load(std::memory_order_relaxed) &&
           r.maps.fetch_add(1, std::memory_order_relaxed) >= kOften;
}

pipe::Mapping AdrenoContext::map_compressed(AdrenoResource& r, uint32_t level, const pipe::Box& box,
                                            uint32_t flags) {
    using namespace pipe::map_flag;
    if (!(flags & kRead) && (flags & (kDiscardRange | kDiscardWhole)))
        return images::map_copied_rows(r, level, box, flags, {});
    const pipe::Ref<AdrenoResource> rows = create_aside(r, box, true);
    (void)copy_by_engine({rows.get(), 0, 0, 0, 0, &r, level, box});
    (void)submit();
    (void)rows->bo()->wait(false, ~uint64_t(0));  // a lost device leaves the contents undefined
    const pipe::LevelLayout& l = rows->layout.level[0];
    return images::map_copied_rows(r, level, box, flags,
                                   {rows->cpu() + l.offset_B, l.row_stride_B, rows->layout.z_stride_B(0)});
}

void AdrenoContext::write_compressed(AdrenoResource& r, const pipe::Mapping& mapping) {
    uint32_t level;
    pipe::Box box;
    if (!images::writes_compressed(mapping, &level, &box)) return;
    const pipe::Ref<AdrenoResource> rows = create_aside(r, box, true);
    images::fill_linear(*rows, mapping);
    (void)copy_by_engine(
        {&r, level, box.x, box.y, box.z, rows.get(), 0, {0, 0, 0, box.width, box.height, box.depth}});
}

// --- the engine --------------------------------------------------------------------------------------------

bool AdrenoContext::try_blit(const pipe::BlitInfo& b) {
    if (pass_.active() || !b.src.resource || !b.dst.resource) return false;
    if (blit_by_engine(b)) return true;
    blits::DrawBlits& draws = screen_.draw_blits();
    if (!draws.can(b)) return false;
    const StateAside aside(*this);
    return draws.run(*this, b, *screen_.rectangle, screen_.rectangle_layout.get(), log_);
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

}  // namespace terrazzo::adreno
