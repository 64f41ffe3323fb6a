// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The memory of pixels as descriptors name it: channels and their type. Source: Mesa 25.0.7,
// src/asahi/layout/formats.c.
#pragma once

#include <optional>

#include "drivers/agx/hw/records.h"
#include "pipe/format.h"

namespace terrazzo::agx::hw {

struct PixelFormat {
    Channels channels = Channels::R8;
    TextureType type = TextureType::Unorm;
    bool operator==(const PixelFormat&) const = default;
};

/// Of colour formats, whatever the order of their channels (a descriptor's swizzle has that) and whether they
/// are sRGB (a descriptor's bit). Without a value: the hardware does not have the format.
std::optional<PixelFormat> pixel_format(pipe::Format format);
/// The format with these numbers whose channels are in the order R, G, B, A. None: there is none.
pipe::Format format_of(PixelFormat numbers, bool srgb = false);

}  // namespace terrazzo::agx::hw
