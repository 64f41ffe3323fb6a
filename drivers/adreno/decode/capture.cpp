// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Files of the freedreno tools as text.
#include <cstdio>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/decode/rd.h"
#include "drivers/common/capture/gzip.h"

namespace terrazzo::adreno::decode {

namespace {

constexpr uint64_t kMostFile_B = uint64_t(2) << 30;

std::string text_of(std::span<const uint8_t> bytes) {
    std::string text(bytes.begin(), bytes.end());
    text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
    for (char& c : text)
        if (uint8_t(c) < ' ' || c == 127) c = '?';
    return text;
}

/// Whether a chip is an a6xx, by what the kernel calls it.
bool is_a6xx(const RdSection& section) {
    if (section.type == RdType::GpuId) return section.id / 100 == 6;
    return (section.id >> 24 & 0xff) == 6;
}

class Reader {
  public:
    Reader(fields::Sink& sink, const Options& options) : sink_(sink), options_(options) {}

    bool section(const RdSection& section, std::string* error) {
        switch (section.type) {
            case RdType::Test:
            case RdType::Cmd:
                sink_.line(0, (section.type == RdType::Cmd ? "Program: " : "Note: ") + text_of(section.data));
                break;
            case RdType::GpuAddr:
                // Buffers belong to the submission that follows them.
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
        std::snprintf(text, sizeof text, section.type == RdType::GpuId ? "GPU: %llu" : "Chip: 0x%llx",
                      static_cast<unsigned long long>(section.id));
        sink_.line(0, text);
        // Tools write 0 as the GPU id of chips that have a chip id alone.
        if (is_a6xx(section) || (section.type == RdType::GpuId && section.id == 0)) return true;
        *error = "the capture is not of an a6xx";
        return false;
    }

    void submit(const RdSection& section) {
        char text[96];
        std::snprintf(text, sizeof text, "Submission %u: %u dwords @0x%llx", submissions_++, section.size,
                      static_cast<unsigned long long>(section.va));
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
        if (!terrazzo::capture::gunzip(file, kMostFile_B, &plain, &reason)) {
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

}  // namespace terrazzo::adreno::decode
