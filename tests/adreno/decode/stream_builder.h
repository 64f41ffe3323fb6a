// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small streams in memory, and the decoder's text of them.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::decode {

/// The words of a stream.
class Stream {
  public:
    Stream& word(uint32_t value) {
        words_.push_back(value);
        return *this;
    }
    /// A write of registers, from the register of T on.
    template <class T>
    Stream& write(const T& value, unsigned element = 0) {
        words_.push_back(hw::pack_type4(T::at(element), T::kSize_dw));
        words_.resize(words_.size() + T::kSize_dw);
        pack(value, words_.data() + words_.size() - T::kSize_dw);
        return *this;
    }
    /// A packet, with more words after those of T.
    template <class T>
    Stream& packet(const T& value, std::initializer_list<uint32_t> tail = {}) {
        words_.push_back(hw::pack_type7(T::kOpcode, uint32_t(T::kSize_dw + tail.size())));
        words_.resize(words_.size() + T::kSize_dw);
        pack(value, words_.data() + words_.size() - T::kSize_dw);
        words_.insert(words_.end(), tail);
        return *this;
    }
    Stream& opcode(hw::Pm4Opcode opcode, std::initializer_list<uint32_t> payload = {}) {
        words_.push_back(hw::pack_type7(opcode, uint32_t(payload.size())));
        words_.insert(words_.end(), payload);
        return *this;
    }
    uint32_t size_dw() const { return uint32_t(words_.size()); }
    std::vector<uint8_t> bytes() const {
        std::vector<uint8_t> out(words_.size() * 4);
        if (!out.empty()) std::memcpy(out.data(), words_.data(), out.size());
        return out;
    }

  private:
    std::vector<uint32_t> words_;
};

/// Buffers at addresses. The first stream, at 0x1000, is the submission.
struct Machine {
    terrazzo::capture::Ranges memory;
    Registers registers;
    Statistics statistics;
    uint32_t size_dw = 0;

    explicit Machine(const Stream& stream) : size_dw(stream.size_dw()) { memory.put(0x1000, stream.bytes()); }
    Machine& buffer(uint64_t va, const Stream& stream) {
        memory.put(va, stream.bytes());
        return *this;
    }
    std::string print(bool* done = nullptr) {
        fields::StringSink sink;
        const bool ok = print_stream(memory, 0x1000, size_dw, &registers, sink,
                                     {.max_packets = 1000, .statistics = &statistics});
        if (done) *done = ok;
        return sink.text;
    }
};

inline bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace terrazzo::adreno::decode
