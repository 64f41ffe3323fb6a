// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes. A layout packs their descriptors; they are completed when buffers are bound.
#pragma once

#include <array>
#include <span>

#include "drivers/common/context/converted_vertices.h"
#include "drivers/mali/device.h"
#include "drivers/mali/images/resource.h"
#include "pipe/state.h"

namespace terrazzo::mali {

inline constexpr unsigned kAttribute_dw = 8, kBuffer_dw = 8;

class MaliVertexLayout final : public pipe::VertexLayout, public contexts::FetchedAttributes {
  public:
    explicit MaliVertexLayout(const pipe::VertexLayoutDesc& d);
    const pipe::VertexLayoutDesc desc;
    const uint64_t id;  // unique in the process, never 0
    /// Attribute descriptors without strides; their buffer_index is VertexElement::buffer.
    std::array<std::array<uint32_t, kAttribute_dw>, pipe::kMaxVertexAttribs> words{};
};

/// Writes the attribute descriptors of locations 0 ... `count`-1 and `buffers.size()` + 1 Buffer descriptors.
/// The last one is of the missing attribute at `missing_va` (16 bytes), for locations without a format or
/// buffer. Instanced attributes begin with element `first_instance`.
void write_attributes(const MaliVertexLayout& layout, std::span<const pipe::VertexBuffer> buffers,
                      uint32_t count, uint32_t first_instance, uint64_t missing_va, uint32_t* attributes,
                      uint32_t* buffer_descriptors);

using contexts::ConvertedAttribute;
/// Overwrites the descriptor that write_attributes() wrote for `location`: it reads buffer `buffer_index`,
/// which follows those of write_attributes() and is described at `buffer_descriptor`. Divisors are kept.
void write_converted_attribute(const MaliVertexLayout& layout, uint32_t location,
                               const ConvertedAttribute& from, uint32_t first_instance, uint32_t buffer_index,
                               uint32_t* attribute, uint32_t* buffer_descriptor);

}  // namespace terrazzo::mali
