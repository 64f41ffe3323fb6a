// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/capture.h"

#include <cstdio>
#include <map>

#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/chips.h"

namespace terrazzo::mali::decode {

namespace {

using terrazzo::capture::Record;
using terrazzo::capture::RecordType;

constexpr uint64_t kMostZeros_B = uint64_t(4) << 30;

void print_chip(const Record& record, fields::Sink& sink) {
    const hw::Chip* chip = hw::find_chip(record.gpu_id, record.variant);
    char text[96];
    std::snprintf(text, sizeof text, "Chip: %s (0x%08x, variant %u)", chip ? chip->marketing_name : "unknown",
                  record.gpu_id, record.variant);
    sink.line(0, text);
}

}  // namespace

bool print_capture(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                   std::string* error) {
    terrazzo::capture::CaptureReader reader(file);
    terrazzo::capture::Ranges memory;
    std::map<uint32_t, Registers> queues;
    unsigned submissions = 0;
    uint64_t zeros_B = 0;
    for (Record record; reader.next(&record);) {
        switch (record.type) {
            case RecordType::Chip:
                if (record.vendor != terrazzo::capture::Vendor::Mali) {
                    *error = "the capture is not of a Mali";
                    return false;
                }
                print_chip(record, sink);
                break;
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
                sink.line(0, std::string("Note: ") + std::string(record.bytes.begin(), record.bytes.end()));
                break;
            case RecordType::Submit: {
                Registers& registers = queues[record.queue];
                for (unsigned i = 0; i < record.register_count() && i < Registers::kCount; ++i)
                    registers.set(i, record.register_at(i));
                char text[128];
                std::snprintf(text, sizeof text, "Submission %u: queue %u, %llu bytes @0x%llx", submissions++,
                              record.queue, static_cast<unsigned long long>(record.size_B),
                              static_cast<unsigned long long>(record.va));
                sink.line(0, text);
                if (options.statistics) ++options.statistics->submissions;
                (void)print_stream(memory, record.va, record.size_B, &registers, sink, options);
                break;
            }
        }
    }
    if (reader.error()) {
        *error = reader.error();
        return false;
    }
    return true;
}

}  // namespace terrazzo::mali::decode
