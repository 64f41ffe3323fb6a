// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sync objects (OpenGL ES 3.0 section 5.2). A GLsync is the object's name, so any bit pattern can be looked
// up safely.
#pragma once

#include "pipe/screen.h"
#include "state_tracker/context.h"
#include "state_tracker/object.h"

namespace terrazzo::st {

class SyncObject final : public Object {
  public:
    SyncObject(uint32_t n, pipe::Ref<pipe::Fence> f) : Object(n), fence(std::move(f)) {}
    const pipe::Ref<pipe::Fence> fence;
};

/// The object; null: `sync` is not one. Lock the share group.
[[nodiscard]] SyncObject* find_sync(Context& ctx, const void* sync);

}  // namespace terrazzo::st
