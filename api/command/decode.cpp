// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo decode FILE`: what a capture (drivers/common/capture/capture.h) has a GPU do, in words.
#include "drivers/mali/decode/decode.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>

#include "api/command/commands.h"
#include "api/command/file.h"

namespace terrazzo::command {

namespace {

class StdoutSink final : public fields::Sink {
  public:
    void line(unsigned indent, std::string_view text) override {
        std::printf("%*s%.*s\n", int(indent) * 2, "", int(text.size()), text.data());
    }
};

int fail(const std::string& file, const char* what) {
    std::fflush(stdout);
    std::fprintf(stderr, "terrazzo: decode: %s: %s\n", file.c_str(), what);
    return 1;
}

}  // namespace

int decode(const DecodeOptions& options) {
    std::string text, why;
    if (!read_file(options.file, &text, &why)) return fail(options.file, why.c_str());
    const std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    StdoutSink sink;
    std::string error;
    const mali::decode::Options how{.shaders = !options.no_shaders};
    if (!mali::decode::print_capture(bytes, sink, how, &error)) return fail(options.file, error.c_str());
    return std::fflush(stdout) == 0 ? 0 : fail(options.file, std::strerror(errno));
}

}  // namespace terrazzo::command
