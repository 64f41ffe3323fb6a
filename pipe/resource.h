// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Resources (buffers and images) and their views. Row 0 of an image is first in memory, and is GLES's bottom
// row of a texture or framebuffer, so nothing below the API flips images. Window systems that want the top
// row first get it at presentation.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "pipe/format.h"
#include "pipe/ref.h"

namespace terrazzo::pipe {

enum class ResourceKind : uint8_t { Buffer, Tex2D, Tex3D, Cube, Tex2DArray, CubeArray };

/// The uses of a resource; a driver may refuse combinations (Screen::format_supported).
namespace bind {
inline constexpr uint32_t kVertex = 1, kIndex = 2, kConstant = 4, kSampled = 8, kColor = 16,
                          kDepthStencil = 32, kStorage = 64, kImage = 128, kIndirect = 256, kStreamOut = 512,
                          kScanout = 1024, kShared = 2048,
                          kLinear = 4096;  // kLinear: the layout must be linear
}

/// Which accesses are frequent; a hint.
enum class Usage : uint8_t { Default, Dynamic, Staging };

struct ResourceDesc {
    ResourceKind kind = ResourceKind::Tex2D;
    Format format = Format::None;  // Buffer: None
    uint32_t width = 1;            // px; Buffer: size in bytes
    uint32_t height = 1;
    uint32_t depth = 1;   // Tex3D
    uint32_t layers = 1;  // array layers; Cube: 6, CubeArray: 6n
    uint32_t levels = 1;
    uint32_t samples = 1;
    uint32_t bind = 0;
    Usage usage = Usage::Default;
    bool operator==(const ResourceDesc&) const = default;
};

/// A buffer or image. Screens create them; drivers derive from the class. Work in flight counts as a use: a
/// driver holds references to all that its unfinished work uses.
class Resource : public RefCounted {
  public:
    explicit Resource(const ResourceDesc& d, const char* not_writable = nullptr)
        : desc(d), not_writable(not_writable) {}
    const ResourceDesc desc;
    /// For imported memory that may only be read: a sentence that names the rule against writing. Devices
    /// refuse to write such a resource, and code that offers writes to programs must check this first. Null:
    /// it may be written.
    const char* const not_writable;
};

/// A region of a level: x, y in pixels; z is the first layer, cube face or depth slice.
struct Box {
    int32_t x = 0, y = 0, z = 0;
    int32_t width = 0, height = 1, depth = 1;
    bool operator==(const Box&) const = default;
};

struct SamplerViewDesc {
    ResourceKind kind = ResourceKind::Tex2D;
    Format format = Format::None;
    uint8_t first_level = 0, last_level = 0;
    uint16_t first_layer = 0, last_layer = 0;
    Swizzle swizzle[4] = {Swizzle::Channel0, Swizzle::Channel1, Swizzle::Channel2, Swizzle::Channel3};
    bool stencil = false;  // sample the stencil aspect of a depth-stencil format
    // Buffer: the range of the texels; a part of a texel at the end is ignored
    uint64_t buffer_offset_B = 0, buffer_size_B = 0;
    bool operator==(const SamplerViewDesc&) const = default;
};

/// A resource as a shader samples it. Holds a reference to its resource.
class SamplerView : public RefCounted {
  public:
    SamplerView(Ref<Resource> r, const SamplerViewDesc& d) : resource(std::move(r)), desc(d) {}
    const Ref<Resource> resource;
    const SamplerViewDesc desc;
};

/// CPU access to a region; valid until unmap.
struct Mapping {
    void* data = nullptr;       // first byte of the box; null: failed (out of memory, or would block)
    uint32_t row_stride_B = 0;  // for compressed formats: between rows of blocks
    uint64_t layer_stride_B = 0;
    void* cookie = nullptr;  // for the driver's use
};

namespace map_flag {
inline constexpr uint32_t kRead = 1, kWrite = 2, kDiscardRange = 4, kDiscardWhole = 8, kUnsynchronized = 16,
                          kPersistent = 32, kDontBlock = 64;
}

}  // namespace terrazzo::pipe
