// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Look-ups in the table of formats.
#include "pipe/format.h"

#include "pipe/format_table.h"

namespace terrazzo::pipe {

namespace detail {
constinit const FormatInfo* const kFormats = kFormatTable.data();
}

namespace {

// For each format, the one whose name differs only in the transfer function (_UNORM and _SRGB); None if there
// is none.
constexpr std::array<Format, kFormatCount> build_srgb_pairs() {
    std::array<Format, kFormatCount> pairs{};
    constexpr std::string_view unorm = "UNORM", srgb = "SRGB";
    for (size_t i = 0; i < kFormatCount; ++i) {
        const std::string_view a = detail::kFormatTable[i].name;
        if (!detail::kFormatTable[i].is_srgb) continue;
        for (size_t j = 0; j < kFormatCount; ++j) {
            if (detail::kFormatTable[j].block_B != detail::kFormatTable[i].block_B ||
                detail::kFormatTable[j].layout != detail::kFormatTable[i].layout)
                continue;
            const std::string_view b = detail::kFormatTable[j].name;
            if (a.size() == b.size() - 1 && b.ends_with(unorm) &&
                a.substr(0, a.size() - srgb.size()) == b.substr(0, b.size() - unorm.size())) {
                pairs[i] = Format(j);
                pairs[j] = Format(i);
            }
        }
    }
    return pairs;
}
constexpr auto kSrgbPairs = build_srgb_pairs();

}  // namespace

Format format_from_name(std::string_view name) {
    for (const FormatInfo& row : detail::kFormatTable)
        if (name == row.name) return row.format;
    return Format::None;
}

Format format_to_linear(Format format) {
    return format_info(format).is_srgb ? kSrgbPairs[size_t(format)] : format;
}

Format format_to_srgb(Format format) {
    return format_info(format).is_srgb ? format : kSrgbPairs[size_t(format)];
}

uint64_t format_row_B(Format format, uint32_t width_px) {
    const FormatInfo& info = format_info(format);
    return (uint64_t(width_px) + info.block_w_px - 1) / info.block_w_px * info.block_B;
}

uint32_t format_block_rows(Format format, uint32_t height_px) {
    const FormatInfo& info = format_info(format);
    return uint32_t((uint64_t(height_px) + info.block_h_px - 1) / info.block_h_px);
}

}  // namespace terrazzo::pipe
