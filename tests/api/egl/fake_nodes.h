// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Render nodes that only this program sees (fake_nodes.cpp).
#pragma once

/// True if this machine has nodes with the same names.
[[nodiscard]] bool has_real_nodes();
