// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Border colors. An entry of the table has one color in the encodings of all kinds of texture formats. A
// color of floats needs one entry for all formats; the entry of a color of integers depends on the format.
#pragma once

#include "drivers/adreno/hw/structs.h"
#include "drivers/common/images/border_table.h"

namespace terrazzo::adreno {

/// The type of a border color's channels and the range to which they are clamped.
enum class BorderForm : uint8_t { Float, Uint8, Int8, Uint10, Uint16, Int16, Bits32 };
/// The form for textures of the format.
[[nodiscard]] BorderForm border_form(pipe::Format format);

/// Packs the table's entry of a color.
[[nodiscard]] hw::BorderColor describe_border(const pipe::BorderColor& color, BorderForm form);
using BorderColors = images::BorderTable<BorderForm, hw::BorderColor, describe_border>;

}  // namespace terrazzo::adreno
