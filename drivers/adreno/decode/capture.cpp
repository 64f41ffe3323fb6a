// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints files of the freedreno tools, and our captures, as text.
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/decode/rd.h"
#include "drivers/common/capture/capture.h"
#include "drivers/common/capture/gzip.h"
#include "drivers/common/decode/capture.h"

namespace terrazzo::adreno::decode {

namespace {

using terrazzo::capture::Record;
using terrazzo::decode::printable;

constexpr uint32_t kMostRdType = 32;  // of a file's first section; there are 18 types
/// Whether a chip is an a6xx, by the kernel's number for it.
bool is_a6xx_gpu_id(uint64_t id) {
    return id / 100 == 6;
}
bool is_a6xx_chip_id(uint64_t id) {
    return (id >> 24 & 0xff) == 6;
}

class Reader {
  public:
    Reader(fields::Sink& sink, const Options& options) : sink_(sink), options_(options) {}

    bool section(const RdSection& section, std::string* error) {
        switch (section.type) {
            case RdType::Test:
            case RdType::Cmd:
                sink_.line(0,
                           (section.type == RdType::Cmd ? "Program: " : "Note: ") + printable(section.data));
                break;
            case RdType::GpuAddr:
                // A submission's buffers precede it.
                if (submitted_) memory_ = {};
                submitted_ = false;
                address_ = section.va;
                break;
            case RdType::BufferContents:
                memory_.put(address_, section.data);
                break;
            case RdType::GpuId:
            case RdType::ChipId:
                return chip(section, error);
            case RdType::CmdstreamAddr:
                submit(section);
                break;
        }
        return true;
    }

  private:
    bool chip(const RdSection& section, std::string* error) {
        char text[64];
        std::snprintf(text, sizeof text, section.type == RdType::GpuId ? "GPU: %" PRIu64 : "Chip: 0x%" PRIx64,
                      section.id);
        sink_.line(0, text);
        // Tools write the GPU id 0 for chips that only have a chip id.
        if (section.type == RdType::GpuId ? section.id == 0 || is_a6xx_gpu_id(section.id)
                                          : is_a6xx_chip_id(section.id))
            return true;
        *error = "the capture is not of an a6xx";
        return false;
    }

    void submit(const RdSection& section) {
        char text[96];
        std::snprintf(text, sizeof text, "Submission %u: %u dwords @0x%" PRIx64, submissions_++, section.size,
                      section.va);
        sink_.line(0, text);
        if (options_.statistics) ++options_.statistics->submissions;
        (void)print_stream(memory_, section.va, section.size, &registers_, sink_, options_);
        submitted_ = true;
    }

    fields::Sink& sink_;
    const Options& options_;
    terrazzo::capture::Ranges memory_;
    Registers registers_;
    uint64_t address_ = 0;
    unsigned submissions_ = 0;
    bool submitted_ = false;
};

}  // namespace

bool print_rd(std::span<const uint8_t> file, fields::Sink& sink, const Options& options, std::string* error) {
    std::vector<uint8_t> plain;
    if (terrazzo::capture::is_gzip(file)) {
        const char* reason = nullptr;
        if (!terrazzo::capture::gunzip(file, terrazzo::capture::kMostUnpacked_B, &plain, &reason)) {
            *error = reason;
            return false;
        }
        file = plain;
    }
    RdReader sections(file);
    Reader reader(sink, options);
    for (RdSection section; sections.next(&section);)
        if (!reader.section(section, error)) return false;
    if (!sections.error()) return true;
    *error = sections.error();
    return false;
}

namespace {

std::string describe_a6xx(const Record& chip) {
    const bool known = chip.gpu_id ? is_a6xx_gpu_id(chip.gpu_id) : is_a6xx_chip_id(chip.variant);
    char text[64] = "";
    if (known && chip.vendor == terrazzo::capture::Vendor::Adreno)
        std::snprintf(text, sizeof text, "GPU: %u, chip 0x%08x", chip.gpu_id, chip.variant);
    return text;
}

}  // namespace

bool print_capture(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                   std::string* error) {
    Registers registers;
    const auto print = [&](const terrazzo::capture::Ranges& memory, const Record& submit) {
        (void)print_stream(memory, submit.va, submit.size_B / 4, &registers, sink, options);
    };
    return terrazzo::decode::print_records(
        file, sink,
        {.unit = "dwords",
         .unit_B = 4,
         .submissions = options.statistics ? &options.statistics->submissions : nullptr,
         .chip = describe_a6xx,
         .other_chip = "the capture is not of an a6xx",
         .stream = print},
        error);
}

bool may_be_tools_file(std::span<const uint8_t> head) {
    if (terrazzo::capture::is_gzip(head)) return true;
    // Padding may precede the first section.
    for (size_t at = 0; at + 8 <= head.size(); at += 8) {
        uint32_t words[2];
        std::memcpy(words, head.data() + at, sizeof words);
        if (words[0] == ~0u && words[1] == ~0u) continue;
        return words[0] >= 1 && words[0] <= kMostRdType;
    }
    return false;
}

FileKind file_kind(std::span<const uint8_t> file) {
    if (terrazzo::capture::is_gzip(file)) return FileKind::Rd;
    terrazzo::capture::CaptureReader reader(file);
    if (!reader.error()) {
        Record record;
        const bool ours = reader.next(&record) && record.type == terrazzo::capture::RecordType::Chip &&
                          record.vendor == terrazzo::capture::Vendor::Adreno;
        return ours ? FileKind::Capture : FileKind::Other;
    }
    RdReader sections(file);
    RdSection first;
    return sections.next(&first) && uint32_t(first.type) <= kMostRdType ? FileKind::Rd : FileKind::Other;
}

namespace {

using terrazzo::decode::Decoded;

constexpr terrazzo::decode::CountRow<Statistics> kRows[] = {
    {"submissions", &Statistics::submissions},   {"packets", &Statistics::packets},
    {"registers", &Statistics::register_writes}, {"draws", &Statistics::draws},
    {"dispatches", &Statistics::dispatches},     {"blits", &Statistics::blits},
    {"findings", &Statistics::problems}};

}  // namespace

Decoded decode_file(std::span<const uint8_t> file, const terrazzo::decode::FileOptions& options,
                    fields::Sink& out, std::string* why) {
    const FileKind kind = file_kind(file);
    if (kind == FileKind::Other) return Decoded::OtherFile;
    terrazzo::decode::FindingsSink none;
    fields::Sink& sink = options.stats ? static_cast<fields::Sink&>(none) : out;
    Statistics counts;
    Options how{.shaders = options.shaders && !options.stats, .statistics = &counts};
    if (options.stats) {
        how.max_packets = uint64_t(1) << 32;
        how.max_lines = UINT64_MAX - 1;
    }
    const bool done =
        kind == FileKind::Rd ? print_rd(file, sink, how, why) : print_capture(file, sink, how, why);
    if (!done) return Decoded::Failed;
    if (options.stats) terrazzo::decode::print_counts(out, std::span(kRows), counts);
    return Decoded::Printed;
}

}  // namespace terrazzo::adreno::decode
