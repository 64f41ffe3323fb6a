// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What compiled shaders and the driver agree on: resource tables, where uniforms lie, what is preloaded in
// which register. Registers and the tables of hardware are facts (Mesa 25.0.7, bifrost_compile.c,
// va_compiler.h); the rest is our choice.
#pragma once

#include <array>
#include <cstdint>

namespace terrazzo::mali::compiler {

/// Resource tables of a draw, in the order of the shader resource table.
enum class Table : uint8_t { UniformBuffers, Attributes, AttributeBuffers, Samplers, Textures };
/// Where hardware keeps what IDVS allocates: table 61 says it in four bits as 13.
inline constexpr unsigned kIdvsTableImmediate = 13;

/// Registers that threads start with.
inline constexpr unsigned kVertexIdRegister = 60, kInstanceIdRegister = 61, kIdvsIndexRegister = 59;
inline constexpr unsigned kFrontFaceRegister = 58;  // 0: the front
inline constexpr unsigned kPixelRegister = 59;      // x in the low half, y in the high one
inline constexpr unsigned kCoverageRegister = 60, kSampleRegister = 61;
/// Of compute shaders: the invocation in its workgroup (x and y in halves of the first, z in the next), the
/// workgroup.
inline constexpr unsigned kLocalIdRegister = 55, kWorkgroupIdRegister = 57;
/// By convention with blend shaders: the colour, and where to return.
/// A blend shader may overwrite r0..r15 and r48.
inline constexpr unsigned kBlendColorRegister = 0, kBlendSecondColorRegister = 4, kBlendReturnRegister = 48;

/// Values that the driver puts among the uniforms.
enum class Sysval : uint8_t {
    ViewportScaleX,
    ViewportScaleY,
    ViewportScaleZ,
    ViewportOffsetX,
    ViewportOffsetY,
    ViewportOffsetZ,
    FramebufferHeight,  // px
    /// InternalConversion that reads render target n as four floats (its memory format, register format F32).
    TargetConversion0,
    TargetConversion7 = TargetConversion0 + 7,
    /// Whether render target n's format has channel c, at 4n + c: not 0 if it does. The tile buffer may hold
    /// more.
    TargetChannel0,
    TargetChannel31 = TargetChannel0 + 31,
    /// Address of the storage buffer of a compute shader.
    BufferLow,
    BufferHigh,
};
inline constexpr unsigned kSysvalCount = unsigned(Sysval::BufferHigh) + 1;

/// One 32-bit word of the shader's uniforms (FAU).
struct UniformWord {
    /// A dword of the default block, a value, compiler::Sysval; two dwords (low | high << 16) as 16-bit
    /// floats, rounded to nearest.
    enum class Kind : uint8_t { Uniform, Constant, Sysval, Halves };
    Kind kind = Kind::Uniform;
    uint32_t value = 0;
    bool operator==(const UniformWord&) const = default;
};
/// At most: 64 entries of 64 bits, of which two are left for the blend colour (blend shaders read it).
inline constexpr unsigned kMaxUniformWords = 124;

/// Bytes of a varying slot in the record that IDVS keeps of a vertex.
inline constexpr unsigned kVaryingSlot_B = 16;
/// What LD_VAR_SPECIAL names.
enum class SpecialVarying : uint8_t { PointCoord = 0, FragW = 2, FragZ = 3 };

}  // namespace terrazzo::mali::compiler
