// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The decoder's shared context (drivers/common/decode/context.h), with its options.
#pragma once

#include "drivers/common/decode/context.h"
#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali::decode {

using Context = terrazzo::decode::ContextOf<Options>;

}  // namespace terrazzo::mali::decode
