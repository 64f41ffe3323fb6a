// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Varyings of a linked pair of stages: those that the second does not read go, the others are packed
// component by component into as few slots as their interpolation allows. Works on slots from
// VaryingSlot::Varying0 on, after linking.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// A component of an output.
struct VaryingPlace {
    uint32_t slot = 0;  // VaryingSlot
    uint32_t component = 0;
    bool operator==(const VaryingPlace&) const = default;
};

/// Returns the number of slots in use. Reads of what the first stage never writes become 0.
/// `flat_slots`: bit n set where slot Varying0 + n is flat, for drivers that ask; may be null.
/// `captured`: outputs of the producer, all written, that are kept though the consumer reads them not; becomes where they
/// are then. Those that are no varyings stay where they are.
uint32_t pack_varyings(Shader& producer, Shader& consumer, uint32_t* flat_slots = nullptr,
                       std::span<VaryingPlace> captured = {});

}  // namespace terrazzo::ir
