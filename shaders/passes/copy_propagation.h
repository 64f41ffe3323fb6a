// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uses of copies become uses of what was copied: mov, results of ifs whose arms yield the same, results of
// loops whose breaks give the same, arguments of loops that never change.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

bool copy_propagation(Shader& s);

}  // namespace terrazzo::ir
