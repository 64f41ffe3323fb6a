// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/replay.h"

#include <algorithm>

namespace terrazzo::capture {

std::string chip_name(const ReplayOptions& options) {
    return options.device.starts_with("sim:") ? options.device.substr(4) : options.device;
}

bool capture_vendor(std::span<const uint8_t> file, Vendor* out) {
    CaptureReader reader(file);
    for (Record r; reader.next(&r);) {
        if (r.type != RecordType::Chip) continue;
        *out = r.vendor;
        return true;
    }
    return false;
}

bool play_capture(std::span<const uint8_t> file, CapturePlayer& player, std::string* error) {
    CaptureReader reader(file);
    std::vector<RecordedStream> streams;
    uint32_t queue = 0;
    const auto fits = [&](bool fits) {
        if (!fits) *error = "its buffers are larger than a GPU's memory";
        return fits;
    };
    for (Record r; reader.next(&r);) {
        bool ok = true;
        if (!streams.empty() && (r.type != RecordType::Submit || r.queue != queue)) {
            if (!player.submit(queue, streams, error)) return false;
            streams.clear();
        }
        switch (r.type) {
            case RecordType::Chip:
                ok = player.chip(r, error);
                break;
            case RecordType::Memory:
                ok = fits(player.memory().put(r.va, r.bytes));
                break;
            case RecordType::Zeros:
                ok = fits(player.memory().put_zeros(r.va, std::min(r.size_B, kMaxZeros_B)));
                break;
            case RecordType::Note:
                break;
            case RecordType::Submit:
                streams.push_back({r.va, r.size_B});
                queue = r.queue;
                break;
        }
        if (!ok) return false;
    }
    if (!streams.empty() && !reader.error() && !player.submit(queue, streams, error)) return false;
    if (reader.error()) *error = reader.error();
    return !reader.error();
}

}  // namespace terrazzo::capture
