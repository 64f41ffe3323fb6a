// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU that writes down what it is given before another one runs it: in files of drivers/common/capture, or
// as the decoder's text. Users ask for it with TERRAZZO_DEBUG=trace or trace:FILE.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "drivers/mali/hw/chips.h"
#include "pipe/debug.h"
#include "winsys/virtual/panthor/gpu.h"

namespace terrazzo::mali::sim {

struct TraceOptions {
    std::string file;  // that of the first address space; of others FILE.1, FILE.2, ...; empty: text
    uint64_t limit = UINT64_MAX;  // submissions an address space
    std::FILE* text = stderr;     // where text goes
};

/// False: nobody asks for a trace.
[[nodiscard]] bool trace_options(const pipe::DebugOptions& debug, TraceOptions* out);

/// Runs streams on `gpu`, or not at all where that is null. Each stream that begins is recorded with all
/// pages that have changed since the last one, or printed with what memory holds then; queue n of the m-th
/// group is queue 8m + n. A file that cannot be written costs a line on stderr, and nothing else.
std::unique_ptr<winsys::virt::panthor::Gpu> create_capture_gpu(
    const hw::Chip& chip, std::unique_ptr<winsys::virt::panthor::Gpu> gpu, TraceOptions options);

}  // namespace terrazzo::mali::sim
