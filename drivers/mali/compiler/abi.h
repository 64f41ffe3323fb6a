// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface of compiled shaders and the driver: resource tables, places of uniforms, preloaded registers.
// The registers and the hardware's tables are facts (Mesa 25.0.7, bifrost_compile.c, va_compiler.h). The rest
// is our choice.
#pragma once

#include <array>
#include <cstdint>

#include "drivers/common/program/uniform_runs.h"
#include "shaders/ir/limits.h"

namespace terrazzo::mali::compiler {

/// Resource tables of a draw or dispatch, in the order of the shader resource table (as Mesa's, pan_desc.h).
enum class Table : uint8_t {
    UniformBuffers,
    Attributes,
    AttributeBuffers,
    Samplers,
    Textures,
    Images,         // image n of the stage: a Texture descriptor of one level; cubes are arrays of faces
    StorageBuffers  // buffer n of the stage: a Buffer descriptor; its size is rounded down to a multiple of 4
};
/// Table::UniformBuffers: entry 0 is the default block (Info::reads_uniform_buffer), and block n of the stage
/// (MemInfo::binding) is entry kFirstUniformBlock + n. An unbound block has no bytes. Entry kSystemBlock has
/// all system values, a dword each, in the order of Sysval (Info::reads_system_block).
inline constexpr unsigned kFirstUniformBlock = 1;
inline constexpr unsigned kSystemBlock = kFirstUniformBlock + ir::kMaxUniformBlocks;
/// Table 61, in which the hardware has the memory that IDVS allocates, as an immediate of four bits.
inline constexpr unsigned kIdvsTableImmediate = 13;

/// Registers that are preloaded when a thread starts.
inline constexpr unsigned kVertexIdRegister = 60, kInstanceIdRegister = 61, kIdvsIndexRegister = 59;
inline constexpr unsigned kFrontFaceRegister = 58;  // 0: the front
inline constexpr unsigned kPixelRegister = 59;      // x in the low half, y in the high one
/// kSampleRegister: bits 0 to 15 are the samples that the invocation covers, 16 to 20 its sample's number.
inline constexpr unsigned kCoverageRegister = 60, kSampleRegister = 61;
inline constexpr unsigned kLayerRegister = 62;  // of fragments: the low byte is the layer
/// For compute shaders: the invocation in its workgroup (x and y in the halves of the first register, z in
/// the next one), and the workgroup.
inline constexpr unsigned kLocalIdRegister = 55, kWorkgroupIdRegister = 57;
/// The invocation's y in the whole dispatch. In a capture shader (compile.h) that is the instance.
inline constexpr unsigned kGlobalIdYRegister = 61;
/// The interface of blend shaders: the colours, and the return address.
/// A blend shader may overwrite r0..r15 and r48.
inline constexpr unsigned kBlendColorRegister = 0, kBlendSecondColorRegister = 4, kBlendReturnRegister = 48;

/// Slots of a stage that are among the system values.
inline constexpr unsigned kSizedTextures = 32, kMaxStorageBuffers = 32;

/// Values that the driver writes to uniforms, and to kSystemBlock.
enum class Sysval : uint16_t {
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
    /// At 4n + c: not 0 if the format of render target n has channel c. The tile buffer may have more
    /// channels.
    TargetChannel0,
    TargetChannel31 = TargetChannel0 + 31,
    SampleCount,  // of a pixel
    NumWorkGroupsX,
    NumWorkGroupsY,
    NumWorkGroupsZ,
    /// At 3n: the address of the stage's storage buffer n (MemInfo::binding), low half first, and its bytes.
    /// All are 0 if none is bound. The addresses are for the driver's own shaders (Options::own).
    StorageBuffer0,
    StorageBuffer31Size = StorageBuffer0 + 95,
    /// At 4n + c. Of texture unit n: width, height and depth in texels of the view's first level (an array's
    /// layers follow its dimensions; of an array of cubes: cubes), and at c = 3 the number of levels.
    TextureSize0,
    TextureSizeLast = TextureSize0 + 4 * kSizedTextures - 1,
    /// The size of image n, as of a texture, but no number of levels.
    ImageSize0,
    ImageSizeLast = ImageSize0 + 4 * ir::kMaxImages - 1,
};
inline constexpr unsigned kSysvalCount = unsigned(Sysval::ImageSizeLast) + 1;

/// One 32-bit word of the shader's uniforms (FAU). A system value is a compiler::Sysval.
using programs::UniformWord;
/// The maximum: 64 entries of 64 bits, without two for the blend colour, which blend shaders read.
inline constexpr unsigned kMaxUniformWords = 124;

/// Bytes of a varying slot in the record of a vertex that IDVS stores.
inline constexpr unsigned kVaryingSlot_B = 16;
/// The varying slot in which gl_PrimitiveID passes to the fragment shader.
inline constexpr unsigned kPrimitiveIdVarying = 31;
/// The index of LD_VAR_SPECIAL.
enum class SpecialVarying : uint8_t { PointCoord = 0, FragW = 2, FragZ = 3 };

}  // namespace terrazzo::mali::compiler
