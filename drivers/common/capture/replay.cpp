// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/replay.h"

#include <algorithm>
#include <vector>

namespace terrazzo::capture {

bool capture_vendor(std::span<const uint8_t> file, Vendor* out) {
    CaptureReader reader(file);
    for (Record r; reader.next(&r);) {
        if (r.type != RecordType::Chip) continue;
        *out = r.vendor;
        return true;
    }
    return false;
}

bool is_too_large(std::string* error) {
    *error = "its buffers are larger than a GPU's memory";
    return false;
}

bool play_capture(std::span<const uint8_t> file, CapturePlayer& player, std::string* error) {
    CaptureReader reader(file);
    std::vector<RecordedStream> streams;
    uint32_t queue = 0;
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
                ok = player.memory().put(r.va, r.bytes) || is_too_large(error);
                break;
            case RecordType::Zeros:
                ok = player.memory().put_zeros(r.va, std::min(r.size_B, kMaxZeros_B)) || is_too_large(error);
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
