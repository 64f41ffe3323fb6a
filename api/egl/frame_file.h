// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TERRAZZO_DEBUG=frames:FOLDER: the frames of windows, one PPM file each.
#pragma once

#include <string>

#include "winsys/platform.h"

namespace terrazzo::egl {

/// "FOLDER/PROCESS-NUMBER.ppm".
[[nodiscard]] std::string frame_file_name(const std::string& folder, unsigned number);
/// Writes the colours without alpha, top row first. `top_down`: the frame's rows have this order, too. False:
/// the format is unknown, or the file cannot be written (a line on stderr says why).
bool write_frame(const winsys::Frame& frame, const std::string& file, bool top_down);

}  // namespace terrazzo::egl
