// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes whose format, offset or stride the hardware cannot fetch. For each draw, the CPU converts them
// to floats in pool memory, for the vertices that the draw reads.
#pragma once

#include <span>

#include "drivers/common/images/access.h"
#include "drivers/mali/passes/draw_state.h"

namespace terrazzo::mali {

class ConvertedVertices : contexts::ContextPart<StateTypes> {
  public:
    using ContextPart::ContextPart;

    /// Called after a change of attributes or buffers: chooses the attributes to convert.
    void choose() {
        locations_ =
            attributes_to_convert(*state_.layout, state_.vertex_buffers) & state_.program->attributes;
    }
    [[nodiscard]] bool any() const { return locations_ != 0; }
    [[nodiscard]] uint32_t buffers() const { return uint32_t(std::popcount(locations_)); }
    /// Finds the vertices that the ranges read, once the device has written what the CPU will read. False:
    /// there are none.
    [[nodiscard]] bool find(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    /// Converts, and replaces the attributes' descriptors. `first_buffer`: the number of the first free
    /// descriptor of a buffer; there are buffers(). Throws std::bad_alloc.
    void write(uint8_t* attribute_words, uint8_t* buffer_words, uint32_t first_buffer);

  private:
    void wait_for_inputs(const pipe::DrawInfo& info);

    uint32_t locations_ = 0;  // a bit for each attribute
    // What the draw reads.
    uint32_t first_vertex_ = 0, vertex_count_ = 0, instance_count_ = 0, first_instance_ = 0;
};

}  // namespace terrazzo::mali
