// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What queries of samples change in draws.
#pragma once

#include "drivers/common/context/queries.h"
#include "drivers/mali/submission/recorder.h"

namespace terrazzo::mali {

struct SampleQueries {
    /// Each core counts samples separately.
    [[nodiscard]] static contexts::CountLayout layout(const hw::Chip& chip, pipe::QueryKind kind);
    /// The DcdFlags0 bits of draws.
    [[nodiscard]] static uint32_t flags_0(const contexts::OpenQueries& open);
    /// Later draws count for the query of samples, if one is open.
    static void pack(const contexts::OpenQueries& open, Recorder& recorder);
};

}  // namespace terrazzo::mali
