// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory and command streams for the decoder's tests.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "drivers/common/capture/memory.h"
#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali {

struct TestMemory {
    terrazzo::capture::Ranges ranges;

    void put(uint64_t va, const void* data, size_t size_B) {
        ranges.put(va, {static_cast<const uint8_t*>(data), size_B});
    }
    void put_words(uint64_t va, const std::vector<uint32_t>& words) {
        put(va, words.data(), words.size() * 4);
    }
    template <class T>
    void put_descriptor(uint64_t va, const T& s) {
        uint32_t words[T::kSize_dw];
        pack(s, words);
        put(va, words, sizeof words);
    }
    /// Returns the size in bytes.
    uint64_t put_stream(uint64_t va, const std::vector<uint64_t>& words) {
        put(va, words.data(), words.size() * 8);
        return words.size() * 8;
    }
};

struct Decoded {
    std::string text;
    bool complete = false;
    decode::Registers registers;

    bool has(const char* part) const { return text.find(part) != std::string::npos; }
};

inline Decoded decoded(const TestMemory& memory, uint64_t va, uint64_t size_B,
                       const decode::Options& options = {}) {
    Decoded out;
    fields::StringSink sink;
    out.complete = decode::print_stream(memory.ranges, va, size_B, &out.registers, sink, options);
    out.text = sink.text;
    return out;
}

}  // namespace terrazzo::mali
