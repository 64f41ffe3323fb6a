// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo replay FILE`: runs a capture on the virtual GPU of its vendor, and writes its images.
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "api/command/capture_file.h"
#include "api/command/commands.h"
#include "api/command/file.h"
#include "api/command/stdout_sink.h"
#include "drivers/common/host/replay.h"
#include "drivers/vendors/chips.h"
#include "drivers/vendors/decoders.h"
#include "drivers/vendors/list.h"

namespace terrazzo::command {

namespace {

/// Writes each image to a separate file in a folder: "000012.ppm" is the last image of submission 12.
class PictureFiles final : public host::PictureSink {
  public:
    PictureFiles(std::string folder, bool top_down) : folder_(std::move(folder)), top_down_(top_down) {}
    /// Creates the folder if necessary. False: see why().
    [[nodiscard]] bool begin() {
        if (mkdir(folder_.c_str(), 0777) == 0 || errno == EEXIST) return true;
        why_ = folder_ + ": " + std::strerror(errno);
        return false;
    }
    void picture(const host::Picture& p) override {
        if (!why_.empty()) return;
        char name[32];
        std::snprintf(name, sizeof name, "/%06llu.ppm", static_cast<unsigned long long>(p.submission));
        std::string text =
            "P6\n" + std::to_string(p.width_px) + " " + std::to_string(p.height_px) + "\n255\n";
        for (uint32_t n = 0; n < p.height_px; ++n) {
            const uint32_t y = top_down_ ? n : p.height_px - 1 - n;
            for (size_t x = 0; x < p.width_px; ++x)
                text.append(reinterpret_cast<const char*>(&p.rgba[(size_t(y) * p.width_px + x) * 4]), 3);
        }
        std::string error;
        if (!write_file(folder_ + name, text, &error)) why_ = folder_ + name + ": " + error;
    }
    /// What failed; "": nothing.
    const std::string& why() const { return why_; }

  private:
    const std::string folder_;
    const bool top_down_;
    std::string why_;
};

int fail(const std::string& what) {
    std::fflush(stdout);
    std::fprintf(stderr, "terrazzo: replay: %s\n", what.c_str());
    return 1;
}

/// A capture of ours names its vendor. Other files are those of a vendor's tools.
bool replay_of_vendor(std::span<const uint8_t> file, const host::ReplayOptions& how, fields::Sink& sink,
                      host::ReplayCounts* counts, std::string* why) {
    capture::Vendor of{};
    [[maybe_unused]] const bool ours = capture::capture_vendor(file, &of);
#define TERRAZZO_ROW(vendor)                                                                  \
    if (ours ? of == vendor::sim::host_vendor().id : vendor::decode::may_be_tools_file(file)) \
        return host::replay(file, vendor::sim::host_vendor(), how, sink, counts, why);
    TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
    *why = why_nobody_reads(file);
    (void)how, (void)sink, (void)counts;  // unused if the vendor is not built
    return false;
}

}  // namespace

int replay(const ReplayOptions& options) {
    std::string text, why;
    if (!read_capture("replay", options.file, &text, &why)) return fail(options.file + ": " + why);
    PictureFiles pictures(options.out, options.top_down);
    if (!options.out.empty() && !pictures.begin()) return fail(pictures.why());
    StdoutSink sink;
    host::ReplayCounts counts;
    const host::ReplayOptions how{.device = options.device,
                                  .draws_nothing = options.draws_nothing,
                                  .pictures = options.out.empty() ? nullptr : &pictures};
    try {
        if (!replay_of_vendor({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, how, sink,
                              &counts, &why))
            return fail(options.file + ": " + why);
    } catch (const std::bad_alloc&) {
        return fail(options.file + ": out of memory");
    }
    if (!pictures.why().empty()) return fail(pictures.why());
    const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf("%llu submissions, %llu packets, %llu draws, %llu dispatches, %llu blits, %llu faults\n",
                n(counts.submits), n(counts.work.packets), n(counts.work.draws), n(counts.work.dispatches),
                n(counts.work.blits + counts.work.tile_transfers), n(counts.faults));
    if (!options.out.empty()) std::printf("%llu pictures in %s\n", n(counts.pictures), options.out.c_str());
    return counts.faults ? 1 : 0;
}

}  // namespace terrazzo::command
