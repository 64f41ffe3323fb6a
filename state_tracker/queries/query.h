// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Query objects (EXT_occlusion_query_boolean, EXT_disjoint_timer_query).
#pragma once

#include "pipe/context.h"
#include "state_tracker/context.h"
#include "state_tracker/object.h"

namespace terrazzo::st {

class QueryObject final : public Object {
  public:
    QueryObject(uint32_t n, GLenum t) : Object(n), target(t) {}
    const GLenum target;  // the target of its first use
    pipe::Ref<pipe::Query> query;
};

}  // namespace terrazzo::st
