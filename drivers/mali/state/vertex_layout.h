// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes: descriptors made with the layout, completed when buffers are known.
#pragma once

#include <array>
#include <span>

#include "drivers/mali/device.h"
#include "drivers/mali/images/resource.h"
#include "pipe/state.h"

namespace terrazzo::mali {

inline constexpr unsigned kAttribute_dw = 8, kBuffer_dw = 8;
/// What an attribute without a format or a buffer reads: these four floats, in memory of the caller's.
inline constexpr float kMissingAttribute[4] = {0, 0, 0, 1};

class MaliVertexLayout final : public pipe::VertexLayout {
  public:
    explicit MaliVertexLayout(const pipe::VertexLayoutDesc& d);
    const pipe::VertexLayoutDesc desc;
    const uint64_t id;  // unique in the process, never 0
    /// Attribute descriptors without strides; buffer_index n is what VertexElement::buffer says.
    std::array<std::array<uint32_t, kAttribute_dw>, pipe::kMaxVertexAttribs> words{};
    uint32_t present = 0;  // bit a location that has a format
    /// Bit a location whose vertices must be converted by the CPU with any buffer: the hardware lacks the
    /// format, or its offset is not a multiple of its components' size.
    uint32_t unsupported = 0;
    /// Of a buffer: the addresses' and strides' bits that must be 0 (largest component - 1).
    std::array<uint8_t, pipe::kMaxVertexAttribs> alignment_bits{};
};

/// Attributes that have a buffer but that the hardware cannot fetch (bit a location): `unsupported`, and
/// those whose buffer's address or stride is not a multiple of a component's size. Convert them with
/// convert_vertices.
[[nodiscard]] uint32_t attributes_to_convert(const MaliVertexLayout& layout,
                                             std::span<const pipe::VertexBuffer> buffers);

/// Attribute descriptors of locations 0 ... `count`-1, and the Buffer descriptors they name:
/// `buffers.size()` + 1 of them, the last one of kMissingAttribute at `missing_va` (16 bytes), which
/// locations without a format or buffer read.
void write_attributes(const MaliVertexLayout& layout, std::span<const pipe::VertexBuffer> buffers,
                      uint32_t count, uint64_t missing_va, uint32_t* attributes,
                      uint32_t* buffer_descriptors);

/// An attribute that was converted to R32G32B32A32_FLOAT: element 0 at `va`, packed.
struct ConvertedAttribute {
    uint64_t va = 0;
    uint32_t size_B = 0;
};
/// Overwrites what write_attributes wrote for `location`: its descriptor reads buffer `buffer_index` (one
/// behind write_attributes' own), which is described at `buffer_descriptor`. Divisors stay.
void write_converted_attribute(const MaliVertexLayout& layout, uint32_t location,
                               const ConvertedAttribute& from, uint32_t buffer_index, uint32_t* attribute,
                               uint32_t* buffer_descriptor);

/// `count` elements from `first` on to four floats each. `buffer`, `size_B`: what is mapped of the vertex
/// buffer, from the address on where element 0 of offset 0 lies; elements beyond it read as zeros. `out` is
/// written in order.
void convert_vertices(const pipe::VertexElement& element, const uint8_t* buffer, uint64_t size_B,
                      uint32_t stride_B, uint32_t first, uint32_t count, float* out);

}  // namespace terrazzo::mali
