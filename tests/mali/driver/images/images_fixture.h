// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images on a virtual device, and their memory as the virtual GPU's units read it.
#pragma once

#include <vector>

#include "drivers/common/images/transfer.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/sim/core/memory.h"
#include "tests/common/picture.h"
#include "tests/mali/driver/device_fixture.h"

namespace terrazzo::test {

/// The memory of some buffer objects.
class BoSpace final : public mali::sim::Space {
  public:
    void add(const mali::Bo& bo) { bos_.push_back(&bo); }
    mali::sim::Mapping find(uint64_t va) override {
        for (const mali::Bo* bo : bos_)
            if (va >= bo->va && va < bo->va + bo->size_B)
                return {bo->va, bo->va + bo->size_B, bo->cpu, true, false};
        return {};
    }
    uint64_t epoch() const override { return 0; }

  private:
    std::vector<const mali::Bo*> bos_;
};

inline pipe::ResourceDesc image_desc(pipe::Format f, uint32_t width, uint32_t height, uint32_t levels = 1,
                                     uint32_t bind = pipe::bind::kSampled) {
    pipe::ResourceDesc d;
    d.format = f;
    d.width = width;
    d.height = height;
    d.levels = levels;
    d.bind = bind;
    return d;
}

inline pipe::Box level_box(const mali::MaliResource& r, uint32_t level) {
    const pipe::LevelLayout& l = r.layout.level[level];
    return {0, 0, 0, int32_t(l.width), int32_t(l.height), int32_t(r.layout.z_count(level))};
}

inline Picture read_image(mali::MaliResource& r, uint32_t level, const pipe::Box& box) {
    Picture p(r.desc.format, box);
    read_mapped(
        p, level, box,
        [&](uint32_t l, const pipe::Box& b, uint32_t f) { return images::map_resource(r, l, b, f); },
        [&](const pipe::Mapping& m) { images::unmap_resource(r, m); });
    return p;
}

inline void write_image(mali::MaliResource& r, uint32_t level, const pipe::Box& box, Picture& p,
                        uint32_t flags = pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange) {
    write_mapped(
        p, level, box, flags,
        [&](uint32_t l, const pipe::Box& b, uint32_t f) { return images::map_resource(r, l, b, f); },
        [&](const pipe::Mapping& m) { images::unmap_resource(r, m); });
}

}  // namespace terrazzo::test
