// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU that writes down what it is given, in files of drivers/common/capture, before another one runs it.
// Users ask for it with TERRAZZO_DEBUG=trace:FILE.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "drivers/mali/hw/chips.h"
#include "winsys/virtual/gpu.h"

namespace terrazzo::mali::sim {

struct TraceOptions {
    std::string file;             // that of the first address space; of others FILE.1, FILE.2, ...
    uint64_t limit = UINT64_MAX;  // submissions a file
};

/// TERRAZZO_DEBUG is a comma list; here "trace:FILE" ("%p" in it becomes the process' number) and
/// "trace-limit:N" matter. False: nobody asks for a trace. `list` may be null.
[[nodiscard]] bool parse_trace(const char* list, TraceOptions* out);

/// Runs streams on `gpu`, or not at all where that is null. Each stream that begins is recorded with all
/// pages that have changed since the last one; queue n of the m-th group is queue 8m + n. A file that cannot
/// be written costs a line on stderr, and nothing else.
std::unique_ptr<winsys::virt::Gpu> create_capture_gpu(const hw::Chip& chip,
                                                      std::unique_ptr<winsys::virt::Gpu> gpu,
                                                      TraceOptions options);

}  // namespace terrazzo::mali::sim
