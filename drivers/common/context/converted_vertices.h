// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes that the hardware cannot fetch because of their format, offset or stride. For each draw, the CPU
// converts them to four floats in pool memory, for the vertices that the draw reads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "drivers/common/images/access.h"

namespace terrazzo::contexts {

/// Which attributes of a layout the hardware can fetch. A vendor's layout derives from it.
struct FetchedAttributes {
    uint32_t present = 0;    // a bit for each location that has a format
    uint32_t instanced = 0;  // of these, the locations with a divisor
    /// A bit for each location that the CPU must convert whatever its buffer: the hardware lacks the format,
    /// or the offset is not a multiple of the component's size.
    uint32_t unsupported = 0;
    /// For each buffer, the bits of its address and stride that must be 0: the largest component's size - 1.
    std::array<uint8_t, pipe::kMaxVertexAttribs> alignment_bits{};

    /// `supported`: the hardware has the format.
    void add(uint32_t location, const pipe::VertexElement& e, bool supported);
    /// For the locations of a layout. put(location, element): false: the hardware lacks the element's format,
    /// which is None for locations that are not present.
    template <class F>
    void add_all(const pipe::VertexLayoutDesc& layout, F&& put) {
        for (uint32_t i = 0; i < std::min(layout.count, pipe::kMaxVertexAttribs); ++i) {
            const bool supported = put(i, layout.elements[i]);
            if (layout.elements[i].format != pipe::Format::None) add(i, layout.elements[i], supported);
        }
    }
};
/// The attributes, a bit for each location, that have a buffer from which the hardware cannot fetch them:
/// `unsupported` ones, and those with an address or stride that is not a multiple of the component's size.
[[nodiscard]] uint32_t attributes_to_convert(const pipe::VertexLayoutDesc& layout,
                                             const FetchedAttributes& fetched,
                                             std::span<const pipe::VertexBuffer> buffers);
/// Of a vendor's layout.
template <class Layout>
[[nodiscard]] uint32_t attributes_to_convert(const Layout& layout,
                                             std::span<const pipe::VertexBuffer> buffers) {
    return attributes_to_convert(layout.desc, layout, buffers);
}

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
