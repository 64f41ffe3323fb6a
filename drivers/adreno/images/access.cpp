// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Maps, copies and blits: by the 2D engine what it can, the rest by the CPU.
#include "drivers/adreno/context.h"
#include "drivers/adreno/images/blit2d.h"
#include "drivers/adreno/images/copy2d.h"
#include "drivers/adreno/images/planes.h"
#include "drivers/adreno/passes/restore.h"
#include "drivers/common/images/transfer.h"

namespace terrazzo::adreno {

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
    if (!(flags & kUnsynchronized)) {
        // New memory for a buffer whose contents nobody wants costs less than waiting.
        if (r.desc.kind == pipe::ResourceKind::Buffer && (flags & kDiscardWhole) && !(flags & kRead) &&
            !(r.bo()->flags & bo_flag::kShareable) &&
            (recorder_.uses(*r.bo(), true) || r.bo()->uses.busy(true)) && r.rename()) {
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
    r.has_stencil_plane() ? unmap_planes(r, mapping) : images::unmap_resource(r, mapping);
}

void AdrenoContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                                int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                                const pipe::Box& box) {
    AdrenoResource &dst = adreno(dst_resource), &src = adreno(src_resource);
    const ImageCopy copy{&dst, dst_level, x, y, z, &src, src_level, box};
    if (can_copy(copy) && !pass_.active())
        return run_engine_on(src, dst,
                             [&](CsBuilder& cs, const hw::Chip& chip) { copy_images(cs, chip, copy); });
    const BufferCopy bytes{&dst, uint64_t(x), &src, uint64_t(box.x), uint64_t(box.width)};
    if (can_copy(bytes) && !pass_.active() && copies_by_engine(dst, src, bytes.size_B))
        return run_engine_on(src, dst,
                             [&](CsBuilder& cs, const hw::Chip& chip) { copy_bytes(cs, chip, bytes); });
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
           src.bo()->uses.busy(false) || dst.bo()->uses.busy(true);
}

template <class F>
void AdrenoContext::run_engine_on(AdrenoResource& src, AdrenoResource& dst, F&& write) {
    CsBuilder& cs = recorder_.main;
    const hw::Chip& chip = screen_.device().chip();
    recorder_.read(src);
    recorder_.write(dst);
    recorder_.read(dst);
    pass_.write_restore(cs, screen_.restore());
    recorder_.sync_caches(cs, {.invalidate_color = true, .invalidate_depth = true, .invalidate_uche = true});
    write_sysmem_ccu(cs, chip);
    write(cs, chip);
    recorder_.sync_caches(cs, {.flush_color = true, .invalidate_color = true, .invalidate_uche = true});
    if (cs.size_dw() > kMuchRecorded_dw) (void)submit();
}

bool AdrenoContext::try_blit(const pipe::BlitInfo& b) {
    if (pass_.active() || !b.src.resource || !b.dst.resource) return false;
    AdrenoResource &src = adreno(*b.src.resource), &dst = adreno(*b.dst.resource);
    const bool planes = src.has_stencil_plane();
    if (planes != dst.has_stencil_plane()) return false;
    Blit2d blits[2];
    unsigned count = 0;
    if ((!planes || b.depth) && !plan_blit2d(b, &blits[count++])) return false;
    if (planes && b.stencil && !plan_blit2d(b, &blits[count++], Plane::Stencil)) return false;
    run_engine_on(src, dst, [&](CsBuilder& cs, const hw::Chip& chip) {
        for (unsigned i = 0; i < count; ++i)
            write_blit2d(cs, chip, blits[i]);
    });
    return count != 0;
}

}  // namespace terrazzo::adreno
