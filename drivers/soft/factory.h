// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The only header of the CPU driver for other rooms.
#pragma once

#include <memory>
#include <memory_resource>

#include "drivers/soft/programs/executor.h"
#include "pipe/screen.h"

namespace terrazzo::soft {

struct SoftOptions {
    unsigned threads = 0;  // 0: TERRAZZO_THREADS, else what the cgroup quota and affinity allow
    bool force_interpreter = false;
    Executor executor;  // provides threads instead of the pool's own
    /// Allocates resources and recorded frames. Must outlive the screen and all its objects. Null: malloc and
    /// mmap.
    std::pmr::memory_resource* memory = nullptr;
    /// An idle dma-buf (winsys/drm/sync_file.h), to create signalled sync files if the kernel has no udmabuf;
    /// -1: none. The caller keeps it.
    int idle_dmabuf = -1;
    bool code_cache = true;  // keep machine code, as the environment says (shaders/cache)
};

/// Null: out of memory.
[[nodiscard]] std::unique_ptr<pipe::Screen> create_screen(const SoftOptions& options, const pipe::Log& log);

}  // namespace terrazzo::soft
