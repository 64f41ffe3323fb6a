// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface of compiled shaders and the driver: registers, uniform registers, numbers of textures. Where
// the hardware decides, these are facts (Mesa 25.0.7, agx_abi.h, agx_nir_lower_uvs.c); the rest is our
// choice.
//
// A program is a sequence of pieces of code: nothing jumps from one into another, and only kStop ends it.
//   vertex:   a piece that loads attributes (compile_fetch), the shader, kStop
//   fragment: the shader, a piece for each target that it writes (compile_blend), kStop
//   compute:  the shader, kStop
// So a change of vertex formats, blending or targets needs another small piece, and not another shader.
#pragma once

#include <cstdint>

#include "drivers/common/program/uniform_runs.h"
#include "shaders/ir/limits.h"

namespace terrazzo::agx::compiler {

/// The instruction `stop`.
inline constexpr uint16_t kStop = 0x0088;

// ---- Registers of 32 bits ----
/// r0l is the counter of the execution mask. No shader keeps a value in r0.
inline constexpr unsigned kMaskRegister = 0;
/// The hardware preloads these for vertex programs. The instance begins at 0.
inline constexpr unsigned kVertexIdRegister = 5, kInstanceIdRegister = 6;
/// Component c of attribute n, where the fetch piece leaves it and the shader expects it.
inline constexpr unsigned kAttributeRegister = 8, kMaxAttributes = 16;
constexpr unsigned attribute_register(unsigned n, unsigned c) {
    return kAttributeRegister + 4 * n + c;
}
/// Component c of the colour of target n, and of the second source of blending (target 0), where the fragment
/// shader leaves it. A piece for target n changes no register of later targets.
inline constexpr unsigned kColorRegister = 4, kMaxTargets = 8;
inline constexpr unsigned kSecondColorRegister = kColorRegister + 4 * kMaxTargets;
inline constexpr unsigned kColorRegistersEnd = kSecondColorRegister + 4;
constexpr unsigned color_register(unsigned n, unsigned c) {
    return kColorRegister + 4 * n + c;
}

// ---- Uniform registers, as words of 32 bits: word n is the halves 2n and 2n + 1 ----
/// Words 0 to 63 are the fetch piece's: four for each attribute.
struct FetchWord {
    enum : unsigned { AddressLow, AddressHigh, Stride_B, LastElement, Count };
};
/// The shader's words (Info::uniforms) begin here. In fragment and compute programs they begin at 0.
inline constexpr unsigned kVertexUniformWord = FetchWord::Count * kMaxAttributes;
/// Uniforms of blend pieces (LoadUniform of their shader), after those of the shader.
inline constexpr unsigned kBlendUniformWord = 240, kBlendUniformWords = 16;
/// Memory instructions take addresses from the first 128 words only.
inline constexpr unsigned kAddressWordsEnd = 128;
constexpr unsigned first_uniform_word(bool vertex) {
    return vertex ? kVertexUniformWord : 0;
}

using programs::UniformWord;
/// Values that the driver computes (UniformWord::Kind::Sysval). Addresses are pairs, the low word first; a
/// pair begins at an even word.
enum class Sysval : uint16_t {
    DefaultBlock,  // address of the default uniform block
    DefaultBlockHigh,
    FramebufferHeight,  // px
    SampleCount,        // of a pixel
    NumWorkGroupsX,
    NumWorkGroupsY,
    NumWorkGroupsZ,
    Reserved,  // keeps pairs even
    /// Floats: z of a vertex' position becomes ClipZ * z + ClipW * w.
    ClipZ,
    ClipW,
    /// At 4n: address and size in bytes of uniform block n of the stage; all are 0 if none is bound.
    UniformBlock0,
    UniformBlockLast = UniformBlock0 + 4 * ir::kMaxUniformBlocks - 1,
    /// Likewise of storage buffers.
    StorageBuffer0,
    StorageBufferLast = StorageBuffer0 + 4 * 32 - 1,
    /// At 4n + c. Of texture unit n: width, height and depth in texels of the view's first level, then the
    /// number of levels.
    TextureSize0,
    TextureSizeLast = TextureSize0 + 4 * 32 - 1,
};
inline constexpr unsigned kSysvalCount = unsigned(Sysval::TextureSizeLast) + 1;

/// The clip space of vertex programs' outputs has 0 <= z <= w: Sysval::ClipZ and ClipW are 0.5 if that of the
/// shader has -w <= z <= w, otherwise 1 and 0.

}  // namespace terrazzo::agx::compiler
