// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The compiler for AGX G13: compiles a linked shader to machine code, and lists what the driver must provide.
// It is re-entrant and deterministic. A shader with unsupported operations is refused with an error text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/agx/compiler/abi.h"
#include "drivers/agx/isa/isa.h"
#include "drivers/common/backend/target.h"
#include "shaders/ir/ir.h"

namespace terrazzo::agx::compiler {

struct Statistics {
    uint32_t instructions = 0, blocks = 0, loops = 0, spilled_words = 0, bytes = 0;
};

/// Coefficient registers of a fragment program: one hw::CfBinding each.
struct CoefficientGroup {
    enum class Source : uint8_t { W, Z, PointCoord, Varying };
    Source source = Source::Varying;
    uint8_t varying = 0;    // VaryingSlot::Varying0 + n
    uint8_t component = 0;  // the first one
    uint8_t count = 1;
    ir::Interp interp = ir::Interp::Smooth;
    uint8_t first_register = 0;
    bool operator==(const CoefficientGroup&) const = default;
};

/// Where a varying's first component is among the words that a vertex program outputs (st_var's number), and
/// how many components it has; count 0: it is not written.
struct OutputPlace {
    uint8_t word = 0, count = 0;
    bool operator==(const OutputPlace&) const = default;
};

struct Info {
    uint8_t registers = 0;                              // of 32 bits, from r0 on
    std::vector<UniformWord> uniforms;                  // from first_uniform_word() on
    uint32_t attributes = 0;                            // bit per location that is read
    uint8_t attribute_components[kMaxAttributes] = {};  // bits of components that are read
    /// Words of a vertex: position (4), smooth, flat, linear ones (hw::VaryingCounts), then the point size.
    OutputPlace outputs[ir::kMaxVaryings];
    uint8_t smooth_words = 0, flat_words = 0, linear_words = 0, output_words = 0;
    bool writes_point_size = false;
    std::vector<CoefficientGroup> coefficients;
    uint32_t textures = 0;  // bit per texture unit; texture and sampler n have the number n
    uint32_t cube_textures = 0, volume_textures = 0;  // of these, cubes and 3D textures
    uint32_t colors = 0;                              // bit per target that is written
    bool second_color = false;
    bool writes_depth = false, discards = false;
    /// The shader itself runs the tests of its samples (sample_mask, zs_emit): they cannot be early.
    bool runs_tests = false;
    bool uses_derivatives = false;
    uint32_t stack_B = 0;  // of each thread
    Statistics statistics;
};

struct Binary {
    static constexpr size_t kUnit_qw = 1, kLeast_qw = 0;  // of `code`: any length
    std::vector<isa::Unit> code;
    Info info;
    std::string error;  // not empty: refused
};

struct Options {
    /// Of a vertex shader: varyings that the fragment shader reads flat or without perspective. The others
    /// are smooth. They determine the order of a vertex' words.
    uint32_t flat_varyings = 0, linear_varyings = 0;
    /// Validates the code after every pass. An error names the pass.
    bool validate = backend::kValidates;
};

/// `s` is a vertex, fragment or compute stage of a linked program; it is not changed.
[[nodiscard]] Binary compile(const ir::Shader& s, const Options& options = {});

/// An attribute as it is in memory. Formats of device_load are converted to floats by the hardware, except
/// I8, I16 and I32; F16 by the piece.
struct Attribute {
    uint8_t location = 0;
    uint8_t components = 4;  // in memory; the others are 0, 0, 0, 1
    isa::Format format = isa::Format::kI32;
    /// What I8, I16 and I32 are: bits that are kept, or integers that become floats.
    enum class Kind : uint8_t { Bits, SignedBits, UnsignedToFloat, SignedToFloat } kind = Kind::Bits;
    bool integer = false;  // the shader's attribute is an integer: a missing w is 1, not 1.0
    uint32_t divisor = 0;  // 0: an element for each vertex
    bool operator==(const Attribute&) const = default;
};
/// Loads attributes for a vertex shader, `components[location]` of them (Info::attribute_components). An
/// element number beyond LastElement is replaced by it.
[[nodiscard]] Binary compile_fetch(std::span<const Attribute> attributes, const uint8_t* components);

/// Where a blend piece stores.
struct BlendTarget {
    uint32_t target = 0;
    isa::Format format = isa::Format::kU8Norm;  // in the tilebuffer
    uint32_t offset_B = 0;                      // of the target in a sample
    uint8_t components = 4;                     // of the format
    uint8_t mask = 15;                          // components that the target has and that are written
    bool waits = true;                          // the first piece of the program that accesses the tilebuffer
    bool operator==(const BlendTarget&) const = default;
};
/// A piece that blends and stores a target's colour. `s` is a fragment shader that
///   - loads the source colour by LoadInput of VaryingSlot::Varying0, the second one by Varying0 + 1,
///   - loads the destination by LoadSysval of Sysval::LastColor0, whatever the target,
///   - stores all four components of the result by StoreOutput of FragSlot::Color0, in no nested region,
///   - has no textures or discards. LoadUniform loads a word of the blend pieces' uniforms.
/// Null: the colour is stored as it is.
[[nodiscard]] Binary compile_blend(const ir::Shader* s, const BlendTarget& target,
                                   const Options& options = {});

}  // namespace terrazzo::agx::compiler
