// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/transfers/transfers.h"

#include <new>

#include "drivers/adreno/images/blit2d.h"

namespace terrazzo::adreno {
namespace {

EngineSide source(const ImageCopy& c) {
    return {adreno(c.src), images::part_of(c.src_level, c.from)};
}
EngineSide target(const ImageCopy& c) {
    return {adreno(c.dst), images::part_of(c.dst_level, c.to)};
}

}  // namespace

template <class F>
bool Transfers::run_engine_on(const EngineSide& src, const EngineSide& dst, F&& write) {
    CsBuilder& cs = recorder_.main;
    const hw::Chip& chip = screen_.device().chip();
    // References to the target keep its memory and form as they are while they are recorded.
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
    if (recorder_.is_much()) (void)context_.submit();
    return true;
}

void Transfers::record_plain_copy(images::StoredResource& from, const Bo& to) {
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

bool Transfers::copy(const ImageCopy& c) {
    c.dst.keep_plain();
    return !pass_.active() && (copy_by_engine(c) || copy_through_temporary(c));
}

bool Transfers::copy_bytes(const images::BufferCopy& c) {
    return run_engine_on({adreno(c.src)}, {adreno(c.dst)}, [&](CsBuilder& cs, const hw::Chip& chip) {
        adreno::copy_bytes(cs, chip, c);
        return true;
    });
}

bool Transfers::copy_by_engine(const ImageCopy& c) {
    return can_copy(c) && run_engine_on(source(c), target(c), [&](CsBuilder& cs, const hw::Chip& chip) {
               if (!can_copy(c)) return false;
               copy_images(cs, chip, c);
               return true;
           });
}

bool Transfers::copy_through_temporary(const ImageCopy& c) {
    if (&c.src != &c.dst || c.src_level != c.dst_level) return false;
    const pipe::Ref<images::StoredResource> temporary = context_.create_temporary(c.src, c.from, false);
    const pipe::Box all{0, 0, 0, c.from.width, c.from.height, c.from.depth};
    const ImageCopy out{*temporary, 0, all, c.src, c.src_level, c.from},
        back{c.dst, c.dst_level, c.to, *temporary, 0, all};
    return can_copy(out) && can_copy(back) && copy_by_engine(out) && copy_by_engine(back);
}

bool Transfers::blit(const pipe::BlitInfo& b) {
    AdrenoResource &src = adreno(*b.src.resource), &dst = adreno(*b.dst.resource);
    if (&src == &dst && b.src.level == b.dst.level) return false;  // DrawBlits reads a copy
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
    const EngineSide from{src, images::part_of(b.src.level, b.src.box)},
        to{dst, images::part_of(b.dst.level, b.dst.box)};
    // Planned again under the lock: another context may have changed the images' forms.
    return run_engine_on(from, to, [&](CsBuilder& cs, const hw::Chip& chip) {
        if (!plan()) return false;
        for (unsigned i = 0; i < count; ++i)
            write_blit2d(cs, chip, blits[i]);
        return count != 0;
    });
}

}  // namespace terrazzo::adreno
