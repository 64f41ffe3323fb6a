// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The memory layouts of images that several devices or processes share: all modifiers of drm_fourcc.h that a
// device of ours supports, and the devices' tables of them. Also common to shared images: which resources can
// be shared, and the lists of modifiers that are passed to Screen::create_shared_resource().
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "pipe/resource.h"

namespace terrazzo::pipe {

inline constexpr uint64_t kModifierLinear = 0;
inline constexpr uint64_t kModifierInvalid = 0x00ffffffffffffff;  // unknown; treated as linear

/// The upper byte is the vendor.
inline constexpr uint64_t kModifierVendorArm = uint64_t(8) << 56;
/// Arm's modifiers: four bits are the type. Type 0 is AFBC; its other bits choose the AfbcMode
/// (layout/afbc.h).
inline constexpr uint64_t kModifierArmTypeMask = uint64_t(15) << 52;
inline constexpr uint64_t kModArmInterleaved = 0x0810000000000001;  // ARM_16X16_BLOCK_U_INTERLEAVED
// APPLE_GPU_TILED and _GPU_TILED_COMPRESSED of Linux 6.16. Such images have one plane; its pitch means
// nothing, but must be the bytes of a row. (Mesa 25.0.7 uses the numbers 2 and 3 without a vendor, which
// nothing else knows.)
inline constexpr uint64_t kModAppleTiled = 0x0c00000000000001;
inline constexpr uint64_t kModAppleCompressed = 0x0c00000000000002;
inline constexpr uint64_t kModQcomCompressed = 0x0500000000000001;
inline constexpr uint64_t kModQcomTiled3 = 0x0500000000000003;

/// A modifier that a device supports for a format.
struct Modifier {
    uint64_t value = kModifierLinear;
    bool sampled_only = false;  // such images can be sampled, but not drawn to
};

/// The modifiers that a device supports, the best first.
template <size_t N>
struct ModifierTable {
    /// The first `compressed` values are modifiers of compressed images.
    constexpr ModifierTable(const uint64_t (&values)[N], size_t compressed) : compressed(compressed) {
        for (size_t i = 0; i < N; ++i) {
            drawn[i] = {values[i], false};
            sampled[i] = {values[i], true};
        }
    }
    [[nodiscard]] constexpr bool has(uint64_t modifier, bool also_compressed) const {
        for (size_t i = also_compressed ? 0 : compressed; i < N; ++i)
            if (drawn[i].value == modifier) return true;
        return false;
    }
    /// The rows for Screen::modifiers().
    [[nodiscard]] constexpr std::span<const Modifier> rows(bool can_draw, bool also_compressed) const {
        return std::span<const Modifier>(can_draw ? drawn : sampled)
            .subspan(also_compressed ? 0 : compressed);
    }

    size_t compressed;
    std::array<Modifier, N> drawn, sampled;
};

/// Whether the resource is a single 2D image. Only those can be shared.
[[nodiscard]] inline bool is_single_picture(const ResourceDesc& d) {
    return d.kind == ResourceKind::Tex2D && d.levels == 1 && d.layers == 1 && d.samples == 1;
}

/// Whether a list allows the modifier. kModifierInvalid in the list allows linear: its caller cannot tell
/// other processes a modifier.
[[nodiscard]] inline bool allows_modifier(std::span<const uint64_t> list, uint64_t modifier) {
    return std::ranges::any_of(list, [&](uint64_t m) {
        return m == modifier || (m == kModifierInvalid && modifier == kModifierLinear);
    });
}

}  // namespace terrazzo::pipe
