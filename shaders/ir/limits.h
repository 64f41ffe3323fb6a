// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Limits of IR that comes from outside: texts and binaries of it. They keep damaged or hostile ones from
// asking for absurd amounts of memory, time or stack.
#pragma once

#include <cstdint>

namespace terrazzo::ir {

// --- of any IR that is read
inline constexpr uint32_t kMaxTextValues = 1u << 22;
inline constexpr uint32_t kMaxVarComponents = 1u << 20;
/// Readers, validator, printer, passes and compilers recurse as deep as regions are nested. The front end
/// stops at 180.
inline constexpr unsigned kMaxRegionDepth = 200;

/// gl_ClipDistance and gl_CullDistance together: VaryingSlot::ClipDist0 and ClipDist1.
inline constexpr uint32_t kMaxDistances = 8;

/// OVR_multiview: views of a framebuffer, and so of a program. All faces of a cube.
inline constexpr uint32_t kMaxViews = 6;

// --- of a linked stage, whether it was linked here or read (validate_linked.h)
/// Values: compilers need time and memory for each. The largest real shaders have a few ten thousand.
inline constexpr uint32_t kMaxStageValues = 1u << 20;
/// Operands of all instructions: one `continue` may have thousands and define no value.
inline constexpr uint32_t kMaxStageOperands = 1u << 22;
/// Scalars of its variables together: 256 KiB an invocation. Real shaders need a few hundred; what a CPU
/// driver reserves for 16 lanes is then 4 MiB a thread.
inline constexpr uint32_t kMaxPrivateScalars = 65536;

/// Slots of a stage: of each kind at most as many as its mask in ShaderInfo has bits.
/// Storage blocks and buffers of atomic counters share slots. Uniform blocks: OpenGL ES 3.2's minimum.
inline constexpr uint32_t kMaxUniformBlocks = 12, kMaxStorageBuffers = 24, kMaxImages = 16;
/// After the storage buffers: those of kernels of geometry and tessellation stages (stage_buffers.h).
inline constexpr uint32_t kStageBuffers = 5, kAllStorageBuffers = kMaxStorageBuffers + kStageBuffers;
/// Geometry and tessellation: vertices that an invocation emits, invocations of a primitive, vertices of a
/// patch, and rows of four dwords of a patch.
inline constexpr uint32_t kMaxEmitted = 256, kMaxInvocations = 32, kMaxPatchVertices = 32, kMaxPatchRows = 32;
inline constexpr uint32_t kMaxShared_B = 64u << 10;  // of a workgroup
inline constexpr uint32_t kMaxGroupInvocations = 1024;

}  // namespace terrazzo::ir
