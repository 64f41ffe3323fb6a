// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes that the hardware cannot fetch because of their format, offset or stride. For each draw, the CPU
// converts them to four floats in pool memory, for the vertices that the draw reads.
#pragma once

#include <bit>
#include <span>

#include "drivers/common/images/access.h"

namespace terrazzo::contexts {

/// An attribute that was converted to R32G32B32A32_FLOAT. Element 0 is at `va`; elements are contiguous.
struct ConvertedAttribute {
    uint64_t va = 0;
    uint32_t size_B = 0;
};

class ConvertedVertices {
  public:
    /// The attributes and buffers that are bound.
    struct Inputs {
        const pipe::VertexLayoutDesc& layout;
        std::span<const pipe::VertexBuffer> buffers;
    };
    /// `context` must outlive this object.
    explicit ConvertedVertices(images::ImageAccess& context) : context_(context) {}

    /// Sets the attributes that later draws convert, a bit for each location. All of them must have buffers.
    void choose(uint32_t locations) { locations_ = locations; }
    [[nodiscard]] bool any() const { return locations_ != 0; }
    [[nodiscard]] uint32_t count() const { return uint32_t(std::popcount(locations_)); }
    /// Finds the vertices that the ranges read. It first waits until the device has written the buffers that
    /// the CPU reads. False: there are no vertices.
    [[nodiscard]] bool find(const Inputs& inputs, const pipe::DrawInfo& info,
                            std::span<const pipe::DrawRange> ranges);
    /// Converts the attributes for the vertices that find() has found, and calls write(location, attribute)
    /// for each attribute. Throws std::bad_alloc.
    template <class F>
    void convert(const Inputs& inputs, F&& write) {
        for (uint32_t rest = locations_; rest; rest &= rest - 1) {
            const auto location = uint32_t(std::countr_zero(rest));
            write(location, convert_one(inputs, location));
        }
    }

  private:
    void wait_for_inputs(const Inputs& inputs, const pipe::DrawInfo& info);
    [[nodiscard]] ConvertedAttribute convert_one(const Inputs& inputs, uint32_t location);

    images::ImageAccess& context_;
    uint32_t locations_ = 0;
    // The vertices and instances that the draw reads.
    uint32_t first_vertex_ = 0, vertex_count_ = 0, instance_count_ = 0, first_instance_ = 0;
};

}  // namespace terrazzo::contexts
