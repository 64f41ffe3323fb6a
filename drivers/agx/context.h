// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// pipe::Context of AGX: draws. The CPU copies.
#pragma once

#include "drivers/agx/passes/draw_context.h"
#include "drivers/common/context/vendor_context.h"

namespace terrazzo::agx {

using AgxContext = contexts::VendorContext<DrawContext, contexts::CpuTransfers<StateTypes>>;

}  // namespace terrazzo::agx
