// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "drivers/common/host/text.h"

namespace terrazzo::units {

/// For units that say why they cannot do something. Sets `why` to the parts of a text (host::text_of);
/// returns false.
template <class... Part>
bool refuse(std::string* why, const Part&... part) {
    *why = host::text_of(part...);
    return false;
}

}  // namespace terrazzo::units
