// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Maps and copies: images by the 2D engine, the rest by the CPU.
#include "drivers/adreno/context.h"
#include "drivers/adreno/images/copy2d.h"
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
            touch_memory();
            flags |= kUnsynchronized;
        } else {
            before_access(r, flags & kWrite);
        }
    }
    const uint32_t serial = r.storage_serial();
    const pipe::Mapping m = images::map_resource(r, level, box, flags);
    if (serial != r.storage_serial()) touch_memory();
    return m;
}

void AdrenoContext::unmap(pipe::Resource& resource, const pipe::Mapping& mapping) {
    images::unmap_resource(adreno(resource), mapping);
}

void AdrenoContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                                int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                                const pipe::Box& box) {
    AdrenoResource &dst = adreno(dst_resource), &src = adreno(src_resource);
    const ImageCopy copy{&dst, dst_level, x, y, z, &src, src_level, box};
    if (can_copy(copy) && !pass_.active()) return copy_by_engine(copy);
    before_access(src, false);
    before_access(dst, true);
    images::copy_region_cpu(dst, dst_level, x, y, z, src, src_level, box);
}

void AdrenoContext::copy_by_engine(const ImageCopy& copy) {
    CsBuilder& cs = recorder_.main;
    const hw::Chip& chip = screen_.device().chip();
    recorder_.read(*copy.src);
    recorder_.write(*copy.dst);
    recorder_.read(*copy.dst);
    pass_.write_restore(cs, screen_.restore());
    recorder_.sync_caches(cs, {.invalidate_color = true, .invalidate_depth = true, .invalidate_uche = true});
    write_sysmem_ccu(cs, chip);
    copy_images(cs, chip, copy);
    recorder_.sync_caches(cs, {.flush_color = true, .invalidate_color = true, .invalidate_uche = true});
    if (cs.size_dw() > kMuchRecorded_dw) (void)submit();
}

bool AdrenoContext::try_blit(const pipe::BlitInfo& b) {
    const auto inside = [](const pipe::BlitSide& s) {
        const pipe::LevelLayout& l = adreno(*s.resource).layout.level[s.level];
        return s.box.x >= 0 && s.box.y >= 0 && s.box.z >= 0 &&
               int64_t(s.box.x) + s.box.width <= int64_t(l.width) &&
               int64_t(s.box.y) + s.box.height <= int64_t(l.height);
    };
    // Bits as they are, of all that the format has.
    if (!b.src.resource || !b.dst.resource || b.scissored || pass_.active()) return false;
    const pipe::Format format = b.dst.resource->desc.format;
    for (const pipe::Format f : {b.src.format, b.dst.format, b.src.resource->desc.format})
        if (f != format) return false;
    const pipe::FormatInfo& info = pipe::format_info(format);
    if (info.is_depth_stencil() ? b.depth != info.has_depth || b.stencil != info.has_stencil : !b.color)
        return false;
    if (b.src.box.width != b.dst.box.width || b.src.box.height != b.dst.box.height ||
        b.src.box.depth != b.dst.box.depth)
        return false;
    const ImageCopy copy{&adreno(*b.dst.resource), b.dst.level, b.dst.box.x, b.dst.box.y, b.dst.box.z,
                         &adreno(*b.src.resource), b.src.level, b.src.box};
    if (!can_copy(copy) || !inside(b.src) || !inside(b.dst)) return false;
    copy_by_engine(copy);
    return true;
}

}  // namespace terrazzo::adreno
