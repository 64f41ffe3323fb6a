// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Lowers positions within a pixel to offsets from its centre: centroid inputs and loads at the centroid or at
// a sample become LoadInputAt with two floats. The centroid is the centre if all samples are covered, else
// the first covered sample. The IR must be linked.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// Returns whether anything changed.
bool lower_sample_places(ir::Shader& s);

}  // namespace terrazzo::soft
