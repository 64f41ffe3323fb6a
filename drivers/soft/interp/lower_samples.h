// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Places in a pixel become offsets from its centre: centroid inputs and loads at the centroid or at a sample become
// LoadInputAt with two floats. The centroid is the centre where all samples are covered, else the first sample that is.
// The IR must be linked.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::soft {

/// Whether it changed anything.
bool lower_sample_places(ir::Shader& s);

}  // namespace terrazzo::soft
