// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads and writes memory at a caller's pointer as a kernel does: a bad pointer is -EFAULT and raises no
// signal.
#pragma once

#include <cstddef>
#include <cstdint>

namespace terrazzo::winsys::virt {

/// Returns 0 or -EFAULT.
[[nodiscard]] int copy_from_user(void* to, uint64_t from, size_t size_B);
[[nodiscard]] int copy_to_user(uint64_t to, const void* from, size_t size_B);

/// How the requests of a file access their caller's memory.
class UserMemory {
  public:
    /// `trusted`: the pointers come from our own code in the same process and are copied without checks.
    explicit UserMemory(bool trusted) : trusted_(trusted) {}

    /// Returns 0 or -EFAULT.
    [[nodiscard]] int read(void* to, uint64_t from, size_t size_B) const;
    [[nodiscard]] int write(uint64_t to, const void* from, size_t size_B) const;
    /// Reads a caller's struct of `user_size_B` bytes into one of `size_B`, as Linux' copy_struct_from_user:
    /// fields that the caller's version lacks are 0; bytes that our version lacks must be 0 (-E2BIG). Or
    /// -EFAULT.
    [[nodiscard]] int read_struct(void* to, size_t size_B, uint64_t from, size_t user_size_B) const;

  private:
    const bool trusted_;
};

}  // namespace terrazzo::winsys::virt
