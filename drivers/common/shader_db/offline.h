// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The compilers of a vendor's chips without a device, for statistics.
#pragma once

#include <span>

#include "pipe/offline_compiler.h"

namespace terrazzo::shader_db {

/// One compiler for each chip, in the order of the vendor's table. They live until the process ends. `Traits`
/// describes the vendor; chip_compilers.h has the definition, which the vendor's shader_db.cpp instantiates.
template <class Traits>
[[nodiscard]] std::span<const pipe::OfflineCompiler* const> chip_compilers();

}  // namespace terrazzo::shader_db
