// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs the submits of a recording on the virtual GPU: a file of the freedreno tools (.rd, compressed or not), or one of our captures of an
// Adreno.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "drivers/common/fields/fields.h"

namespace terrazzo::adreno::sim {

struct ReplayOptions {
    std::string device;    // "adreno-650", "sim:adreno-650"; empty: the chip that the recording is of
    unsigned threads = 1;  // that a submit may use
    uint64_t limit_ns = 60'000'000'000;  // of a submit
    bool draws_nothing = false;          // streams are followed, and their draws are counted only
};

struct ReplayCounts {
    uint64_t submits = 0, faults = 0, packets = 0, draws = 0, dispatches = 0, blits = 0;
};

/// Each submit gets a line, and so does its fault. Memory is what the recording has, and what submits before wrote where it has nothing
/// newer. False, with a reason, where the file is damaged, or no such chip is there; what came before has run. Faults are no failure: see
/// `counts`. May throw std::bad_alloc.
[[nodiscard]] bool replay(std::span<const uint8_t> file, const ReplayOptions& options, fields::Sink& sink,
                          ReplayCounts* counts, std::string* error);

}  // namespace terrazzo::adreno::sim
