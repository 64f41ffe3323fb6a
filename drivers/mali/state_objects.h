// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State objects: what can be packed when state is made is packed then; what depends on two objects or on the
// targets is put together by the functions below when one of them changed. `out` is GPU memory: written once,
// in order.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/program.h"
#include "drivers/mali/resource.h"
#include "pipe/state.h"

namespace terrazzo::mali {

class MaliRaster final : public pipe::RasterState {
  public:
    explicit MaliRaster(const pipe::RasterDesc& d);
    const pipe::RasterDesc desc;
    uint32_t flags_0;           // DcdFlags0 of polygons: culling, orientation, samples
    uint32_t flags_0_unculled;  // of points and lines, which have no faces
};

class MaliDepthStencil final : public pipe::DepthStencilState {
  public:
    explicit MaliDepthStencil(const pipe::DepthStencilDesc& d);
    const pipe::DepthStencilDesc desc;
    std::array<uint32_t, 8> words;  // without stencil references, bias and what the shader decides
    bool writes = false;            // depth or stencil may change
    bool always_passes = false;     // nothing can fail the tests
};

/// A DepthStencil descriptor. Without a depth (or stencil) attachment, tests on it pass and nothing is
/// written.
void write_depth_stencil(const MaliDepthStencil& zs, const MaliRaster& raster, uint8_t front_ref,
                         uint8_t back_ref, pipe::Format attachment, bool shader_writes_depth,
                         uint32_t out[8]);

class MaliBlend final : public pipe::BlendState {
  public:
    explicit MaliBlend(const pipe::BlendDesc& d);
    const pipe::BlendDesc desc;
    std::array<uint32_t, pipe::kMaxColorTargets> equation;  // BlendEquation, where fixed function can
    uint8_t fixed_function =
        0;  // bit a target: the equation has a form that hardware has (but for formats, constants)
    uint8_t opaque = 0;             // bit a target: source replaces destination, all channels
    uint8_t reads_destination = 0;  // bit a target
    uint8_t uses_constant = 0;      // bit a target
};

/// Blend shaders of a device, by what they do. Thread: any.
class BlendShaders;
struct DeleteBlendShaders {
    void operator()(BlendShaders*) const;
};
[[nodiscard]] std::unique_ptr<BlendShaders, DeleteBlendShaders> create_blend_shaders(Device& device);

struct BlendSummary {
    uint8_t targets_written = 0;  // bit a target
    bool reads_destination =
        false;  // of any target: a fragment may not be dropped because a later one covers it
    bool has_shader = false;
};

/// One Blend descriptor (4 words) a target of `formats` (None: no attachment), at least one. Blend shaders
/// are compiled on the way; they live as long as `shaders`. Throws std::bad_alloc.
[[nodiscard]] BlendSummary write_blend(BlendShaders& shaders, const MaliBlend& blend,
                                       std::span<const pipe::Format> formats, const float constant[4],
                                       const MaliProgram& program, uint32_t* out);

/// Early or late tests, and what may be killed: the DcdFlags0 bits that depend on the fragment shader, depth
/// and blending.
[[nodiscard]] uint32_t fragment_flags_0(const MaliProgram& program, const MaliDepthStencil& zs,
                                        const BlendSummary& blend, bool has_depth_stencil,
                                        bool occlusion_query, bool alpha_to_coverage);

inline constexpr unsigned kAttribute_dw = 8, kBuffer_dw = 8;

class MaliVertexLayout final : public pipe::VertexLayout {
  public:
    explicit MaliVertexLayout(const pipe::VertexLayoutDesc& d);
    const pipe::VertexLayoutDesc desc;
    /// Attribute descriptors without strides; buffer_index n is what VertexElement::buffer says.
    std::array<std::array<uint32_t, kAttribute_dw>, pipe::kMaxVertexAttribs> words;
    uint32_t unsupported =
        0;  // bit a location whose format the hardware lacks: such vertices are converted by the CPU
};

/// Attribute descriptors of locations 0 ... `count`-1 and the Buffer descriptors (`buffer_count`) they name.
/// Locations without a format or buffer read (0,0,0,1). `instanced`: the draw has instances.
void write_attributes(const MaliVertexLayout& layout, std::span<const pipe::VertexBuffer> buffers,
                      uint32_t count, uint32_t* attributes, uint32_t* buffer_descriptors);

}  // namespace terrazzo::mali
