// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws whose parameters are in a buffer, made direct by the CPU: for devices and states for which the CPU
// must know the vertices.
#pragma once

#include "drivers/common/images/access.h"

namespace terrazzo::contexts {

/// The bytes of DrawInfo::indirect: count, instances, first index (only with indices), first vertex, first
/// instance.
[[nodiscard]] constexpr uint32_t parameters_B(const pipe::DrawInfo& info) {
    return info.index_type == pipe::IndexType::None ? 16 : 20;
}

struct DirectDraw {
    pipe::DrawInfo info;
    pipe::DrawRange range;
};
/// Waits for the device's writes, as ImageAccess::wait_for_writes, and reads the parameters of the indirect
/// draw. False: they are not all in the buffer.
[[nodiscard]] bool read_parameters(images::ImageAccess& context, const pipe::DrawInfo& info, DirectDraw* out);

}  // namespace terrazzo::contexts
