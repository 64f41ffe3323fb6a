// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Varyings of a linked pair of stages. forward_varyings() replaces those that the second stage can do
// without, pack_varyings() removes those that it does not read, and packs the others component by component
// into as few slots as their interpolation allows. Both work on slots from Varying0 on, after linking.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// A component of an output.
struct VaryingPlace {
    uint32_t slot = 0;  // VaryingSlot
    uint32_t component = 0;
    bool operator==(const VaryingPlace&) const = default;
};

/// Returns the number of slots in use. Reads of components that the first stage never writes become 0.
/// `flat_slots`: bit n set where slot Varying0 + n is flat, for drivers that ask; may be null.
/// `captured`: outputs of the producer, all written, that are kept though the consumer does not read them; on
/// return, their new places. Outputs that are no varyings keep their places.
uint32_t pack_varyings(Shader& producer, Shader& consumer, uint32_t* flat_slots = nullptr,
                       std::span<VaryingPlace> captured = {});

/// Reads of a component whose only stored value is a constant become that constant. Of components that always
/// store one value, only the first is read, if all are interpolated alike. The producer must be optimised, so
/// that its constants and equal values are known, and must store each output once, at the end. Returns
/// whether the consumer changed.
bool forward_varyings(Shader& producer, Shader& consumer);

}  // namespace terrazzo::ir
