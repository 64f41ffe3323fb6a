// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TERRAZZO_DEBUG=frames:FOLDER: what windows are shown, a PPM file a frame.
#pragma once

#include <string>

#include "winsys/platform.h"

namespace terrazzo::egl {

/// "FOLDER/PROCESS-NUMBER.ppm".
[[nodiscard]] std::string frame_file_name(const std::string& folder, unsigned number);
/// Colours without alpha, the top row first. `top_down`: so are the frame's rows. False: the format is not known, or the file cannot be written (a
/// line on stderr says why).
bool write_frame(const winsys::Frame& frame, const std::string& file, bool top_down);

}  // namespace terrazzo::egl
