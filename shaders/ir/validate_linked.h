// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The validator of linked stages checks validate.h's rules, and each index against the table that it indexes.
// So a valid stage, from the linker or a program binary, is safe for compilers and drivers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// What a linked stage may access, from the tables of its program.
struct StageInterface {
    struct Sampler {
        TexDim dim = TexDim::D2;
        bool arrayed = false, shadow = false;
        Type texel = Type::F32;   // I32: for an integer sampler
        uint32_t array_left = 1;  // slots from this one to the end of its array, which an index may select
    };
    struct Image {
        TexDim dim = TexDim::D2;
        bool arrayed = false;
        ImageFormat format = ImageFormat::None;
        uint32_t array_left = 1;
    };
    std::vector<Image> images;      // by slot
    uint32_t uniform_dw = 0;        // of the default block
    std::vector<Sampler> samplers;  // by slot
    /// By slot: slots from this one to the end of its array of blocks, which an index may select.
    std::vector<uint32_t> uniform_blocks, storage_buffers;
    uint64_t inputs = 0;   // one bit per location or VaryingSlot
    uint64_t outputs = 0;  // one bit per VaryingSlot or FragSlot
};

/// Outputs of a stage that are not varyings.
[[nodiscard]] uint64_t fixed_outputs(Stage stage);
/// VaryingSlots of the first `count` generic varyings.
[[nodiscard]] constexpr uint64_t varying_mask(uint32_t count) {
    return ((uint64_t(1) << count) - 1) << unsigned(VaryingSlot::Varying0);
}

/// The first `count` slots of clip and cull distances.
[[nodiscard]] constexpr uint64_t distance_mask(uint32_t count) {
    return ((uint64_t(1) << count) - 1) << unsigned(VaryingSlot::ClipDist0);
}

/// Empty if valid; otherwise the broken rule and the instruction.
[[nodiscard]] std::string validate_linked(const Shader& s, const StageInterface& reach);

}  // namespace terrazzo::ir
