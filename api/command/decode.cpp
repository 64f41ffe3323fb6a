// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo decode FILE`: what a capture (drivers/common/capture/capture.h), or a file of the freedreno tools,
// has a GPU do, in words.
#include "drivers/mali/decode/decode.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>

#include "api/command/commands.h"
#include "api/command/file.h"
#include "drivers/adreno/decode/decode.h"

namespace terrazzo::command {

namespace {

class StdoutSink final : public fields::Sink {
  public:
    void line(unsigned indent, std::string_view text) override {
        std::printf("%*s%.*s\n", int(indent) * 2, "", int(text.size()), text.data());
    }
};

/// Keeps nothing but what is wrong.
class FindingsSink final : public fields::Sink {
  public:
    void line(unsigned, std::string_view text) override {
        count += text.starts_with("! ") || text.find(" ! ") != std::string_view::npos;
    }
    uint64_t count = 0;
};

void print_statistics(const mali::decode::Statistics& s, uint64_t findings) {
    const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf("submissions   %10llu\ninstructions  %10llu   %llu bytes\n", n(s.submissions),
                n(s.instructions), n(s.instructions * 8));
    std::printf("RUN_IDVS      %10llu\nRUN_FRAGMENT  %10llu\nRUN_COMPUTE   %10llu\nother RUNs    %10llu\n",
                n(s.idvs), n(s.fragment), n(s.compute), n(s.other_runs));
    std::printf("findings      %10llu\n", n(findings));
    if (s.draw_B.empty()) return;
    std::vector<uint32_t> sorted = s.draw_B;
    std::sort(sorted.begin(), sorted.end());
    uint64_t sum = 0;
    for (const uint32_t b : sorted)
        sum += b;
    std::printf("bytes of stream a draw: median %u, least %u, most %u, mean %.1f\n",
                sorted[sorted.size() / 2], sorted.front(), sorted.back(),
                double(sum) / double(sorted.size()));
}

void print_statistics(const adreno::decode::Statistics& s) {
    const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf("submissions   %10llu\npackets       %10llu\nregisters     %10llu\n", n(s.submissions),
                n(s.packets), n(s.register_writes));
    std::printf("draws         %10llu\ndispatches    %10llu\nblits         %10llu\nfindings      %10llu\n",
                n(s.draws), n(s.dispatches), n(s.blits), n(s.problems));
}

int fail(const std::string& file, const char* what) {
    std::fflush(stdout);
    std::fprintf(stderr, "terrazzo: decode: %s: %s\n", file.c_str(), what);
    return 1;
}

int decode_adreno(const DecodeOptions& options, std::span<const uint8_t> bytes,
                  adreno::decode::FileKind kind) {
    StdoutSink lines;
    FindingsSink none;
    fields::Sink& sink = options.stats ? static_cast<fields::Sink&>(none) : lines;
    adreno::decode::Statistics counts;
    adreno::decode::Options how{.shaders = !options.no_shaders && !options.stats, .statistics = &counts};
    if (options.stats) {
        how.max_packets = uint64_t(1) << 32;
        how.max_lines = UINT64_MAX - 1;
    }
    std::string error;
    const bool done = kind == adreno::decode::FileKind::Rd
                          ? adreno::decode::print_rd(bytes, sink, how, &error)
                          : adreno::decode::print_capture(bytes, sink, how, &error);
    if (!done) return fail(options.file, error.c_str());
    if (options.stats) print_statistics(counts);
    return std::fflush(stdout) == 0 ? 0 : fail(options.file, std::strerror(errno));
}

}  // namespace

int decode(const DecodeOptions& options) {
    std::string text, why;
    if (!read_file(options.file, &text, &why)) return fail(options.file, why.c_str());
    const std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    const adreno::decode::FileKind kind = adreno::decode::file_kind(bytes);
    if (kind != adreno::decode::FileKind::Other) return decode_adreno(options, bytes, kind);
    StdoutSink sink;
    std::string error;
    if (options.stats) {
        FindingsSink findings;
        mali::decode::Statistics counts;
        const mali::decode::Options how{.max_instructions = uint64_t(1) << 32,
                                        .max_lines = UINT64_MAX - 1,
                                        .shaders = false,
                                        .statistics = &counts};
        if (!mali::decode::print_capture(bytes, findings, how, &error))
            return fail(options.file, error.c_str());
        print_statistics(counts, findings.count);
        return std::fflush(stdout) == 0 ? 0 : fail(options.file, std::strerror(errno));
    }
    const mali::decode::Options how{.shaders = !options.no_shaders};
    if (!mali::decode::print_capture(bytes, sink, how, &error)) return fail(options.file, error.c_str());
    return std::fflush(stdout) == 0 ? 0 : fail(options.file, std::strerror(errno));
}

}  // namespace terrazzo::command
