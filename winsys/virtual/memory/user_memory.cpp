// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// process_vm_readv on the own process is memcpy with an error code. Where a sandbox forbids it, pointers are
// trusted. Most requests are structs on the caller's stack: memory in the same page as this function's frame
// is known to exist and is copied without a system call.
#include "winsys/virtual/memory/user_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "winsys/virtual/memory/buffer_object.h"

namespace terrazzo::winsys::virt {
namespace {

bool in_own_page(uintptr_t address, size_t size_B) {
    const uintptr_t page = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) & ~(kPageSize_B - 1);
    return address >= page && address - page < kPageSize_B && size_B <= kPageSize_B - (address - page);
}

int copy(void* here, uint64_t user, size_t size_B, bool to_user) {
    if (size_B == 0) return 0;
    const auto address = static_cast<uintptr_t>(user);
    if (address != user || address + size_B < address) return -EFAULT;
    void* there = reinterpret_cast<void*>(address);
    if (in_own_page(address, size_B)) {
        memcpy(to_user ? there : here, to_user ? here : there, size_B);
        return 0;
    }
    const iovec local{here, size_B}, remote{there, size_B};
    const ssize_t done_B = to_user ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0)
                                   : process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (done_B == static_cast<ssize_t>(size_B)) return 0;
    if (done_B >= 0 || (errno != ENOSYS && errno != EPERM)) return -EFAULT;
    memcpy(to_user ? there : here, to_user ? here : there, size_B);
    return 0;
}

}  // namespace

int copy_from_user(void* to, uint64_t from, size_t size_B) {
    return copy(to, from, size_B, false);
}

int copy_to_user(uint64_t to, const void* from, size_t size_B) {
    return copy(const_cast<void*>(from), to, size_B, true);
}

int UserMemory::read(void* to, uint64_t from, size_t size_B) const {
    if (!trusted_) return copy_from_user(to, from, size_B);
    if (size_B) memcpy(to, reinterpret_cast<const void*>(static_cast<uintptr_t>(from)), size_B);
    return 0;
}

int UserMemory::write(uint64_t to, const void* from, size_t size_B) const {
    if (!trusted_) return copy_to_user(to, from, size_B);
    if (size_B) memcpy(reinterpret_cast<void*>(static_cast<uintptr_t>(to)), from, size_B);
    return 0;
}

int UserMemory::read_struct(void* to, size_t size_B, uint64_t from, size_t user_size_B) const {
    for (size_t at_B = size_B; at_B < user_size_B;) {
        uint8_t rest[256];
        const size_t part_B = std::min(user_size_B - at_B, sizeof rest);
        if (const int error = read(rest, from + at_B, part_B)) return error;
        if (std::any_of(rest, rest + part_B, [](uint8_t b) { return b != 0; })) return -E2BIG;
        at_B += part_B;
    }
    memset(to, 0, size_B);
    return read(to, from, std::min(size_B, user_size_B));
}

}  // namespace terrazzo::winsys::virt
