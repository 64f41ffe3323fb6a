// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/adreno/driver/decoded.h"

#include <cstring>

#include "drivers/common/capture/memory.h"

namespace terrazzo::test {
namespace {

class DeviceMemory final : public capture::Memory {
  public:
    explicit DeviceMemory(adreno::Device& device) : device_(device) {}
    bool read(uint64_t va, void* dst, size_t size_B) const override {
        bool found = false;
        device_.with_objects([&](std::span<const memory::Device::Object> objects) {
            for (const auto& o : objects)
                if (o.cpu && va >= o.va && va - o.va <= o.size_B && size_B <= o.size_B - (va - o.va)) {
                    if (size_B) std::memcpy(dst, o.cpu + (va - o.va), size_B);
                    found = true;
                }
        });
        return found;
    }

  private:
    adreno::Device& device_;
};

void decode(const capture::Memory& memory, uint64_t va, uint64_t size_dw, Decoded* out) {
    fields::StringSink sink;
    (void)adreno::decode::print_stream(memory, va, size_dw, &out->registers, sink,
                                       {.shaders = false, .statistics = &out->statistics});
    out->text += sink.text;
    size_t begin = 0;
    while (begin < sink.text.size()) {
        const size_t end = std::min(sink.text.find('\n', begin), sink.text.size());
        std::string line = sink.text.substr(begin, end - begin);
        begin = end + 1;
        line.erase(0, line.find_first_not_of(' '));
        if (line.find(" = 0x") != std::string::npos) {
            out->values += line + "\n";
        } else if (const size_t packet = line.find("  CP_"); packet != std::string::npos) {
            out->values += line.substr(packet + 2) + "\n";
        }
    }
}

}  // namespace

Decoded decode_stream(adreno::Device& device, std::span<const adreno::Segment> stream) {
    Decoded out;
    const DeviceMemory memory(device);
    for (const adreno::Segment& s : stream)
        decode(memory, s.va, s.size_dw, &out);
    return out;
}

Decoded decode_words(std::span<const uint32_t> words) {
    constexpr uint64_t kVa = 0x100000;
    Decoded out;
    capture::Ranges memory;
    memory.put(kVa, {reinterpret_cast<const uint8_t*>(words.data()), words.size() * 4});
    decode(memory, kVa, words.size(), &out);
    return out;
}

}  // namespace terrazzo::test
