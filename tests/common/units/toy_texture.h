// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A texture whose elements are in linear rows, for tests of the units.
#pragma once

#include <cstring>

#include "drivers/common/units/texture.h"

namespace terrazzo::test {

class ToyTexture : public units::Texture {
  public:
    /// `depth`: slices or layers (six for each cube).
    ToyTexture(pipe::Format format, pipe::ResourceKind kind, uint32_t width, uint32_t height, uint32_t depth,
               uint32_t levels, bool has_memory = true) {
        decoder_.format = units::format_reader(format);
        pipe::raster::TextureShape& shape = view_.shape;
        shape.kind = kind;
        shape.width = width, shape.height = height, shape.last_level = levels - 1;
        (view_.is_3d() ? shape.depth : shape.layers) = depth;
        for (uint32_t l = 0; has_memory && l < levels; ++l)
            levels_.emplace_back(size_t(row_B(l)) * rows_of(l) * (view_.is_3d() ? view_.depth_px(l) : depth));
    }
    void set_swizzle(const uint8_t (&swizzle)[4]) { std::copy_n(swizzle, 4, decoder_.swizzle); }
    window::Window& memory() { return window_; }
    std::vector<uint8_t>& bytes(uint32_t level) { return levels_[level]; }
    uint8_t* at(uint32_t level, uint32_t x_el, uint32_t y_el, uint32_t z) {
        return levels_[level].data() + (size_t(z) * rows_of(level) + y_el) * row_B(level) +
               size_t(x_el) * format().size_B;
    }

    unsigned reads = 0;
    pipe::raster::PixelRect last;
    bool is_broken = false;

  private:
    struct NoSpace : window::Space {
        window::Mapping find(uint64_t) override { return {}; }
        uint64_t epoch() const override { return 0; }
    };
    uint32_t row_B(uint32_t level) const {
        return (view_.width_px(level) + format().block_w_px - 1) / format().block_w_px * format().size_B;
    }
    uint32_t rows_of(uint32_t level) const {
        return (view_.height_px(level) + format().block_h_px - 1) / format().block_h_px;
    }
    bool read_elements(window::Window&, const Image& image, const pipe::raster::PixelRect& r, uint8_t* rows,
                       std::string* why) override {
        ++reads;
        last = r;
        const size_t n = format().size_B;
        for (int32_t y = r.y0; y < r.y1; ++y, rows += units::kTexelBlock_px * n)
            std::memcpy(rows, at(image.level, uint32_t(r.x0), uint32_t(y), image.z), size_t(r.x1 - r.x0) * n);
        if (is_broken) *why = "broken";
        return !is_broken;
    }

    NoSpace space_;
    window::Window window_{space_};
    std::vector<std::vector<uint8_t>> levels_;
};

}  // namespace terrazzo::test
