// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that a caller's pointer names, read and written as a kernel does: a bad pointer is -EFAULT and no
// signal.
#pragma once

#include <cstddef>
#include <cstdint>

namespace terrazzo::winsys::virt {

/// 0 or -EFAULT.
[[nodiscard]] int copy_from_user(void* to, uint64_t from, size_t size_B);
[[nodiscard]] int copy_to_user(uint64_t to, const void* from, size_t size_B);

/// How the requests of a file read and write their caller's memory.
class UserMemory {
  public:
    /// Pointers that come from our own code in the same process may be trusted: then it is plain copying.
    explicit UserMemory(bool trusted) : trusted_(trusted) {}

    /// 0 or -EFAULT.
    [[nodiscard]] int read(void* to, uint64_t from, size_t size_B) const;
    [[nodiscard]] int write(uint64_t to, const void* from, size_t size_B) const;
    /// Reads one struct of `user_size_B` bytes into one of `size_B`: what the caller does not know is 0, what
    /// we do not know must be 0
    /// (-E2BIG), as Linux' copy_struct_from_user. Or -EFAULT.
    [[nodiscard]] int read_struct(void* to, size_t size_B, uint64_t from, size_t user_size_B) const;

  private:
    const bool trusted_;
};

}  // namespace terrazzo::winsys::virt
