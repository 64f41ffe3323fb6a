// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A child process that a fork makes has the parent's shared mappings. What a driver goes on to write there, as it ends its contexts, would be in
// the streams that the parent's GPU runs. So the child gets private memory of zeros at these addresses.
#pragma once

#include <cstddef>

namespace terrazzo::winsys::virt {

/// From here on, until forget_children_of(), children do not see the mapping. False: out of memory. Thread: any.
[[nodiscard]] bool keep_from_children(void* address, size_t size_B);
/// Before it is unmapped.
void forget_children_of(void* address);

}  // namespace terrazzo::winsys::virt
