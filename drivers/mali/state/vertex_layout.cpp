// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, genxml/v10.xml, pan_cmdstream.c (which attributes are per instance), pan_attributes.c
// (divisors), pan_screen.c (components must be aligned). A divisor that is not a power of two becomes a
// multiplication: Granlund and Montgomery, "Division by invariant integers using multiplication" (1994), with
// (n + 1) times the lower factor where that is the exact one.
#include "drivers/mali/state/vertex_layout.h"

#include <bit>
#include <cstring>

#include "drivers/common/memory/device.h"
#include "drivers/mali/compiler/abi.h"
#include "drivers/mali/hw/formats.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

void set_divisor(uint32_t divisor, hw::Attribute* a) {
    if (!divisor) {
        a->frequency = hw::AttributeFrequency::Vertex;
        a->offset_enable = true;  // adds the draw's first vertex
        return;
    }
    a->frequency = hw::AttributeFrequency::Instance;
    const auto shift = uint32_t(std::bit_width(divisor)) - 1;
    a->divisor_r = shift;
    if (std::has_single_bit(divisor)) {
        a->attribute_type = hw::AttributeType::N1dPotDivisor;
        return;
    }
    a->attribute_type = hw::AttributeType::N1dNpotDivisor;
    const uint64_t power = uint64_t(1) << (32 + shift), rest = power % divisor;
    const bool lower = rest <= uint64_t(1) << shift;
    a->divisor_e = lower;
    a->divisor_d = uint32_t(power / divisor + !lower) & 0x7fffffff;  // bit 31 is implied
}

// The attribute of a location without a format or buffer; its buffer is added later.
constexpr uint32_t kOffsetWord = 2, kIndexWord = 3, kStrideWord = 4;
hw::Attribute vec4_attribute() {
    hw::Attribute a;
    a.table = unsigned(compiler::Table::AttributeBuffers);
    a.format = hw::pixel_format(hw::PixelFormatCode::RGBA32F, hw::ComponentOrder::RGBA);
    return a;
}

/// `row`: null: the hardware does not fetch the format.
hw::Attribute attribute_of(const pipe::VertexElement& e, const hw::FormatRow* row) {
    hw::Attribute a = vec4_attribute();
    if (e.format == pipe::Format::None) return a;
    if (row) a.format = row->pixel_format;
    a.buffer_index = e.buffer;
    a.offset = int32_t(e.offset_B);
    set_divisor(e.divisor, &a);
    return a;
}

}  // namespace

MaliVertexLayout::MaliVertexLayout(const pipe::VertexLayoutDesc& d) : desc(d), id(memory::unique_number()) {
    add_all(d, [this](uint32_t location, const pipe::VertexElement& e) {
        const hw::FormatRow* const row = e.format != pipe::Format::None ? hw::format_row(e.format) : nullptr;
        const bool supported = row && row->is_vertex;
        hw::pack(attribute_of(e, supported ? row : nullptr), words[location].data());
        return supported;
    });
}

void write_attributes(const MaliVertexLayout& layout, std::span<const pipe::VertexBuffer> buffers,
                      uint32_t count, uint32_t first_instance, uint64_t missing_va, uint32_t* attributes,
                      uint32_t* buffer_descriptors) {
    const auto missing_index = uint32_t(buffers.size());
    for (uint32_t i = 0; i < count; ++i, attributes += kAttribute_dw) {
        std::array<uint32_t, kAttribute_dw> words;
        const uint32_t buffer = layout.desc.elements[i].buffer;
        if ((layout.present >> i & 1) && buffer < buffers.size() && buffers[buffer].resource) {
            words = layout.words[i];
            words[kStrideWord] = buffers[buffer].stride_B;
            // OpenGL ES fetches element instance / divisor + first_instance. The hardware would divide the
            // sum, so the first instance is in the offset.
            if (layout.instanced >> i & 1) words[kOffsetWord] += first_instance * buffers[buffer].stride_B;
        } else {
            hw::pack(vec4_attribute(), words.data());
            words[kIndexWord] = missing_index;
        }
        std::memcpy(attributes, words.data(), sizeof words);
    }
    for (const pipe::VertexBuffer& b : buffers) {
        uint64_t va = missing_va;
        uint32_t size_B = 0;
        if (b.resource) {
            const MaliResource& r = mali(*b.resource);
            va = r.va() + b.offset_B;
            size_B = b.offset_B < r.desc.width ? uint32_t(r.desc.width - b.offset_B) : 0;
        }
        put_buffer(va, size_B, buffer_descriptors);
        buffer_descriptors += kBuffer_dw;
    }
    put_buffer(missing_va, 16, buffer_descriptors);
}

void write_converted_attribute(const MaliVertexLayout& layout, uint32_t location,
                               const ConvertedAttribute& from, uint32_t first_instance, uint32_t buffer_index,
                               uint32_t* attribute, uint32_t* buffer_descriptor) {
    hw::Attribute a = vec4_attribute();
    set_divisor(layout.desc.elements[location].divisor, &a);
    a.buffer_index = buffer_index;
    a.stride = 16;
    if (layout.instanced >> location & 1) a.offset = int32_t(first_instance * a.stride);
    put(a, attribute);
    put_buffer(from.va, from.size_B, buffer_descriptor);
}

}  // namespace terrazzo::mali
