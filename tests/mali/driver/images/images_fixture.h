// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images on a virtual device, and their memory as the virtual GPU's units see it.
#pragma once

#include <cstring>
#include <random>
#include <vector>

#include "drivers/common/images/transfer.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/sim/core/memory.h"
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

/// Rows of blocks of a box, tightly packed.
struct Picture {
    uint32_t row_B = 0, rows = 0, images = 0;
    std::vector<uint8_t> bytes;
    Picture(pipe::Format f, const pipe::Box& b)
        : row_B(uint32_t(pipe::format_row_B(f, uint32_t(b.width)))),
          rows(pipe::format_block_rows(f, uint32_t(b.height))),
          images(uint32_t(b.depth)),
          bytes(size_t(row_B) * rows * images) {}
    uint8_t* row(uint32_t y, uint32_t z) { return bytes.data() + (size_t(z) * rows + y) * row_B; }
    bool operator==(const Picture&) const = default;
};

inline Picture read_image(mali::MaliResource& r, uint32_t level, const pipe::Box& box) {
    Picture p(r.desc.format, box);
    const pipe::Mapping m = images::map_resource(r, level, box, pipe::map_flag::kRead);
    REQUIRE(m.data);
    for (uint32_t z = 0; z < p.images; ++z)
        for (uint32_t y = 0; y < p.rows; ++y)
            std::memcpy(p.row(y, z),
                        static_cast<uint8_t*>(m.data) + z * m.layer_stride_B + uint64_t(y) * m.row_stride_B,
                        p.row_B);
    images::unmap_resource(r, m);
    return p;
}

inline void write_image(mali::MaliResource& r, uint32_t level, const pipe::Box& box, Picture& p,
                        uint32_t flags = pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange) {
    const pipe::Mapping m = images::map_resource(r, level, box, flags);
    REQUIRE(m.data);
    for (uint32_t z = 0; z < p.images; ++z)
        for (uint32_t y = 0; y < p.rows; ++y)
            std::memcpy(static_cast<uint8_t*>(m.data) + z * m.layer_stride_B + uint64_t(y) * m.row_stride_B,
                        p.row(y, z), p.row_B);
    images::unmap_resource(r, m);
}

inline Picture random_picture(pipe::Format f, const pipe::Box& b, std::mt19937& random) {
    Picture p(f, b);
    for (uint8_t& v : p.bytes)
        v = uint8_t(random());
    return p;
}

}  // namespace terrazzo::test
