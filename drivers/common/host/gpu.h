// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A virtual GPU for the virtual kernel: a vendor's groups, and the record of what they are given.
#pragma once

#include <memory>
#include <optional>

#include "drivers/common/host/chip.h"

namespace terrazzo::host {

struct GpuOptions {
    bool runs = true;      // otherwise submits end at once
    unsigned threads = 1;  // the most that draw for one group
    /// Each submit that begins is recorded before it runs, with the memory that its address space has then;
    /// queue n of the m-th group of an address space is queue m * Chip::most_queues() + n. With a file whose
    /// name ends with ".devcd", the first submit at fault writes a core dump there, and nothing is recorded.
    std::optional<capture::TraceOptions> trace;
};

/// `chip` outlives it. Null: out of memory.
[[nodiscard]] std::unique_ptr<winsys::virt::Gpu> create_gpu(const Chip& chip, GpuOptions options);

}  // namespace terrazzo::host
