// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/capture_file.h"

#include <span>
#include <string_view>

#include "api/command/file.h"
#include "drivers/common/capture/capture.h"
#include "drivers/vendors/decoders.h"
#include "drivers/vendors/list.h"

namespace terrazzo::command {

namespace {

bool is_capture(std::string_view head, std::string* why) {
    [[maybe_unused]] const std::span bytes(reinterpret_cast<const uint8_t*>(head.data()), head.size());
    bool is = head.starts_with("TRZCAP");
#define TERRAZZO_ROW(vendor) is = is || vendor::decode::may_be_tools_file(bytes);
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

std::string why_nobody_reads(std::span<const uint8_t> file) {
    capture::CaptureReader reader(file);
    capture::Record first;
    if (reader.next(&first))
        return first.type == capture::RecordType::Chip
                   ? "of a GPU that this build has no driver for (-Ddrivers=)"
                   : "it does not begin with the GPU that it is of";
    return reader.error() ? reader.error() : "nothing is in it";
}

}  // namespace terrazzo::command
