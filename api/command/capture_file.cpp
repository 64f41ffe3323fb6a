// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/capture_file.h"

#include <span>
#include <string_view>

#include "api/command/file.h"
#include "drivers/adreno/decode/decode.h"

namespace terrazzo::command {

namespace {

bool is_capture(std::string_view head, std::string* why) {
    const std::span bytes(reinterpret_cast<const uint8_t*>(head.data()), head.size());
    if (head.starts_with("TRZCAP") || adreno::decode::may_be_rd(bytes)) return true;
    *why = "it is not a Terrazzo capture, nor a file of the freedreno tools";
    return false;
}

}  // namespace

bool read_capture(const char* command, const std::string& name, std::string* out, std::string* why) {
    FileProgress progress(command, name);
    return read_file(name, out, why, {.judge = is_capture, .progress = &progress});
}

}  // namespace terrazzo::command
