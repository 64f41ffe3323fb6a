// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The ir3 compiler without a device, for statistics.
#pragma once

#include <span>

#include "pipe/offline_compiler.h"

namespace terrazzo::adreno {

/// One compiler for each chip of hw/chips.h, in the table's order. They live until the process ends.
[[nodiscard]] std::span<const pipe::OfflineCompiler* const> offline_compilers();

}  // namespace terrazzo::adreno
