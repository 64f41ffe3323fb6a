// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How the outputs of the last stage before the rasterizer reach a fragment shader: by places in the VPC.
#pragma once

#include <array>
#include <vector>

#include "drivers/adreno/compiler/compile.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// An output to the VPC: the components of a register, at consecutive places.
struct VpcOutput {
    compiler::RegisterId reg = compiler::kNoRegister;
    uint8_t mask = 0, place = 0;
    uint8_t slot = 0xff;  // ir::VaryingSlot; outputs of one value share a register
};
inline constexpr uint8_t kNoPlace = 0xff;

/// A dword that stream output writes: its place in the VPC, and its offset in the record of a buffer.
struct CapturedWord {
    uint8_t place = 0, buffer = 0;
    uint16_t offset_dw = 0;
};

/// The most registers that a vertex shader can output (SP_VS_OUT), and the most dwords of a vertex in the
/// VPC.
inline constexpr unsigned kMaxVpcOutputs = 32, kMaxVpcStride_dw = 128;

/// From pipe::ProgramDesc: the first components of ClipDist0 and ClipDist1 clip, the following ones cull.
struct Distances {
    uint8_t clip = 0, cull = 0;
};

struct VpcLink {
    std::vector<VpcOutput> outputs;
    uint32_t stride_dw = 0;          // of a vertex, with position and point size
    std::array<uint32_t, 4> used{};  // a bit for each place that the fragment shader or stream output reads
    std::vector<CapturedWord> captured;
    uint8_t position = kNoPlace, point_size = kNoPlace, primitive_id = kNoPlace, layer = kNoPlace;
    std::array<uint8_t, 2> distances{kNoPlace, kNoPlace};  // each has four distances
    uint8_t clip_mask = 0, cull_mask = 0;                  // a bit for each distance
    std::array<uint32_t, 8> interpolation{},
        replacement{};  // two bits a place: VaryingInterpMode, VaryingPsReplMode
};

/// `captured`: what stream output writes; null: nothing.
[[nodiscard]] VpcLink link_varyings(const compiler::Info& last, const compiler::Info& fragment,
                                    const pipe::StreamOutputLayout* captured = nullptr,
                                    Distances distances = {});

}  // namespace terrazzo::adreno
