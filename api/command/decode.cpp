// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo decode FILE`: prints what a capture (drivers/common/capture/capture.h), or a file of the
// freedreno tools, makes a GPU do.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "api/command/capture_file.h"
#include "api/command/commands.h"
#include "api/command/stdout_sink.h"
#include "drivers/common/decode/file.h"
#include "drivers/vendors/decoders.h"
#include "drivers/vendors/list.h"

namespace terrazzo::command {

namespace {

int fail(const std::string& file, const char* what) {
    std::fflush(stdout);
    std::fprintf(stderr, "terrazzo: decode: %s: %s\n", file.c_str(), what);
    return 1;
}

}  // namespace

int decode(const DecodeOptions& options) {
    std::string text, why;
    if (!read_capture("decode", options.file, &text, &why)) return fail(options.file, why.c_str());
    const std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    using decode::Decoded;
    StdoutSink out;
    [[maybe_unused]] const decode::FileOptions how{.shaders = !options.no_shaders, .stats = options.stats};
    Decoded done = Decoded::OtherFile;
#define TERRAZZO_ROW(vendor) \
    if (done == Decoded::OtherFile) done = vendor::decode::decode_file(bytes, how, out, &why);
    TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
    if (done == Decoded::OtherFile) why = why_nobody_reads(bytes);
    if (done != Decoded::Printed) return fail(options.file, why.c_str());
    return std::fflush(stdout) == 0 ? 0 : fail(options.file, std::strerror(errno));
}

}  // namespace terrazzo::command
