// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/capture.h"

#include <algorithm>
#include <cstdio>

namespace terrazzo::decode {

using capture::Record;
using capture::RecordType;

namespace {

constexpr uint64_t kMostZeros_B = uint64_t(4) << 30;

}  // namespace

std::string printable(std::span<const uint8_t> bytes) {
    std::string text(bytes.begin(), std::find(bytes.begin(), bytes.end(), uint8_t(0)));
    for (char& c : text)
        if (uint8_t(c) < ' ' || c == 127) c = '?';
    return text;
}

bool is_capture_of(capture::Vendor vendor, std::span<const uint8_t> file) {
    capture::CaptureReader reader(file);
    if (reader.error()) return false;
    for (Record r; reader.next(&r);)
        if (r.type == RecordType::Chip) return r.vendor == vendor;
    return true;
}

std::string chip_text(const Record& record, const char* name) {
    char text[96];
    std::snprintf(text, sizeof text, "Chip: %s (0x%08x, variant %u)", name ? name : "unknown", record.gpu_id,
                  record.variant);
    return text;
}

bool print_records(std::span<const uint8_t> file, fields::Sink& sink, const CapturePrinter& printer,
                   std::string* error) {
    capture::CaptureReader reader(file);
    capture::Ranges memory;
    unsigned submissions = 0;
    uint64_t zeros_B = 0;
    for (Record record; reader.next(&record);) {
        switch (record.type) {
            case RecordType::Chip:
                if (const std::string chip = printer.chip(record); !chip.empty()) {
                    sink.line(0, chip);
                    break;
                }
                *error = printer.other_chip;
                return false;
            case RecordType::Memory:
                memory.put(record.va, record.bytes);
                break;
            case RecordType::Zeros:
                zeros_B += record.size_B;
                if (zeros_B > kMostZeros_B) {
                    *error = "more zeros than a GPU's memory";
                    return false;
                }
                memory.put(record.va, std::vector<uint8_t>(size_t(record.size_B)));
                break;
            case RecordType::Note:
                sink.line(0, "Note: " + printable(record.bytes));
                break;
            case RecordType::Submit: {
                char text[128];
                std::snprintf(text, sizeof text, "Submission %u: queue %u, %llu %s @0x%llx", submissions++,
                              record.queue, static_cast<unsigned long long>(record.size_B / printer.unit_B),
                              printer.unit, static_cast<unsigned long long>(record.va));
                sink.line(0, text);
                if (printer.submissions) ++*printer.submissions;
                printer.stream(memory, record);
                break;
            }
        }
    }
    if (!reader.error()) return true;
    *error = reader.error();
    return false;
}

void print_count(fields::Sink& out, std::string_view what, uint64_t count, std::string_view rest) {
    constexpr size_t kName_columns = 14, kNumber_columns = 10;
    const std::string number = std::to_string(count);
    std::string line(what);
    line.resize(std::max(line.size(), kName_columns), ' ');
    line.append(kNumber_columns - std::min(kNumber_columns, number.size()), ' ');
    out.line(0, line.append(number).append(rest));
}

void print_draw_sizes(fields::Sink& out, std::vector<uint32_t> draw_B) {
    if (draw_B.empty()) return;
    std::sort(draw_B.begin(), draw_B.end());
    uint64_t sum = 0;
    for (const uint32_t b : draw_B)
        sum += b;
    char line[128];
    std::snprintf(line, sizeof line, "bytes of stream a draw: median %u, least %u, most %u, mean %.1f",
                  draw_B[draw_B.size() / 2], draw_B.front(), draw_B.back(),
                  double(sum) / double(draw_B.size()));
    out.line(0, line);
}

}  // namespace terrazzo::decode
