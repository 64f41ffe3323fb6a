// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex fetch in the shader: loads of attributes become loads of buffers and conversions of what they hold.
// For devices without attribute fetch, or without that of some formats, and for vertex stages that run as
// compute.
//
// The record that a vertex reads is gl_VertexID, which includes the draw's first vertex or base vertex; with
// a divisor it is gl_InstanceID / divisor + the base instance (OpenGL ES 3.2 section 10.3.4,
// EXT_base_instance). Offsets and strides are any numbers of bytes: unaligned attributes are put together of
// aligned words. Missing components read (0, 0, 0, 1).
#pragma once

#include <array>
#include <cstdint>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

inline constexpr unsigned kMaxFetchedAttributes = 32;

/// What a channel's bits mean. Scaled ones are integers that the shader reads as floats; Fixed has 16 bits of
/// fraction.
enum class FetchType : uint8_t { Unorm, Snorm, Uint, Sint, Uscaled, Sscaled, Fixed, Float };

struct FetchedAttribute {
    enum class Source : uint8_t {
        Device,   // the load stays as it is: the device converts the format itself
        Buffer,   // the rest of this struct says what is read
        Nothing,  // reads (0, 0, 0, 1)
    };
    Source source = Source::Device;
    FetchType type = FetchType::Float;
    uint8_t channels = 4;  // 1 to 4
    std::array<uint8_t, 4> bits = {32, 32, 32,
                                   32};  // of each channel, from the lowest bit up: 2, 8, 10, 16 or 32
    uint8_t buffer = 0;                  // added to VertexFetchOptions::first_binding
    uint32_t offset_B = 0, stride_B = 0;
    uint32_t divisor = 0;  // 0: a record a vertex
};

struct VertexFetchOptions {
    std::array<FetchedAttribute, kMaxFetchedAttributes> attributes;  // by location
    /// The first storage buffer (MemInfo::binding) with attributes. The sizes of ranges must be rounded up to
    /// multiples of 4 bytes: words that are partly within a range are read.
    int first_binding = 0;
    /// Dword records_dw + location of the default block is how many records of the attribute lie wholly
    /// within its buffer; later ones read zeros. Negative: there are no such numbers, and out-of-range words
    /// alone read zeros.
    int records_dw = -1;
};

/// `s` is a linked vertex stage. Loads with a dynamic index stay as they are; the front end makes none for
/// attributes. Call simplifying passes and gather_info afterwards. Whether it changed anything.
[[nodiscard]] bool vertex_fetch(Shader& s, const VertexFetchOptions& options);

}  // namespace terrazzo::ir
