// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What packets of draws say in the hardware's numbers.
#pragma once

#include "drivers/adreno/hw/pm4.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

[[nodiscard]] hw::PrimType prim_type(pipe::Primitive p);

struct Indices {
    hw::IndexSize size;
    uint32_t bytes, restart;
};
[[nodiscard]] Indices indices_of(pipe::IndexType t);

/// Of programs without stages behind the vertex stage.
[[nodiscard]] hw::DrawInitiator plain_initiator(pipe::Primitive mode, pipe::IndexType type);

}  // namespace terrazzo::adreno
