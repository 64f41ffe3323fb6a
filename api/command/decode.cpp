// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo decode FILE`: what a capture (drivers/common/capture/capture.h) has a GPU do, in words.
#include "drivers/mali/decode/decode.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "api/command/commands.h"

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

/// The file's bytes; errno says why not.
bool read_file(const std::string& name, std::vector<uint8_t>* out) {
    std::FILE* file = std::fopen(name.c_str(), "rb");
    if (!file) return false;
    uint8_t chunk[1 << 16];
    for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
        out->insert(out->end(), chunk, chunk + n);
    const bool good = !std::ferror(file);
    const int reason = errno;
    std::fclose(file);
    errno = reason;
    return good;
}

}  // namespace

int decode(const DecodeOptions& options) {
    std::vector<uint8_t> bytes;
    if (!read_file(options.file, &bytes)) return fail(options.file, std::strerror(errno));
    StdoutSink sink;
    std::string error;
    const mali::decode::Options how{.shaders = !options.no_shaders};
    if (!mali::decode::print_capture(bytes, sink, how, &error)) return fail(options.file, error.c_str());
    return std::fflush(stdout) == 0 ? 0 : fail(options.file, std::strerror(errno));
}

}  // namespace terrazzo::command
