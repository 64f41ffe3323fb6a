// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

namespace terrazzo::winsys::virt {

/// Whether this process has `capability`, a CAP_* number of capabilities(7) such as CAP_SYS_NICE.
[[nodiscard]] bool has_capability(unsigned capability);

}  // namespace terrazzo::winsys::virt
