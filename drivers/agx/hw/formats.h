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

/// Whatever the order of the format's channels (a descriptor's swizzle has that) and whether it is sRGB (a
/// descriptor's bit). Without a value: the hardware does not have the format.
std::optional<PixelFormat> pixel_format(pipe::Format format);
/// A format whose memory has these numbers, with its channels in any order: R of the hardware is always the
/// lowest bits. None: there is none.
pipe::Format format_of(PixelFormat numbers, bool srgb = false);
/// How channel c of the format's memory is encoded in a border's colour (Border): as in memory, but sRGB has
/// four more bits, and is linear. Compressed formats have the bits to which they decode. Without a value: not
/// known. Source: Mesa 25.0.7, agx_border.c.
std::optional<pipe::ChannelInfo> border_channel(pipe::Format format, unsigned c);

}  // namespace terrazzo::agx::hw
