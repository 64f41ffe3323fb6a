// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo decode FILE`: what a capture (drivers/common/capture/capture.h), or a file of the freedreno tools,
// has a GPU do, in words.
#include <cerrno>
#include <cstring>

#include "api/command/capture_file.h"
#include "api/command/decode_file.h"
#include "drivers/common/capture/capture.h"
#include "drivers/vendors.h"

namespace terrazzo::command {

namespace {

int fail(const std::string& file, const char* what) {
    std::fflush(stdout);
    std::fprintf(stderr, "terrazzo: decode: %s: %s\n", file.c_str(), what);
    return 1;
}

/// Why nobody prints the file.
std::string reason(std::span<const uint8_t> file) {
    capture::CaptureReader reader(file);
    capture::Record first;
    if (reader.next(&first)) return "of a GPU that this build has no driver for (-Ddrivers=)";
    return reader.error() ? reader.error() : "nothing is in it";
}

}  // namespace

int decode(const DecodeOptions& options) {
    std::string text, why;
    if (!read_capture("decode", options.file, &text, &why)) return fail(options.file, why.c_str());
    const std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    Decoded done = Decoded::OtherFile;
#define TERRAZZO_ROW(vendor) \
    if (done == Decoded::OtherFile) done = decode_##vendor(options, bytes, &why);
    TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
    if (done == Decoded::OtherFile) why = reason(bytes);
    if (done != Decoded::Printed) return fail(options.file, why.c_str());
    return std::fflush(stdout) == 0 ? 0 : fail(options.file, std::strerror(errno));
}

}  // namespace terrazzo::command
