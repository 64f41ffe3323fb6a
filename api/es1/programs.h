// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The programs of a context by key, and their uniforms. A program gets the values of a group of uniforms
// (Group) only if the group has changed since the last time. Programs have no names, so applications that
// share objects with OpenGL ES 2.0 do not see them.
#pragma once

#include <array>
#include <string>
#include <unordered_map>

#include "api/es1/context.h"
#include "api/es1/key.h"
#include "state_tracker/programs/program.h"

namespace terrazzo::es1 {

class Programs {
  public:
    Programs();
    ~Programs();
    /// Makes the key's program current, with the values of the context's state. False: it could not be
    /// created; the error is recorded under `command`. Throws bad_alloc.
    [[nodiscard]] bool use(Context& ctx, const Key& key, const char* command);
    [[nodiscard]] size_t count() const { return programs_.size(); }

  private:
    struct Linked;
    [[nodiscard]] Linked* find(Context& ctx, const Key& key, const char* command);

    std::unordered_map<Key, std::unique_ptr<Linked>, KeyHash> programs_;
    Key last_key_;
    Linked* last_ = nullptr;  // for last_key_
};

}  // namespace terrazzo::es1
