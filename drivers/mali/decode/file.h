// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include "drivers/common/decode/file.h"

namespace terrazzo::mali::decode {

[[nodiscard]] bool may_be_tools_file(std::span<const uint8_t> head);
[[nodiscard]] terrazzo::decode::Decoded decode_file(std::span<const uint8_t> file,
                                                    const terrazzo::decode::FileOptions& options,
                                                    fields::Sink& out, std::string* why);

}  // namespace terrazzo::mali::decode
