// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The two areas that a thread which runs shaders has for them (shader_abi.h). They are reserved before
// anything runs: the work area with its owner, the arrays when the first program that has any is drawn with.
// Nobody who runs a shader can run out of them.
#pragma once

#include <cstddef>

namespace terrazzo::soft {

/// One user at a time; who shares it locks.
class ShaderMemory {
  public:
    /// The work area. Throws std::bad_alloc.
    ShaderMemory();
    ~ShaderMemory();
    ShaderMemory(const ShaderMemory&) = delete;
    ShaderMemory& operator=(const ShaderMemory&) = delete;
    /// The arrays, unless they are there. Throws std::bad_alloc.
    void reserve_arrays();

    [[nodiscard]] void* work() const { return work_; }
    [[nodiscard]] void* arrays() const { return arrays_; }  // null: not reserved

  private:
    void* work_ = nullptr;
    void* arrays_ = nullptr;
};

}  // namespace terrazzo::soft
