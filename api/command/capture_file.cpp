// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/capture_file.h"

#include <span>
#include <string_view>

#include "api/command/decode_file.h"
#include "api/command/file.h"
#include "drivers/vendors.h"

namespace terrazzo::command {

namespace {

bool is_capture(std::string_view head, std::string* why) {
    [[maybe_unused]] const std::span bytes(reinterpret_cast<const uint8_t*>(head.data()), head.size());
    bool is = head.starts_with("TRZCAP");
#define TERRAZZO_ROW(vendor) is = is || may_be_of_##vendor(bytes);
    TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
    if (is) return true;
    *why = "it is not a Terrazzo capture, nor a file of the freedreno tools";
    return false;
}

}  // namespace

bool read_capture(const char* command, const std::string& name, std::string* out, std::string* why) {
    FileProgress progress(command, name);
    return read_file(name, out, why, {.judge = is_capture, .progress = &progress});
}

}  // namespace terrazzo::command
