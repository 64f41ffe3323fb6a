// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Limits of IR that is read from texts and binaries, so that damaged or hostile ones do not need excessive
// memory, time or stack.
#pragma once

#include <cstdint>

namespace terrazzo::ir {

// --- of any IR that is read
inline constexpr uint32_t kMaxTextValues = 1u << 22;
inline constexpr uint32_t kMaxVarComponents = 1u << 20;
/// The recursion of readers, validator, printer, passes and compilers is as deep as regions are nested. The
/// front end's own limit is 180.
inline constexpr unsigned kMaxRegionDepth = 200;

/// gl_ClipDistance and gl_CullDistance together: VaryingSlot::ClipDist0 and ClipDist1.
inline constexpr uint32_t kMaxDistances = 8;

/// OVR_multiview: views of a framebuffer and a program. Six: the faces of a cube.
inline constexpr uint32_t kMaxViews = 6;

// --- of a linked stage, whether it was linked here or read (validate_linked.h)
/// Values: compilers need time and memory for each. The largest real shaders have a few ten thousand.
inline constexpr uint32_t kMaxStageValues = 1u << 20;
/// Operands of all instructions: one `continue` may have thousands and define no value.
inline constexpr uint32_t kMaxStageOperands = 1u << 22;
/// Scalars of all its variables: 256 KiB per invocation, so the CPU driver reserves 4 MiB per thread for 16
/// lanes. Real shaders need a few hundred scalars.
inline constexpr uint32_t kMaxPrivateScalars = 65536;

/// Slots of a stage: at most the number of bits of the kind's mask in ShaderInfo.
/// Storage blocks and buffers of atomic counters share slots. Uniform blocks: OpenGL ES 3.2's minimum.
inline constexpr uint32_t kMaxUniformBlocks = 12, kMaxStorageBuffers = 24, kMaxImages = 16;
/// Slots after the storage buffers, for kernels of geometry and tessellation stages (stage_buffers.h).
inline constexpr uint32_t kStageBuffers = 5, kAllStorageBuffers = kMaxStorageBuffers + kStageBuffers;
/// Geometry and tessellation: vertices that an invocation emits, invocations per primitive, vertices of a
/// patch, and rows (four dwords) of a patch.
inline constexpr uint32_t kMaxEmitted = 256, kMaxInvocations = 32, kMaxPatchVertices = 32, kMaxPatchRows = 32;
inline constexpr uint32_t kMaxShared_B = 64u << 10;  // of a workgroup
inline constexpr uint32_t kMaxGroupInvocations = 1024;

}  // namespace terrazzo::ir
