// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/capture.h"

#include "drivers/agx/decode/decode.h"
#include "drivers/agx/hw/chips.h"

namespace terrazzo::agx::decode {

using winsys::virt::asahi::kWorkQueues, winsys::virt::asahi::WorkQueue;

struct Captures {
    using Options = decode::Options;
    using Statistics = decode::Statistics;
    static constexpr Options kCountsAll{.max_blocks = uint64_t(1) << 32};
    static constexpr terrazzo::decode::CountRow<Statistics> kRows[] = {
        {"submissions", &Statistics::submissions},
        {"blocks", &Statistics::blocks},
        {"draws", &Statistics::draws},
        {"dispatches", &Statistics::dispatches}};
    static constexpr auto kVendor = terrazzo::capture::Vendor::Agx;
    static constexpr const char* kOtherChip = "the capture is not of an AGX";
    static constexpr auto& find_chip = hw::find_chip;
    struct Streams {
        /// Queue q of group g is number g * kWorkQueues + q.
        void print(const terrazzo::decode::Submission<Options>& s) {
            (void)print_command(s.memory, s.record.va, WorkQueue(s.record.queue % kWorkQueues), s.sink,
                                s.options);
        }
    };
};

}  // namespace terrazzo::agx::decode

template bool terrazzo::decode::print_captures<terrazzo::agx::decode::Captures>(
    std::span<const uint8_t>, terrazzo::fields::Sink&, const terrazzo::agx::decode::Options&, std::string*);
template terrazzo::decode::Decoded terrazzo::decode::decode_captures<terrazzo::agx::decode::Captures>(
    std::span<const uint8_t>, const terrazzo::decode::FileOptions&, terrazzo::fields::Sink&, std::string*);
