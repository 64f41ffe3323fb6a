// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/programs/shader_memory.h"

#include <sys/mman.h>

#include <new>

#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

namespace {

/// Maps pages that cost nothing until they are touched.
void* map(size_t size_B) {
    void* const p =
        mmap(nullptr, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    return p;
}

}  // namespace

ShaderMemory::ShaderMemory() : work_(map(kWorkArea_B)) {}

ShaderMemory::~ShaderMemory() {
    munmap(work_, kWorkArea_B);
    if (arrays_) munmap(arrays_, kPrivateArea_B);
}

void ShaderMemory::reserve_arrays() {
    if (!arrays_) arrays_ = map(kPrivateArea_B);
}

}  // namespace terrazzo::soft
