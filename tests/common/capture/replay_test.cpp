// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code that all vendors use to replay recordings: their memory, and how a player receives a capture.
#include "drivers/common/capture/replay.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>

using namespace terrazzo;
using namespace terrazzo::capture;

namespace {

/// A capture that `write` writes.
template <typename F>
std::vector<uint8_t> captured(const F& write) {
    std::FILE* const file = std::tmpfile();
    REQUIRE(file);
    CaptureWriter w(file);
    write(w);
    CHECK(w.ok());
    std::vector<uint8_t> bytes(size_t(std::ftell(file)));
    std::rewind(file);
    CHECK(std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size());
    std::fclose(file);
    return bytes;
}

uint32_t word(RecordedSpace& space, uint64_t va) {
    const window::Mapping m = space.find(va);
    if (!m.end) return 0xdeadbeef;
    uint32_t v;
    std::memcpy(&v, m.host + (va - m.begin), 4);
    return v;
}

/// Records what it receives, and the memory at 0x1000 at that time.
class Noting final : public CapturePlayer {
  public:
    RecordedSpace& memory() override { return space; }
    bool chip(const Record& r, std::string* error) override {
        if (r.vendor != Vendor::Mali) return *error = "not mine", false;
        text += "chip " + std::to_string(r.gpu_id) + "\n";
        return true;
    }
    bool submit(uint32_t queue, std::span<const RecordedStream> streams, std::string*) override {
        text += "queue " + std::to_string(queue) + ":";
        for (const RecordedStream& s : streams)
            text += " " + std::to_string(s.va) + "+" + std::to_string(s.size_B);
        text += ", " + std::to_string(word(space, 0x1000)) + "\n";
        return true;
    }
    RecordedSpace space;
    std::string text;
};

}  // namespace

TEST_CASE("recorded memory: blocks are joined, zeros are kept, gaps are filled only on request") {
    RecordedSpace s;
    const uint32_t seven = 7, nine = 9;
    const auto bytes = [](const uint32_t& v) { return std::span(reinterpret_cast<const uint8_t*>(&v), 4); };
    CHECK(word(s, 0x1000) == 0xdeadbeef);
    CHECK(s.put(0x1000, bytes(seven)));
    CHECK(s.put(0x1008, bytes(nine)));
    CHECK(s.find(0x1004).end == 0);
    // The bytes between become part of one block, which keeps the contents of both.
    CHECK(s.map(0x1000, 0x100));
    CHECK(word(s, 0x1000) == 7);
    CHECK(word(s, 0x1004) == 0);
    CHECK(word(s, 0x1008) == 9);
    CHECK(s.has_contents(0x1008));
    CHECK_FALSE(s.has_contents(0x1010));
    const uint64_t epoch = s.epoch();
    CHECK(s.put_zeros(0x1008, 8));
    CHECK(word(s, 0x1008) == 0);
    CHECK(word(s, 0x1000) == 7);
    CHECK(s.epoch() == epoch);
    // Zeros that overlap the end of a block, and zeros elsewhere.
    CHECK(s.put(0x10fc, bytes(seven)));
    CHECK(s.put_zeros(0x10f8, 0x1000));
    CHECK(word(s, 0x10fc) == 0);
    CHECK(word(s, 0x2000) == 0);
    CHECK(s.put_zeros(0x100000, uint64_t(1) << 30));
    CHECK(word(s, 0x200000) == 0);
    CHECK_FALSE(s.put_zeros(~uint64_t(0) - 3, 16));
    CHECK_FALSE(s.map(0x40000000, uint64_t(16) << 30));
    CHECK(word(s, 0x90000000) == 0xdeadbeef);
    s.fills_gaps = true;
    CHECK(word(s, 0x90000000) == 0);
}

TEST_CASE(
    "capture player: streams of a queue that follow each other are one submission, memory comes before "
    "them") {
    const uint32_t one = 1, two = 2;
    const auto bytes = [](const uint32_t& v) { return std::span(reinterpret_cast<const uint8_t*>(&v), 4); };
    const auto file = captured([&](CaptureWriter& w) {
        w.chip(Vendor::Mali, 77, 0);
        w.memory(0x1000, bytes(one));
        w.submit(16, 8, 0, {});
        w.submit(32, 8, 0, {});
        w.submit(48, 8, 1, {});
        w.note("a frame");
        w.submit(64, 8, 1, {});
        w.memory(0x1000, bytes(two));
        w.submit(80, 8, 1, {});
        w.zeros(0x1000, 4096);
        w.submit(96, 8, 0, {});
    });
    Noting player;
    std::string error;
    CHECK(play_capture(file, player, &error));
    CHECK(error == "");
    CHECK(player.text ==
          "chip 77\nqueue 0: 16+8 32+8, 1\nqueue 1: 48+8, 1\nqueue 1: 64+8, 1\nqueue 1: 80+8, 2\nqueue 0: "
          "96+8, 0\n");
    Vendor vendor{};
    CHECK(capture_vendor(file, &vendor));
    CHECK(vendor == Vendor::Mali);
    CHECK_FALSE(capture_vendor(std::vector<uint8_t>(100), &vendor));

    // A truncated file runs as far as it goes. Its last submission may be incomplete.
    Noting cut;
    CHECK_FALSE(play_capture(std::span(file).first(file.size() - 8), cut, &error));
    CHECK(error != "");
    CHECK(cut.text.ends_with("queue 1: 80+8, 2\n"));

    Noting other;
    CHECK_FALSE(
        play_capture(captured([](CaptureWriter& w) { w.chip(Vendor::Adreno, 630, 0); }), other, &error));
    CHECK(error == "not mine");
}
