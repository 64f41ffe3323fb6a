// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Changes of a pass's description while the pass is open, for devices that execute it when it ends.
#pragma once

#include "pipe/state.h"

namespace terrazzo::contexts {

/// Whether draws of `next` can be added to the pass: it has the same attachments, and continuing loses no
/// contents. `fresh`: nothing was drawn yet.
[[nodiscard]] bool continues(const pipe::RenderPassDesc& pass, const pipe::RenderPassDesc& next, bool fresh);
/// The pass continues as `next`, with the clears and store operations of that.
void go_on(pipe::RenderPassDesc* pass, const pipe::RenderPassDesc& next);
/// The pass, in which nothing was drawn yet, begins with a clear of these attachments (attachment_bit).
void clear_on_load(pipe::RenderPassDesc* pass, const pipe::ClearInfo& info, uint32_t attachments);
/// The contents of these attachments are not used after the pass.
void drop_stores(pipe::RenderPassDesc* pass, uint32_t attachments);
/// The pass begins with the present contents of all attachments.
void load_all(pipe::RenderPassDesc* pass);

}  // namespace terrazzo::contexts
