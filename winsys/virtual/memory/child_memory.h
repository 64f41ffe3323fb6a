// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A forked child inherits the parent's shared mappings. When the child's driver destroys its contexts, it
// would write into streams that the parent's GPU runs. So the child gets private zeroed memory at these
// addresses.
#pragma once

#include <cstddef>

namespace terrazzo::winsys::virt {

/// Until forget_children_of(), forked children do not see the mapping. False: out of memory. Thread: any.
[[nodiscard]] bool keep_from_children(void* address, size_t size_B);
/// Called before the mapping is unmapped.
void forget_children_of(void* address);

}  // namespace terrazzo::winsys::virt
