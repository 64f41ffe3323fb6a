// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a device can do with a format, by its table, and which resources that allows.
#pragma once

#include <optional>

#include "pipe/format.h"
#include "pipe/resource.h"

namespace terrazzo::images {

struct FormatUses {
    bool texture = false, color = false, depth_stencil = false, vertex = false;
};
/// Of L, A and LA, which the state tracker stores as red and green.
[[nodiscard]] constexpr bool is_luminance_or_alpha(const pipe::FormatInfo& f) {
    return f.channel[0].letter == 'L' || (f.channel_count == 1 && f.channel[0].letter == 'A');
}

/// Whether a resource of the format can be used for all of `bind` at once. `uses`: none if the device does
/// not have the format. The caller checks that the device has this number of samples.
[[nodiscard]] bool resource_supports(const std::optional<FormatUses>& uses, pipe::Format f,
                                     pipe::ResourceKind kind, uint32_t samples, uint32_t bind);

/// The bytes of [offset, offset + size) inside of the buffer.
[[nodiscard]] uint64_t inside_B(const pipe::Resource& buffer, uint64_t offset_B, uint64_t size_B);
/// The whole texels in these bytes, at most `most`.
[[nodiscard]] uint32_t buffer_texels(const pipe::Resource& buffer, pipe::Format f, uint64_t offset_B,
                                     uint64_t size_B, uint32_t most);

}  // namespace terrazzo::images
