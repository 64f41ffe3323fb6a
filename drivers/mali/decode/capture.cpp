// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/capture.h"

#include <map>

#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/chips.h"

namespace terrazzo::mali::decode {

struct Captures {
    using Options = decode::Options;
    using Statistics = decode::Statistics;
    static constexpr Options kCountsAll{.max_instructions = uint64_t(1) << 32};
    static constexpr terrazzo::decode::CountRow<Statistics> kRows[] = {
        {"submissions", &Statistics::submissions}, {"instructions", &Statistics::instructions, 8},
        {"RUN_IDVS", &Statistics::idvs},           {"RUN_FRAGMENT", &Statistics::fragment},
        {"RUN_COMPUTE", &Statistics::compute},     {"other RUNs", &Statistics::other_runs}};
    static constexpr auto kVendor = terrazzo::capture::Vendor::Mali;
    static constexpr const char* kOtherChip = "the capture is not of a Mali";
    static constexpr auto& find_chip = hw::find_chip;
    struct Streams {
        void print(const terrazzo::decode::Submission<Options>& s) {
            Registers& registers = queues[s.record.queue];
            for (unsigned i = 0; i < s.record.register_count() && i < Registers::kCount; ++i)
                registers.set(i, s.record.register_at(i));
            (void)print_stream(s.memory, s.record.va, s.record.size_B, &registers, s.sink, s.options);
        }
        std::map<uint32_t, Registers> queues;
    };
};

}  // namespace terrazzo::mali::decode

template bool terrazzo::decode::print_captures<terrazzo::mali::decode::Captures>(
    std::span<const uint8_t>, terrazzo::fields::Sink&, const terrazzo::mali::decode::Options&, std::string*);
template terrazzo::decode::Decoded terrazzo::decode::decode_captures<terrazzo::mali::decode::Captures>(
    std::span<const uint8_t>, const terrazzo::decode::FileOptions&, terrazzo::fields::Sink&, std::string*);
