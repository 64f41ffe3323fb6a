// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The two areas for shaders of a thread that runs them (shader_abi.h). They are allocated before any shader
// runs: the work area by the constructor, the arrays before the first draw with a program that has any. So
// running a shader never fails for lack of memory.
#pragma once

#include <cstddef>

namespace terrazzo::soft {

/// One user at a time; callers that share it must lock.
class ShaderMemory {
  public:
    /// Allocates the work area. Throws std::bad_alloc.
    ShaderMemory();
    ~ShaderMemory();
    ShaderMemory(const ShaderMemory&) = delete;
    ShaderMemory& operator=(const ShaderMemory&) = delete;
    /// Allocates the area of arrays, unless it exists. Throws std::bad_alloc.
    void reserve_arrays();

    [[nodiscard]] void* work() const { return work_; }
    [[nodiscard]] void* arrays() const { return arrays_; }  // null: not reserved

  private:
    void* work_ = nullptr;
    void* arrays_ = nullptr;
};

}  // namespace terrazzo::soft
