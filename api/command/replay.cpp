// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo replay FILE`: runs a recording on the virtual GPU.
#include "drivers/adreno/sim/replay.h"

#include <cstdio>
#include <new>

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
    std::fprintf(stderr, "terrazzo: replay: %s: %s\n", file.c_str(), what);
    return 1;
}

}  // namespace

int replay(const ReplayOptions& options) {
    std::string text, why;
    if (!read_file(options.file, &text, &why)) return fail(options.file, why.c_str());
    StdoutSink sink;
    adreno::sim::ReplayCounts counts;
    const adreno::sim::ReplayOptions how{.device = options.device, .draws_nothing = options.draws_nothing};
    try {
        if (!adreno::sim::replay({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, how, sink,
                                 &counts, &why))
            return fail(options.file, why.c_str());
    } catch (const std::bad_alloc&) {
        return fail(options.file, "out of memory");
    }
    const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf("%llu submissions, %llu packets, %llu draws, %llu dispatches, %llu blits, %llu faults\n",
                n(counts.submits), n(counts.packets), n(counts.draws), n(counts.dispatches), n(counts.blits),
                n(counts.faults));
    return counts.faults ? 1 : 0;
}

}  // namespace terrazzo::command
