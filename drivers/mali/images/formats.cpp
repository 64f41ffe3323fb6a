// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The uses of formats: hw/formats.h has a row for each supported format.
#include "drivers/mali/hw/formats.h"

#include <bit>

#include "drivers/common/images/format_uses.h"
#include "drivers/mali/images/resource.h"

namespace terrazzo::mali {

namespace {

std::optional<images::FormatUses> uses_of(const hw::Chip& chip, pipe::Format f) {
    const hw::FormatRow* const row = hw::format_row(f);
    if (!row || (row->feature && !chip.has_texture_feature(row->feature))) return std::nullopt;
    return images::FormatUses{row->is_texture, row->is_render_target, row->is_depth_stencil, row->is_vertex};
}

bool has_samples(pipe::Format f, uint32_t samples) {
    return samples_of(samples) == samples && std::has_single_bit(pipe::format_info(f).block_B);
}

}  // namespace

bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                      uint32_t bind) {
    constexpr uint32_t kOnePlane = pipe::bind::kShared | pipe::bind::kScanout;  // importers expect it
    if ((bind & kOnePlane) && f == pipe::Format::D32_FLOAT_S8X24_UINT) return false;
    return (samples <= 1 || has_samples(f, samples)) &&
           images::resource_supports(uses_of(chip, f), f, kind, samples, bind);
}

}  // namespace terrazzo::mali
