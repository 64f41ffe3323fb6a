// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Maps and copies. The CPU copies; the 2D engine does not yet.
#include "drivers/adreno/context.h"
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
            dirty_ |= kVertexInputs;
            flags |= kUnsynchronized;
        } else {
            before_access(r, flags & kWrite);
        }
    }
    const uint32_t serial = r.storage_serial();
    const pipe::Mapping m = images::map_resource(r, level, box, flags);
    if (serial != r.storage_serial()) dirty_ |= kVertexInputs | kVertexTextures | kFragmentTextures;
    return m;
}

void AdrenoContext::unmap(pipe::Resource& resource, const pipe::Mapping& mapping) {
    images::unmap_resource(adreno(resource), mapping);
}

void AdrenoContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                                int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                                const pipe::Box& box) {
    AdrenoResource &dst = adreno(dst_resource), &src = adreno(src_resource);
    before_access(src, false);
    before_access(dst, true);
    images::copy_region_cpu(dst, dst_level, x, y, z, src, src_level, box);
}

}  // namespace terrazzo::adreno
