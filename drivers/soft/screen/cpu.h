// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The CPU's abilities.
#pragma once

namespace terrazzo::soft {

/// The number of fragments that compiled shaders should handle at once: 16 with AVX-512, 8 with AVX2, else 4.
[[nodiscard]] unsigned default_lanes();

}  // namespace terrazzo::soft
