// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The registers' state for a draw's pixels, decoded once per draw. A needed register that was never written,
// or that contradicts another one, is a fault. Source of the rules: Mesa 25.0.7,
// gallium/drivers/freedreno/a6xx (registers that are written together) and a6xx.xml.
#pragma once

#include <array>

#include "drivers/adreno/isa/isa.h"
#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/adreno/sim/texture/prefetch.h"
#include "drivers/common/units/color.h"
#include "drivers/common/units/fragment_tests.h"

namespace terrazzo::adreno::sim {

inline constexpr unsigned kMaxTargets = 8;

/// r63.x: no register.
inline constexpr isa::Reg kNoRegister = isa::reg(63, 0);

/// Where a fragment's barycentrics are evaluated, in the order of GRAS_CNTL's bits: perspective-correct ones,
/// then linear ones.
enum class Place : uint8_t { Pixel, Centroid, Sample };
inline constexpr unsigned kPlaces = 3;

/// The registers at the start of a fragment shader.
struct FragmentInputs {
    isa::Reg ij[2][kPlaces];  // [linear][place]: i, with j in the next register
    isa::Reg face;            // half: 0 for front faces, ~0 for back faces
    isa::Reg sample_id;       // half
    isa::Reg sample_mask, center_rhw;
    isa::Reg xy, zw;  // 1/16 px as integers; floats
    uint8_t coord_mask = 0;
    bool coords_at_sample = false, mask_after_tests = false;
    bool any_ij = false;
    /// Any but i and j.
    bool any_other() const {
        for (const isa::Reg r : {face, sample_id, sample_mask, center_rhw, xy, zw})
            if (r != kNoRegister) return true;
        return false;
    }
};

struct FragmentOutputs {
    struct Color {
        isa::Reg reg = kNoRegister;
        bool half = false;
    };
    Color color[kMaxTargets];
    isa::Reg depth = kNoRegister, stencil = kNoRegister, sample_mask = kNoRegister;
};

struct FragmentShader {
    bool enabled = false;
    uint64_t code_va = 0, private_va = 0, private_total_B = 0;
    uint32_t private_B = 0, constant_words = 0;
    unsigned full_registers = 0, half_registers = 0, branch_stack = 0;
    unsigned lanes = 64;  // of a wave: 64 or 128
    bool merged_registers = true;
};

/// How a fragment shader's inputs are made from outputs of vertices: VPC.
struct VaryingState {
    uint32_t interp[8] = {}, replace[8] = {};  // two bits per location
    uint32_t count = 0;                        // locations
    unsigned primitive_id = 255;               // the location of the primitive id that VPC makes; 255: none
    bool flip_point_t = false;

    hw::VaryingInterpMode mode(unsigned location) const {
        return hw::VaryingInterpMode(interp[location / 16] >> location % 16 * 2 & 3);
    }
    hw::VaryingPsReplMode replacement(unsigned location) const {
        return hw::VaryingPsReplMode(replace[location / 16] >> location % 16 * 2 & 3);
    }
};

/// An image to which pixels are written.
struct Target {
    bool used = false;
    const char* name = "";  // the register that has its address
    unsigned number = 0;
    Surface surface;
    SurfaceDesc desc;
    uint64_t layer_B = 0, flags_layer_B = 0;
    uint32_t sample_B = 0;
};

struct ColorOutput {
    Target target;
    units::ColorTarget how;
};

struct PixelState {
    uint32_t draw = 0;
    // ---- Place ----
    bool in_gmem = false;
    int32_t offset_x = 0, offset_y = 0;    // of GMEM's first pixel in the window
    pipe::raster::PixelRect bounds;        // pixels outside are never written
    pipe::raster::PixelRect viewport[16];  // scissors of views
    unsigned views = 0;                    // the number of valid ones
    unsigned samples = 1;
    units::SamplePattern pattern;
    units::DepthBias bias;
    // ---- Tests ----
    units::FragmentTests tests;
    bool early = false;  // tests run before the shader
    bool alpha_test = false;
    pipe::Compare alpha_compare = pipe::Compare::Always;
    float alpha_reference = 0;
    bool counts = false;  // counts the samples that pass
    // ---- Shading ----
    bool per_sample = false;
    bool ordered = false;  // a primitive's textures contain the writes of earlier ones
    FragmentShader shader;
    FragmentInputs in;
    FragmentOutputs out;
    VaryingState varying;
    TexturePrefetch prefetch;
    // ---- Colours ----
    std::array<ColorOutput, kMaxTargets> color;
    Target depth_target, stencil_target;
    unsigned color_count = 0;
    uint32_t sample_mask = ~0u;
    bool alpha_to_coverage = false, alpha_to_one = false, dual_source = false;
};

/// Reads the machine's registers. `views`: how many viewports the draw's primitives use.
[[nodiscard]] bool load_pixel_state(Machine& machine, uint32_t draw, unsigned views, PixelState* out,
                                    Fault* fault);

// Its parts.
[[nodiscard]] bool load_raster(Machine& machine, unsigned views, PixelState* out, Fault* fault);
/// The part of load_raster() that LRZ needs, also in binning passes.
[[nodiscard]] bool load_lrz_raster(Machine& machine, unsigned views, PixelState* out, Fault* fault);
[[nodiscard]] bool load_tests(Machine& machine, PixelState* out, Fault* fault);
[[nodiscard]] bool load_shader(Machine& machine, PixelState* out, Fault* fault);
[[nodiscard]] bool load_inputs(Machine& machine, PixelState* out, Fault* fault);
[[nodiscard]] bool load_colors(Machine& machine, PixelState* out, Fault* fault);
[[nodiscard]] bool load_depth_target(Machine& machine, PixelState* out, Fault* fault);

/// Prefixes the report with "draw 3: "; returns false.
bool in_draw(uint32_t draw, Fault* fault);

}  // namespace terrazzo::adreno::sim
