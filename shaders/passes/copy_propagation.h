// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uses of copies become uses of the original: mov, results of ifs whose arms yield the same value, results of
// loops whose breaks return the same value, arguments of loops that never change.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool copy_propagation(Shader& s);

}  // namespace terrazzo::ir
